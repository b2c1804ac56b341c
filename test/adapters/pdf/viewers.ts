import path from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { drawPages, type GreyscalePage } from '../../../build/corpus/draw-pages.ts';

/** Resolution at which a stroke of ten-point letters is more than one pixel wide. */
export const DPI = 144;
const FONTS = `${path.resolve('node_modules/pdfjs-dist/standard_fonts')}/`;

interface Drawn {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
}

/** Returns Poppler's picture of a page. */
export function byPoppler(data: Uint8Array, page: number): GreyscalePage {
  const at = String(page);
  const args = ['-gray', '-r', String(DPI), '-f', at, '-l', at, '-singlefile', 'in.pdf', 'page'];
  return onlyPage('pdftoppm', args, data);
}

/** Returns MuPDF's picture of a page. */
export function byMuPdf(data: Uint8Array, page: number): GreyscalePage {
  const args = ['draw', '-q', '-c', 'gray', '-r', String(DPI), '-o', 'page.pgm', 'in.pdf'];
  return onlyPage('mutool', [...args, String(page)], data);
}

function onlyPage(
  program: 'pdftoppm' | 'mutool',
  args: readonly string[],
  data: Uint8Array,
): GreyscalePage {
  const [page] = drawPages(program, args, data);
  if (page === undefined) throw new Error(`${program} drew no page`);
  return page;
}

/** Returns pdf.js's picture of a page, drawn with the standard fonts of pdf.js. */
export async function byPdfJs(data: Uint8Array, number: number): Promise<GreyscalePage> {
  const loading = getDocument({
    data: data.slice(),
    verbosity: 0,
    standardFontDataUrl: FONTS,
    useSystemFonts: false,
  });
  const document = await loading.promise;
  const page = await document.getPage(number);
  const viewport = page.getViewport({ scale: DPI / 72 });
  const [width, height] = [Math.ceil(viewport.width), Math.ceil(viewport.height)];
  const factory = document.canvasFactory as { create(width: number, height: number): Drawn };
  const { canvas, context } = factory.create(width, height);
  await page.render({ canvas, canvasContext: context, viewport }).promise;
  const { data: colours } = context.getImageData(0, 0, width, height);
  await loading.destroy();
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = colours.subarray(at * 4, at * 4 + 3);
    pixels[at] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
  }
  return { width, height, pixels };
}

/** Grey value: darker pixels are a stroke; pixels lighter than `PAPER` are paper. */
const INK = 96;
const PAPER = 224;

/**
 * Share of the ink of one picture with only paper around it in the other; the greater share of both
 * directions. Two viewers smooth an edge differently and may round glyphs to whole pixels, so a
 * stroke may be `reach` pixels away. A missing or moved letter has no ink there at all.
 */
export function apart(one: GreyscalePage, other: GreyscalePage, reach: number): number {
  return Math.max(strayInk(one, other, reach), strayInk(other, one, reach));
}

function strayInk(one: GreyscalePage, other: GreyscalePage, reach: number): number {
  let [ink, stray] = [0, 0];
  for (let y = 0; y < one.height; y += 1) {
    for (let x = 0; x < one.width; x += 1) {
      if ((one.pixels[y * one.width + x] ?? PAPER) >= INK) continue;
      ink += 1;
      if (isPaper(other, x, y, reach)) stray += 1;
    }
  }
  return ink === 0 ? 1 : stray / ink;
}

function isPaper(
  { width, height, pixels }: GreyscalePage,
  x: number,
  y: number,
  reach: number,
): boolean {
  for (let row = Math.max(0, y - reach); row <= Math.min(height - 1, y + reach); row += 1) {
    for (let at = Math.max(0, x - reach); at <= Math.min(width - 1, x + reach); at += 1) {
      if ((pixels[row * width + at] ?? PAPER) < PAPER) return false;
    }
  }
  return true;
}
