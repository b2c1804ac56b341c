/*
 * Draws the icon from icon.svg in every size that systems need: run `node build/icons/draw.ts`
 * after the drawing changes. The results are stored in the repository, so that packaging needs no
 * browser.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from 'playwright';
import { place } from '../places.ts';
import { findBrowser } from '../../electron/hosts/find-browser.ts';

/** Sizes in pixels for which an icon theme on Linux has folders. */
const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
/** Sizes that Windows shows at its usual scales; the largest in an .ico is 256. */
const WINDOWS_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256];
/** Chunk types of an .icns that contain a PNG, with the size of the picture in pixels. */
const MAC_CHUNKS: readonly (readonly [type: string, size: number])[] = [
  ...([
    ['icp4', 16],
    ['icp5', 32],
    ['ic11', 32],
    ['ic12', 64],
  ] as const),
  ...([
    ['ic07', 128],
    ['ic13', 256],
    ['ic08', 256],
    ['ic14', 512],
  ] as const),
  ...([
    ['ic09', 512],
    ['ic10', 1024],
  ] as const),
];

const folder = import.meta.dirname;
const pictures = await drawSizes([
  ...LINUX_SIZES,
  ...WINDOWS_SIZES,
  ...MAC_CHUNKS.map(([, size]) => size),
]);
await mkdir(path.join(folder, 'linux'), { recursive: true });
for (const size of LINUX_SIZES) {
  await writeFile(path.join(folder, `linux/${size}x${size}.png`), pictureOf(size));
}
await writeFile(
  place('electron/hosts/electron/icon.ts'),
  `/** \`build/icons/linux/32x32.png\` in Base64, written by \`build/icons/draw.ts\`: a picture that needs no path. */
export const ICON =
  '${pictureOf(32).toString('base64')}';
`,
);
await writeFile(path.join(folder, 'icon.ico'), createIco());
await writeFile(path.join(folder, 'icon.icns'), createIcns());

async function drawSizes(sizes: readonly number[]): Promise<ReadonlyMap<number, Buffer>> {
  const svg = await readFile(path.join(folder, 'icon.svg'), 'utf8');
  const browser = await chromium.launch({ executablePath: findBrowser() ?? '' });
  try {
    const drawn = new Map<number, Buffer>();
    for (const size of new Set(sizes)) {
      const page = await browser.newPage({ viewport: { width: size, height: size } });
      await page.setContent(`<style>*{margin:0}svg{display:block;width:100vw}</style>${svg}`);
      drawn.set(size, await page.screenshot({ omitBackground: true }));
      await page.close();
    }
    return drawn;
  } finally {
    await browser.close();
  }
}

function pictureOf(size: number): Buffer {
  const picture = pictures.get(size);
  if (picture === undefined) throw new Error(`no picture of ${size} pixels`);
  return picture;
}

/** Returns the .ico: a header, a row of 16 bytes for each picture, and the pictures as PNG. */
function createIco(): Buffer {
  const head = Buffer.alloc(6 + 16 * WINDOWS_SIZES.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(WINDOWS_SIZES.length, 4);
  let at = head.length;
  for (const [index, size] of WINDOWS_SIZES.entries()) {
    const row = 6 + 16 * index;
    const { length } = pictureOf(size);
    // The format stores the size 256 as 0.
    head.writeUInt8(size % 256, row);
    head.writeUInt8(size % 256, row + 1);
    head.writeUInt16LE(1, row + 4);
    head.writeUInt16LE(32, row + 6);
    head.writeUInt32LE(length, row + 8);
    head.writeUInt32LE(at, row + 12);
    at += length;
  }
  return Buffer.concat([head, ...WINDOWS_SIZES.map(pictureOf)]);
}

/**
 * Returns the .icns: chunks, each with a type of four characters, and its length including this
 * header.
 */
function createIcns(): Buffer {
  const pieces = MAC_CHUNKS.map(([type, size]) => icnsChunk(type, pictureOf(size)));
  return icnsChunk('icns', Buffer.concat(pieces));
}

function icnsChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + data.length, 4);
  return Buffer.concat([head, data]);
}
