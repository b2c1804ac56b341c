import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from '../../../electron/adapters/files/files.ts';
import { createSealScan } from '../../../electron/adapters/files/inspect.ts';
import { downloadOf } from '../../support/fakes/fake-service.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';
import { pdfOf, sealedPdf } from '../../support/small-pdf.ts';

const files = createFiles();
const never = new AbortController().signal;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk-seals-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Saves the PDF, and returns its reported seal. */
async function sealOf(pdf: string): Promise<string | null> {
  const file = path.join(folder, `${readdirSync(folder).length}.pdf`);
  const steps = { isPdf: true };
  const { seal } = await files.receivePart(file, downloadOf(pdf), () => {}, never, steps);
  return seal;
}

/** Returns a PDF with this text as the byte range of its seal. */
function withRange(range: string): string {
  const pdf = pdfOf('x'.repeat(range.length));
  return pdf.replace('78'.repeat(range.length), range.padEnd(2 * range.length));
}

describe('the seal of a PDF that is saved', () => {
  it('is reported as missing, as covering the whole file, or as covering less', async () => {
    expect(await sealOf(pdfOf('a'))).toBe('none');
    expect(await sealOf(sealedPdf(''))).toBe('covers');
    expect(await sealOf(sealedPdf('%more\n'))).toMatch(/^extended:\d+$/u);
  });
});

/** Scans a text in chunks of `step` bytes, and returns the result. */
function found(text: string, step: number) {
  const scan = createSealScan();
  const bytes = bytesOf(text);
  for (let at = 0; at < bytes.length; at += step) scan.take(bytes.subarray(at, at + step));
  return scan.ranges();
}

describe('the byte ranges of seals', () => {
  const around = 'x'.repeat(40);
  const text = `${around}/ByteRange[0 1 2 3]${around}/ByteRange [ 4 5\n6 7 ]${around}${'y'.repeat(300)}`;
  const both = [
    [0, 1, 2, 3],
    [4, 5, 6, 7],
  ];

  it.each([1, 2, 3, 7, 9, 10, 11, 40, 53, 64, 1000])(
    'are found completely in chunks of %i bytes',
    (step) => {
      expect(found(text, step)).toEqual(both);
    },
  );

  it.each([1, 10, 1000])(
    'are reported without numbers if the file ends within them, in chunks of %i bytes',
    (step) => {
      expect(found(`${around}/ByteRange[0 1 2`, step)).toEqual([[]]);
    },
  );

  it.each(['/ByteRange', '/ByteRange[]', '/ByteRange(0 1 2 3)]', `/ByteRange[${' '.repeat(300)}]`])(
    'are reported without numbers if they are invalid: %s',
    (odd) => {
      expect(found(`${odd}${around.repeat(8)}`, 64)).toEqual([[]]);
    },
  );

  it('are reported only once if a chunk ends right after them', () => {
    expect(found(`/ByteRange]${around}`, 11)).toEqual([[]]);
  });

  it('are reported up to a hundred of them', () => {
    expect(found('/ByteRange[0 1 2 3]'.repeat(150), 4096)).toHaveLength(100);
  });

  it('are reported as malformed if they are outside the file, and the file is saved', async () => {
    const ranges = ['0 -5 10 10', '0 100 50 10', '0 10 10 10', '0 10 99999999 10', '0 10'];
    for (const range of ranges) {
      expect(await sealOf(withRange(`/ByteRange[${range}]`)), range).toBe('malformed');
    }
    expect(readdirSync(folder)).toHaveLength(ranges.length);
  });
});
