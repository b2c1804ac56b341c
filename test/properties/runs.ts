import fc from 'fast-check';
import { PROPERTY_RUNS, runLength } from '../support/run-length.ts';

/** Usual number of cases of each property; a long run sets another number. */
const USUAL = runLength({ whole: 1_000, all: 1_000, short: 300 });
/** Seed of usual runs. It is fixed, so that a failure is caused by a change of the code. */
const SEED = 20_261_122;
/** Maximum time of one case on a busy computer (ms). */
const MILLISECONDS = 1_000;

const runs = Number(process.env[PROPERTY_RUNS] ?? USUAL);
const seed = Number(process.env['PROPERTY_SEED'] ?? (runs === USUAL ? SEED : Date.now() % 2 ** 31));

/** Number of cases and their seed; a failure reports both, and the smallest failing case. */
export const settings = { numRuns: runs, seed } as const;

/** Timeout of property tests (ms), with additional time for their preparation. */
export const TIMEOUT_MS = 90_000 + runs * MILLISECONDS;

/**
 * Texts as users, spreadsheets and attackers write them: every script, symbols and lone surrogates.
 */
export const anyText = (maxLength = 60): fc.Arbitrary<string> =>
  fc.oneof(
    { arbitrary: fc.string({ unit: 'grapheme', maxLength }), weight: 3 },
    { arbitrary: fc.string({ unit: 'binary', maxLength }), weight: 1 },
    { arbitrary: fc.string({ unit: fc.constantFrom(...SIGNS), maxLength }), weight: 2 },
    { arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength }), weight: 1 },
  );

/** Characters that have a meaning in spreadsheets, paths, XML or forms. */
const SIGNS = [
  ...'"\';,\t|\n\r =+-@<>&/\\:*?%.~_{}[]()#!0123456789aZåÅß',
  ...['\u0000', '\u200b', '\u202e', '\u00a0', '\ufeff', 'e\u0301', 'ﬁ', 'İ', 'ı', '＝', '／'],
  ...['../', '_x000D_', 'CON', '.pdf', ']]>', '\r\n', '👨‍👩‍👧', '\u2028', '\u0085', '\ud83d'],
];

/** Returns the text with the character at index `at` replaced by `sign`. */
export const replaced = (text: string, at: number, sign: string): string =>
  text.slice(0, at) + sign + text.slice(at + 1);
