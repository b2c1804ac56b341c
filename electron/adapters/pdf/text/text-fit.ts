import { AppError, type TextFit } from '../../../../shared/errors.ts';
import type { Bounds, Layout } from './lay-out.ts';

/** What a text is too large for, in one place of a field: how much of it fits, and in what size. */
export interface Fit {
  /** The longest beginning that is seen whole. */
  readonly fits: string;
  /** Characters behind it. */
  readonly excess: number;
  /** Size in points where the form leaves it open, else null. */
  readonly openSize: number | null;
}

/** Points; smaller letters are hard to read on paper, so that a size which the form leaves open is told. */
const MIN_LEGIBLE_SIZE = 6;
/** Points that a letter may be over the edge; viewers differ by as much. */
const TOLERANCE = 0.5;

/** Whether all of a text is seen in its box; `isHigh` where it has several lines. */
export function isInside({ lines }: Layout, bounds: Bounds, isHigh: boolean): boolean {
  // What has no room is not meant to be seen.
  if (bounds.width <= 0 || bounds.height <= 0) return true;
  const [left, right] = [bounds.x - TOLERANCE, bounds.x + bounds.width + TOLERANCE];
  // One line stands in the middle; when it is out by half the height, half of its letters are cut.
  const bottom = bounds.y - (isHigh ? TOLERANCE : bounds.height / 2);
  return lines.every(({ x, y, width }) => x >= left && x + width <= right && y >= bottom);
}

/** The longest beginning of a text for which `isFitting` holds, cut between characters. */
export function longestBeginning(text: string, isFitting: (part: string) => boolean): string {
  const characters = charactersOf(text);
  let [low, high] = [0, characters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isFitting(characters.slice(0, middle).join(''))) low = middle;
    else high = middle - 1;
  }
  return characters.slice(0, low).join('').trimEnd();
}

export function excessOf(text: string, fits: string): number {
  return charactersOf(text).length - charactersOf(fits).length;
}

/** The digits of a birth date: behind them a personal number may go on, or be cut where nothing knows it. */
const BIRTH_DATE = /\d(?:\D?\d){5}/;

/** A text for a message, which ends up in logs, without digits that may be of a personal number. */
function withoutNumbers(text: string): string {
  return BIRTH_DATE.test(text) ? text.replaceAll(/\d/g, '•') : text;
}

/** What is said of a field; null where all of its text can be read. */
export function textFit(field: string, fits: readonly Fit[]): TextFit | null {
  const worst = fits.toSorted((a, b) => b.excess - a.excess)[0];
  if (worst === undefined) return null;
  if (worst.excess > 0) {
    const { excess, fits: part } = worst;
    const room = part === '' ? 'no part of it fits' : `this part fits: "${withoutNumbers(part)}"`;
    const message = `The text is too long for its box by ${String(excess)} characters; ${room}`;
    return { field, excess, fits: part, size: null, message };
  }
  const sizes = fits.map(({ openSize }) => openSize ?? MIN_LEGIBLE_SIZE);
  const size = Math.min(...sizes);
  if (size >= MIN_LEGIBLE_SIZE) return null;
  const message = `The text is drawn in ${String(size)} points to fit its box, smaller than the legible ${String(MIN_LEGIBLE_SIZE)} points`;
  return { field, excess: 0, fits: worst.fits, size, message };
}

/** Throws 'invalid' with every field named whose text would be cut off. */
export function rejectCutTexts(fits: readonly TextFit[]): void {
  const cut = fits.filter(({ excess }) => excess > 0);
  const [first] = cut;
  if (first === undefined) return;
  throw new AppError('invalid', `${first.field}: ${first.message}`, {
    reason: 'pdf-text-cut',
    fields: Object.fromEntries(cut.map(({ field, message }) => [field, message])),
    cutTexts: cut,
  });
}

const segments = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** As a person counts them. */
function charactersOf(text: string): readonly string[] {
  return [...segments.segment(text)].map(({ segment }) => segment);
}
