import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The drawings, and the pictures made from them, as repository paths. */
export const drawings = {
  mark: 'renderer/ui/mark/mark.svg',
  tray: 'build/icons/tray.svg',
} as const;
/** Sizes in pixels for which an icon theme on Linux has folders. */
export const LINUX_SIZES = [16, 24, 32, 48, 64, 128, 256, 512];
export const linuxPicture = (size: number): string => `build/icons/linux/${size}x${size}.png`;
export const pictures = {
  ico: 'build/icons/icon.ico',
  icns: 'build/icons/icon.icns',
  tray: 'build/icons/tray.png',
} as const;

/** File with the hashes of the drawings and of their pictures, in the form of `sha256sum`. */
export const DRAWN_FILE = 'build/icons/drawn.txt';
/** Module with the pictures that the program needs without a path, in Base64. */
export const ICON_MODULE = 'electron/hosts/electron/icon.ts';
/** Pictures in `ICON_MODULE`, by the name of their constant. */
export const modulePictures = {
  ICON: linuxPicture(32),
  WINDOW_ICON: linuxPicture(128),
  TRAY_ICON: pictures.tray,
} as const;

const listedFiles: readonly string[] = [
  ...Object.values(drawings),
  ...Object.values(pictures),
  ...LINUX_SIZES.map(linuxPicture),
];

/** Returns the content of `DRAWN_FILE` for the files as they are now. */
export async function drawnList(root: string): Promise<string> {
  const lines = listedFiles.map(
    async (file) => `${await hashOf(path.join(root, file))}  ${file}\n`,
  );
  return (await Promise.all(lines)).join('');
}

/** Returns the drawings and pictures that changed since the pictures were drawn. */
export async function iconProblems(root: string): Promise<readonly string[]> {
  const drawn = await readFile(path.join(root, DRAWN_FILE), 'utf8').catch(() => '');
  const now = await drawnList(root);
  const changed = now.split('\n').filter((line) => line !== '' && !drawn.includes(`${line}\n`));
  const problems = changed.map((line) => `${line.slice(line.indexOf(' ')).trim()} has changed`);
  const module = await readFile(path.join(root, ICON_MODULE), 'utf8').catch(() => '');
  for (const file of Object.values(modulePictures)) {
    const picture = await readFile(path.join(root, file)).catch(() => null);
    if (picture !== null && !module.includes(picture.toString('base64'))) {
      problems.push(`${ICON_MODULE} lacks ${file}`);
    }
  }
  return problems.map(
    (problem) => `${DRAWN_FILE}: ${problem} since the icons were drawn: run build/icons/draw.ts`,
  );
}

async function hashOf(file: string): Promise<string> {
  const data = await readFile(file).catch(() => null);
  return data === null ? 'missing' : createHash('sha256').update(data).digest('hex');
}
