import {
  getDocument,
  GlobalWorkerOptions,
  type PageViewport,
  type PDFDocumentProxy,
  PDFWorker,
  TextLayer,
} from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { plain } from './found.ts';

GlobalWorkerOptions.workerSrc = workerUrl;

/**
 * Address of files that pdf.js loads (character maps, fonts, decoders), where the build puts them.
 */
const assetAddress = (folder: string): string => new URL(`pdf/${folder}/`, document.baseURI).href;

let worker: PDFWorker | null = null;

/** Opens a PDF; it uses memory until `destroy` of its loading task is called. */
export async function openPdf(data: Uint8Array): Promise<PDFDocumentProxy> {
  worker ??= new PDFWorker();
  const task = getDocument({
    data,
    worker,
    cMapUrl: assetAddress('cmaps'),
    cMapPacked: true,
    standardFontDataUrl: assetAddress('standard_fonts'),
    wasmUrl: assetAddress('wasm'),
    // The page's policy forbids WebAssembly; the same decoders exist as plain scripts.
    useWasm: false,
    // Hosts reliably answer only the page's own requests, not those of a worker.
    useWorkerFetch: false,
  });
  return task.promise;
}

/**
 * Draws one page onto `canvas`, `width` CSS pixels wide and at the screen's resolution. It is drawn
 * off-screen and copied when complete, so that it does not flicker while a user types.
 * A page that is no longer wanted when it is complete is not copied: an older drawing may end after
 * a newer one. Returns the viewport from page boxes to CSS pixels, or null if nothing was copied.
 */
export async function drawPage(
  pdf: PDFDocumentProxy,
  { number, width }: { readonly number: number; readonly width: number },
  canvas: HTMLCanvasElement,
  isWanted: () => boolean = () => true,
): Promise<PageViewport | null> {
  const page = await pdf.getPage(number);
  const scale = width / page.getViewport({ scale: 1 }).width;
  const viewport = page.getViewport({ scale: scale * window.devicePixelRatio });
  const drawn = document.createElement('canvas');
  drawn.width = Math.round(viewport.width);
  drawn.height = Math.round(viewport.height);
  await page.render({ canvas: drawn, viewport }).promise;
  if (!isWanted()) return null;
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  canvas.style.width = `${width}px`;
  canvas.getContext('2d')?.drawImage(drawn, 0, 0);
  return page.getViewport({ scale });
}

/** Scale for the resolution of an office printer, 200 dpi; PDF has 72 points to an inch. */
const PRINT_SCALE = 200 / 72;

/** One page as a picture for printing; `isWide` if it is wider than high. */
export async function pictureOfPage(
  pdf: PDFDocumentProxy,
  number: number,
): Promise<{ readonly picture: Blob; readonly isWide: boolean }> {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: PRINT_SCALE });
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport, intent: 'print' }).promise;
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  if (picture === null) throw new Error('The picture of a page could not be kept');
  return { picture, isWide: viewport.width > viewport.height };
}

/** Adds the page's words as invisible text over its picture, for screen readers and selection. */
export async function addTextLayer(
  pdf: PDFDocumentProxy,
  number: number,
  container: HTMLElement,
  viewport: PageViewport,
): Promise<void> {
  const page = await pdf.getPage(number);
  container.replaceChildren();
  container.style.setProperty('--total-scale-factor', String(viewport.scale));
  const textContentSource = await page.getTextContent();
  await new TextLayer({ textContentSource, container, viewport }).render();
}

/** Pages (from 1) that contain the words; ignores case and line breaks. */
export async function findPages(pdf: PDFDocumentProxy, words: string): Promise<number[]> {
  const wanted = plain(words);
  const found: number[] = [];
  for (let number = 1; number <= pdf.numPages && wanted !== ''; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    const text = items.map((item) => ('str' in item ? item.str : '')).join(' ');
    if (plain(text).includes(wanted)) found.push(number);
  }
  return found;
}
