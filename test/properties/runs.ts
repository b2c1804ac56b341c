import fc from 'fast-check';
import { PROPERTY_RUNS, runLength } from '../support/run-length.ts';

/** Cases of one property; a long run sets another number. */
const USUAL = runLength({ whole: 1_000, all: 1_000, short: 300 });
/** The same cases in every usual run, so that a change is to blame for a failure. */
const SEED = 20_261_122;
/** What one case may take of a test's time, on a busy machine. */
const MILLISECONDS = 1_000;

const runs = Number(process.env[PROPERTY_RUNS] ?? USUAL);
const seed = Number(process.env['PROPERTY_SEED'] ?? (runs === USUAL ? SEED : Date.now() % 2 ** 31));

/** How many cases, and of which seed; a failure names both, and the smallest case that fails. */
export const settings = { numRuns: runs, seed } as const;

/** For tests of properties that take more than their cases of time. */
export const TIMEOUT_MS = 90_000 + runs * MILLISECONDS;

/** Texts of people, sheets and attackers: letters of every script, signs, halves of letters. */
export const anyText = (maxLength = 60): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ unit: 'grapheme', maxLength }), weight: 3 },
    { arbitrary: fc.string({ unit: 'binary', maxLength }), weight: 1 },
    { arbitrary: fc.string({ unit: fc.constantFrom(...SIGNS), maxLength }), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength }), weight: 1 },
  );

/** What sheets, paths, XML and forms give a meaning. */
const SIGNS = [
  ...'"\';,\t|\n\r =+-@<>&/\\:*?%.~_{}[]()#!0123456789aZåÅß',
  ...['\u0000', '\u200b', '\u202e', '\u00a0', '\ufeff', 'e\u0301', 'ﬁ', 'İ', 'ı', '＝', '／'],
  ...['../', '_x000D_', 'CON', '.pdf', ']]>', '\r\n', '👨‍👩‍👧', '\u2028', '\u0085', '\ud83d'],
];

/** A whole text with one sign of it replaced by another. */
export const replaced = (text: string, at: number, sign: string): string =>
  text.slice(0, at) + sign + text.slice(at + 1);
