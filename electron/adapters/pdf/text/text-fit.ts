import { AppError, type TextFit } from '../../../../shared/errors.ts';
import type { Bounds, Layout } from './lay-out.ts';

/** How much of a text fits one widget of a field, and in what size. */
export interface FittingPart {
  /** Longest beginning of the text that is completely visible. */
  readonly fits: string;
  /** Number of characters after the visible beginning. */
  readonly excess: number;
  /** Size in points if the form uses an automatic size, otherwise null. */
  readonly openSize: number | null;
}

/**
 * Minimum legible size in points: smaller text is hard to read on paper, so a smaller automatic
 * size is reported.
 */
const MIN_LEGIBLE_SIZE = 6;
/** Tolerance in points by which a character may exceed the edge; viewers differ by as much. */
const FIT_TOLERANCE = 0.5;

/** Whether the whole text is visible in its box; `isHigh` is set for text of several lines. */
export function isInside({ lines }: Layout, bounds: Bounds, isHigh: boolean): boolean {
  // A box without a size is not meant to be visible.
  if (bounds.width <= 0 || bounds.height <= 0) return true;
  const [left, right] = [bounds.x - FIT_TOLERANCE, bounds.x + bounds.width + FIT_TOLERANCE];
  // A single line is centred; if it exceeds the box by half the height, half of the characters are
  // cut.
  const bottom = bounds.y - (isHigh ? FIT_TOLERANCE : bounds.height / 2);
  return lines.every(({ x, y, width }) => x >= left && x + width <= right && y >= bottom);
}

/**
 * Returns the longest beginning of a text for which `isFitting` is true, cut between characters.
 */
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

export function excessCharacterCount(text: string, fits: string): number {
  return charactersOf(text).length - charactersOf(fits).length;
}

/**
 * Digits of a birth date: a personal number may continue after them, or be cut where it is not
 * recognized.
 */
const BIRTH_DATE = /\d(?:\D?\d){5}/;

/** Removes digits that may be of a personal number from a text for a message, which is logged. */
function withoutNumbers(text: string): string {
  return BIRTH_DATE.test(text) ? text.replaceAll(/\d/g, '•') : text;
}

/** Returns the message for a field; null if all of its text is readable. */
export function textFit(field: string, fits: readonly FittingPart[]): TextFit | null {
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

/** Throws 'invalid' with every field whose text would be cut off. */
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

const characterSegmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Splits a text into characters as a person counts them. */
function charactersOf(text: string): readonly string[] {
  return [...characterSegmenter.segment(text)].map(({ segment }) => segment);
}
