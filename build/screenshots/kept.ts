import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { place } from '../places.ts';

export interface Picture {
  /** Name of the picture's file, such as `drafts-light.png`. */
  readonly name: string;
  readonly png: Buffer;
}

const KEPT_PICTURES_FOLDER = place('build/screenshots/kept');
/**
 * Side of the square of pixels that becomes one stored pixel. This makes files small, and removes
 * smoothed edges.
 */
const PIXELS_PER_STORED_PIXEL = 2;
/**
 * Maximum share of pixels that may differ: another date or time changes fewer pixels, a moved
 * control changes more.
 */
const MAX_DIFFERENT_SHARE = 0.01;
/** Largest distance of two colours that are treated as the same, from 0 to 1. */
const MAX_COLOUR_DISTANCE = 0.1;
/**
 * Names of the dark pictures that are kept: dark pictures differ from the light ones only in
 * colours. Every light picture is kept.
 */
const DARK_PICTURES_KEPT =
  /^(?:agreements|draft-v1|signing|archive|check-before-a-send|palette)-dark/;
const isKeptPicture = (name: string): boolean =>
  name.endsWith('-light.png') || DARK_PICTURES_KEPT.test(name);

export async function keep(pictures: readonly Picture[]): Promise<void> {
  await rm(KEPT_PICTURES_FOLDER, { recursive: true, force: true });
  await mkdir(KEPT_PICTURES_FOLDER, { recursive: true });
  const chosen = pictures.filter(({ name }) => isKeptPicture(name));
  for (const { name, png } of chosen) {
    await writeFile(
      path.join(KEPT_PICTURES_FOLDER, name),
      PNG.sync.write(toGreyPicture(PNG.sync.read(png)), GREY_PNG_OPTIONS),
    );
  }
  console.log(`${chosen.length} pictures kept`);
}

/** Prints differences from the kept pictures; returns the exit code. */
export async function compareKept(pictures: readonly Picture[]): Promise<number> {
  const chosen = pictures.filter(({ name }) => isKeptPicture(name));
  const names = new Set(chosen.map(({ name }) => name));
  const problems = (await readdir(KEPT_PICTURES_FOLDER))
    .filter((name) => !names.has(name))
    .map((name) => `${name}: kept, but no longer taken`);
  for (const { name, png } of chosen) {
    const before = await readFile(path.join(KEPT_PICTURES_FOLDER, name)).catch(() => null);
    const problem = before === null ? 'was never kept' : difference(PNG.sync.read(before), png);
    if (problem !== null) problems.push(`${name}: ${problem}`);
  }
  const ending = problems.length === 0 ? 'as they were kept' : `${problems.length} differ`;
  console.log([...problems, `${chosen.length} pictures, ${ending}`].join('\n'));
  return problems.length === 0 ? 0 : 1;
}

function difference(before: PNG, png: Buffer): string | null {
  const now = toGreyPicture(PNG.sync.read(png));
  const { width, height } = now;
  if (before.width !== width || before.height !== height) return 'has another size';
  const count = pixelmatch(before.data, now.data, undefined, width, height, {
    threshold: MAX_COLOUR_DISTANCE,
  });
  const part = count / (width * height);
  return part <= MAX_DIFFERENT_SHARE ? null : `${(part * 100).toFixed(1)} % of it differ`;
}

const GREY_PNG_OPTIONS = { colorType: 0, inputColorType: 6 } as const;

/** Returns the picture with one grey pixel for each square of pixels. */
function toGreyPicture({ width, height, data }: PNG): PNG {
  const small = new PNG({
    width: Math.floor(width / PIXELS_PER_STORED_PIXEL),
    height: Math.floor(height / PIXELS_PER_STORED_PIXEL),
  });
  for (let y = 0; y < small.height; y += 1) {
    for (let x = 0; x < small.width; x += 1) {
      let sum = 0;
      for (
        let square = 0;
        square < PIXELS_PER_STORED_PIXEL * PIXELS_PER_STORED_PIXEL;
        square += 1
      ) {
        const row = y * PIXELS_PER_STORED_PIXEL + Math.floor(square / PIXELS_PER_STORED_PIXEL);
        const from =
          (row * width + x * PIXELS_PER_STORED_PIXEL + (square % PIXELS_PER_STORED_PIXEL)) * 4;
        sum += (data[from] ?? 0) + (data[from + 1] ?? 0) + (data[from + 2] ?? 0);
      }
      const to = (y * small.width + x) * 4;
      small.data.fill(
        Math.round(sum / (3 * PIXELS_PER_STORED_PIXEL * PIXELS_PER_STORED_PIXEL)),
        to,
        to + 3,
      );
      small.data[to + 3] = 255;
    }
  }
  return small;
}
