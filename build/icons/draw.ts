/*
 * Draws the icons from their drawings in every size that systems need: run `node
 * build/icons/draw.ts` after a drawing changes. The results are stored in the repository, so that
 * packaging needs no browser. The gate `icons` reports pictures that are older than their drawing.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, chromium } from 'playwright';
import { place, root } from '../places.ts';
import { findBrowser } from '../../electron/hosts/find-browser.ts';
import {
  DRAWN_FILE,
  drawings,
  drawnList,
  ICON_MODULE,
  LINUX_SIZES,
  linuxPicture,
  modulePictures,
  pictures,
} from './drawn.ts';

/** Sizes that Windows shows at its usual scales; the largest in an .ico is 256. */
const WINDOWS_SIZES = [16, 20, 24, 32, 40, 48, 64, 128, 256];
/** Size of the tray's picture: bars of twice the usual density show it at its full size. */
const TRAY_SIZE = 32;
/** Share of an icon's side that stays empty at each edge on macOS, as in Apple's own icons. */
const MAC_MARGIN = 0.1;
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
/** Size (px) below which the margin of macOS would blur the edges of the drawing. */
const MIN_SIZE_WITH_MARGIN = 64;

type Pictures = ReadonlyMap<number, Buffer>;

const browser = await chromium.launch({ executablePath: findBrowser() ?? '' });
try {
  await drawAll(browser);
} finally {
  await browser.close();
}

async function drawAll(chromiumBrowser: Browser): Promise<void> {
  const plain = await drawSizes(chromiumBrowser, drawings.mark, [...LINUX_SIZES, ...WINDOWS_SIZES]);
  const onMac = await drawSizes(
    chromiumBrowser,
    drawings.mark,
    MAC_CHUNKS.map(([, size]) => size),
    MAC_MARGIN,
  );
  const tray = await drawSizes(chromiumBrowser, drawings.tray, [TRAY_SIZE]);
  await mkdir(place(path.dirname(linuxPicture(0))), { recursive: true });
  for (const size of LINUX_SIZES) {
    await writeFile(place(linuxPicture(size)), pictureOf(plain, size));
  }
  await writeFile(place(pictures.tray), pictureOf(tray, TRAY_SIZE));
  await writeFile(place(pictures.ico), createIco(plain));
  await writeFile(place(pictures.icns), createIcns(onMac));
  await writeFile(place(ICON_MODULE), await iconModule());
  await writeFile(place(DRAWN_FILE), await drawnList(root));
}

/** Returns pictures of a drawing; `margin` is the share of a side that stays empty. */
async function drawSizes(
  chromiumBrowser: Browser,
  drawing: string,
  sizes: readonly number[],
  margin = 0,
): Promise<Pictures> {
  const svg = await readFile(place(drawing), 'utf8');
  const drawn = new Map<number, Buffer>();
  for (const size of new Set(sizes)) {
    const page = await chromiumBrowser.newPage({ viewport: { width: size, height: size } });
    const inset = size < MIN_SIZE_WITH_MARGIN ? 0 : Math.round(size * margin);
    const style = `*{margin:0}body{padding:${inset}px}svg{display:block;width:${size - 2 * inset}px}`;
    await page.setContent(`<style>${style}</style>${svg}`);
    drawn.set(size, await page.screenshot({ omitBackground: true }));
    await page.close();
  }
  return drawn;
}

function pictureOf(drawn: Pictures, size: number): Buffer {
  const picture = drawn.get(size);
  if (picture === undefined) throw new Error(`no picture of ${size} pixels`);
  return picture;
}

/** Returns the module with the pictures that need no path at run time. */
async function iconModule(): Promise<string> {
  const constants = Object.entries(modulePictures).map(async ([name, file]) => {
    const data = (await readFile(place(file))).toString('base64');
    return `/** \`${file}\` in Base64. */\nexport const ${name} =\n  '${data}';\n`;
  });
  const head = '// Written by `build/icons/draw.ts`: pictures that need no path at run time.\n\n';
  return head + (await Promise.all(constants)).join('\n');
}

/** Returns the .ico: a header, a row of 16 bytes for each picture, and the pictures as PNG. */
function createIco(drawn: Pictures): Buffer {
  const head = Buffer.alloc(6 + 16 * WINDOWS_SIZES.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(WINDOWS_SIZES.length, 4);
  let at = head.length;
  for (const [index, size] of WINDOWS_SIZES.entries()) {
    const row = 6 + 16 * index;
    const { length } = pictureOf(drawn, size);
    // The format stores the size 256 as 0.
    head.writeUInt8(size % 256, row);
    head.writeUInt8(size % 256, row + 1);
    head.writeUInt16LE(1, row + 4);
    head.writeUInt16LE(32, row + 6);
    head.writeUInt32LE(length, row + 8);
    head.writeUInt32LE(at, row + 12);
    at += length;
  }
  return Buffer.concat([head, ...WINDOWS_SIZES.map((size) => pictureOf(drawn, size))]);
}

/**
 * Returns the .icns: chunks, each with a type of four characters, and its length including this
 * header.
 */
function createIcns(drawn: Pictures): Buffer {
  const pieces = MAC_CHUNKS.map(([type, size]) => icnsChunk(type, pictureOf(drawn, size)));
  return icnsChunk('icns', Buffer.concat(pieces));
}

function icnsChunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 'latin1');
  head.writeUInt32BE(head.length + data.length, 4);
  return Buffer.concat([head, data]);
}
