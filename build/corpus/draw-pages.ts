import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const TIMEOUT_MS = 60_000;

/** A greyscale page, row by row: 0 is black, 255 white. */
export interface GreyscalePage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/**
 * Returns the pages that a program draws as `.pgm` files from `in.pdf` in its working folder, in
 * the order of the numbers in the files' names. Throws if the program is not installed.
 */
export function drawPages(
  program: 'pdftoppm' | 'mutool',
  args: readonly string[],
  data: Uint8Array,
): readonly GreyscalePage[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'desk-pages-'));
  try {
    writeFileSync(path.join(folder, 'in.pdf'), data);
    const { error } = spawnSync(program, args, { cwd: folder, timeout: TIMEOUT_MS });
    if (error !== undefined) throw new Error(`${program} failed`, { cause: error });
    const files = readdirSync(folder).filter((name) => name.endsWith('.pgm'));
    const numbered = files.toSorted((a, b) => pageNumberOf(a) - pageNumberOf(b));
    return numbered.flatMap((name) => parseGreyscale(readFileSync(path.join(folder, name))) ?? []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const pageNumberOf = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

function parseGreyscale(picture: Buffer): GreyscalePage | null {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(picture.toString('latin1', 0, 40));
  if (head === null) return null;
  const [all, width, height] = head;
  const pixels = new Uint8Array(picture.subarray(all.length));
  return { width: Number(width), height: Number(height), pixels };
}
