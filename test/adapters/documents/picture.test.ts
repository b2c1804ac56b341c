import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PDFDocument } from 'pdf-lib';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocumentConverter } from '../../../electron/adapters/documents/convert.ts';
import { pictureAsPdf } from '../../../electron/adapters/documents/picture.ts';
import { flatJpeg } from '../../support/jpeg.ts';

const [BLACK, WHITE] = [[0], [255]];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'pictures-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Seen {
  readonly width: number;
  readonly height: number;
  /** Returns red, green and blue at a fraction of the page's width and height. */
  at(x: number, y: number): readonly number[];
}

/** Returns the page as Poppler draws it. */
async function seen(pdf: Uint8Array): Promise<Seen> {
  const file = path.join(folder, 'page.pdf');
  await writeFile(file, pdf);
  await promisify(execFile)('pdftoppm', [
    '-r',
    '72',
    '-singlefile',
    file,
    path.join(folder, 'page'),
  ]);
  const data = await readFile(path.join(folder, 'page.ppm'));
  const [, width = '0', height = '0'] =
    /^P6\s(\d+)\s(\d+)\s255\s/.exec(data.subarray(0, 40).toString('latin1')) ?? [];
  const [wide, high] = [Number(width), Number(height)];
  const start = data.length - wide * high * 3;
  return {
    width: wide,
    height: high,
    at(x, y) {
      const place = start + (Math.floor(y * high) * wide + Math.floor(x * wide)) * 3;
      return [...data.subarray(place, place + 3)];
    },
  };
}

const dark = ([red = 0]: readonly number[]): boolean => red < 80;

/** 800 by 400 pixels: black on the left, white on the right. */
const halves = Array.from({ length: 50 }, () =>
  Array.from({ length: 100 }, (_, at) => (at < 50 ? BLACK : WHITE)),
);

describe('a JPEG', () => {
  test.each([
    [1, 'left'],
    [2, 'right'],
    [3, 'right'],
    [4, 'left'],
    [5, 'top'],
    [6, 'top'],
    [7, 'bottom'],
    [8, 'bottom'],
  ])('is turned upright: orientation %i has its dark half at the %s', async (orientation, side) => {
    const page = await seen(await pictureAsPdf(flatJpeg({ blocks: halves, orientation }), 'jpeg'));
    const isUpright = page.height > page.width;
    expect(isUpright).toBe(orientation > 4);
    const places = isUpright
      ? { top: [0.5, 0.3], bottom: [0.5, 0.7] }
      : { left: [0.3, 0.5], right: [0.7, 0.5] };
    const found = Object.entries(places).filter(([, [x = 0, y = 0]]) => dark(page.at(x, y)));
    expect(found.map(([name]) => name)).toEqual([side]);
  });

  test('with a mirrored orientation is mirrored back, so that its dark corner is at the right side', async () => {
    const blocks = Array.from({ length: 50 }, (_, row) =>
      Array.from({ length: 50 }, (__, at) => (at < 25 && row < 25 ? BLACK : WHITE)),
    );
    const corners: string[] = [];
    for (const orientation of [1, 2, 3, 4, 5, 6, 7, 8]) {
      const page = await seen(await pictureAsPdf(flatJpeg({ blocks, orientation }), 'jpeg'));
      const [left, right, top, bottom] = [0.35, 0.65, 0.42, 0.58];
      const places = { lt: [left, top], rt: [right, top], lb: [left, bottom], rb: [right, bottom] };
      const found = Object.entries(places).find(([, [x = 0, y = 0]]) => dark(page.at(x, y)));
      corners.push(found?.[0] ?? '');
    }
    expect(corners).toEqual(['lt', 'rt', 'rb', 'lb', 'lt', 'rt', 'rb', 'lb']);
  });

  test('may be progressive', async () => {
    const page = await seen(
      await pictureAsPdf(flatJpeg({ blocks: halves, isProgressive: true }), 'jpeg'),
    );
    expect([dark(page.at(0.3, 0.5)), dark(page.at(0.7, 0.5))]).toEqual([true, false]);
  });

  test('in CMYK is not inverted, whichever program wrote it', async () => {
    const none = [0, 0, 0, 0].map(() => 0);
    const plain = Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => none));
    const adobe = plain.map((row) => row.map((block) => block.map((ink) => 255 - ink)));
    for (const [blocks, isOfAdobe] of [
      [plain, false],
      [adobe, true],
    ] as const) {
      const page = await seen(await pictureAsPdf(flatJpeg({ blocks, isOfAdobe }), 'jpeg'));
      expect(dark(page.at(0.5, 0.5)), isOfAdobe ? 'of Adobe' : 'plain').toBe(false);
    }
  });

  test('is rejected if it is truncated or has too many pixels', async () => {
    const whole = flatJpeg({ blocks: halves });
    await expect(pictureAsPdf(whole.subarray(0, 300), 'jpeg')).rejects.toMatchObject({
      failure: { reason: 'document-damaged' },
    });
    await expect(pictureAsPdf(whole.subarray(0, -2), 'jpeg')).rejects.toMatchObject({
      failure: { reason: 'document-damaged' },
    });
    const huge = Buffer.from(whole);
    // Sets the size in the header: 65,500 by 65,500 pixels.
    const frame = huge.indexOf(Buffer.from([0xff, 0xc0]));
    huge.writeUInt16BE(65_500, frame + 5);
    huge.writeUInt16BE(65_500, frame + 7);
    await expect(pictureAsPdf(huge, 'jpeg')).rejects.toMatchObject({
      failure: { reason: 'document-limit' },
    });
  });
});

describe('a PNG', () => {
  const png = (paint: (x: number, y: number) => readonly number[], width = 300, height = 400) => {
    const image = new PNG({ width, height });
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) image.data.set(paint(x, y), (y * width + x) * 4);
    }
    return PNG.sync.write(image);
  };

  test('has a white background where it is transparent', async () => {
    const data = png((x) => (x < 150 ? [200, 0, 0, 255] : [0, 0, 0, 0]));
    const page = await seen(await pictureAsPdf(data, 'png'));
    expect(page.at(0.4, 0.5)).toEqual([200, 0, 0]);
    expect(page.at(0.6, 0.5)).toEqual([255, 255, 255]);
  });

  test('becomes one A4 page, and is not enlarged if it is small', async () => {
    const document = await PDFDocument.load(
      await pictureAsPdf(
        png(() => [0, 0, 0, 255], 40, 40),
        'png',
      ),
    );
    expect(document.getPageCount()).toBe(1);
    const page = await seen(await document.save());
    expect([page.width, page.height]).toEqual([596, 842]);
    expect([dark(page.at(0.5, 0.5)), dark(page.at(0.45, 0.5))]).toEqual([true, false]);
  });

  test('is rejected before it is unpacked if it is truncated or too large', async () => {
    const whole = png(() => [0, 0, 0, 255]);
    const cut = whole.subarray(0, whole.length - 80);
    await expect(pictureAsPdf(cut, 'png')).rejects.toMatchObject({
      failure: { reason: 'document-damaged' },
    });
    const bomb = Buffer.from(whole);
    bomb.writeUInt32BE(19_000, 16);
    bomb.writeUInt32BE(19_000, 20);
    await expect(pictureAsPdf(bomb, 'png')).rejects.toMatchObject({
      failure: { reason: 'document-limit' },
    });
  });
});

test('phone pictures and other formats are rejected with advice', async () => {
  const { convert } = createDocumentConverter({
    folder,
    lock: { take: () => true, free: () => undefined },
    find: () => null,
  });
  const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic', 'latin1');
  await expect(convert(heic, { codes: false })).rejects.toMatchObject({
    failure: { reason: 'picture-kind', message: expect.stringContaining('JPEG') },
  });
  await expect(convert(Buffer.from('GIF89a'), { codes: false })).rejects.toMatchObject({
    failure: { reason: 'picture-kind' },
  });
  // A JPEG is converted without LibreOffice.
  const made = await convert(flatJpeg({ blocks: halves }), { codes: false });
  expect(Buffer.from(made?.data.subarray(0, 5) ?? []).toString()).toBe('%PDF-');
  expect(await convert(Buffer.from('%PDF-1.7'), { codes: true })).toBeNull();
  expect(await convert(Buffer.from('Anything else'), { codes: true })).toBeNull();
});
