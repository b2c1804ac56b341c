import { readFileSync, writeFileSync } from 'node:fs';

/** Rectangle in the coordinates of the whole desktop, in device-independent pixels. */
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Minimum visible part of a window: a smaller part cannot be found or dragged back. */
const MIN_VISIBLE_PIXELS = 64;

/** Reads the window's last position from `file`; `undefined` if it is not known. */
export function readPlace(file: string): Place | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isPlace(value) ? value : undefined;
  } catch {
    // The file is missing at the first start. If it is broken or unreadable, the window is centred.
    return undefined;
  }
}

export function writeWindowPlace(file: string, { x, y, width, height }: Place): void {
  try {
    writeFileSync(file, JSON.stringify({ x, y, width, height }));
  } catch {
    // A full or read-only disk must not keep the window from closing.
  }
}

/** Whether enough of `place` is on one of `screens` to be seen and dragged. */
export function isVisible(place: Place, screens: readonly Place[]): boolean {
  return screens.some(
    (screen) =>
      overlapLength(place.x, place.width, screen.x, screen.width) >= MIN_VISIBLE_PIXELS &&
      overlapLength(place.y, place.height, screen.y, screen.height) >= MIN_VISIBLE_PIXELS,
  );
}

function overlapLength(
  start: number,
  length: number,
  otherStart: number,
  otherLength: number,
): number {
  return Math.min(start + length, otherStart + otherLength) - Math.max(start, otherStart);
}

function isPlace(value: unknown): value is Place {
  if (typeof value !== 'object' || value === null) return false;
  const sides = new Map<string, unknown>(Object.entries(value));
  return ['x', 'y', 'width', 'height'].every((side) => Number.isSafeInteger(sides.get(side)));
}
