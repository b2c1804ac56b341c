import type { Json } from '../evidence/canonical-json.ts';
import { looseNumberPatterns, numberPatterns } from '../text/numbers-in-text.ts';
import { hasLuhnDigit } from '../identifiers/identity-sweden.ts';
import { MARKUP_PATTERN, withoutMarkup } from '../text/marks.ts';
import { scatteredNumbers } from './scattered-numbers.ts';
import { EXCESS_COMBINING_MARKS, withoutExcessMarks } from '../text/long-marks.ts';

/*
 * Finds every possible personal number in data. All data for people who may not see personal
 * numbers is checked in this file: shared items, handovers, texts for every user of an office.
 */

/** Keys whose value is always a personal number: API v1 "personNumber", API v2 "personNo". */
const NUMBER_KEYS: ReadonlySet<string> = new Set(['personNumber', 'personNo']);
/**
 * Key whose value is a personal number for EID, and a mobile number for other methods (API v1,
 * "Signing configuration").
 */
const IDENTIFIER_KEY = 'identifier';
/**
 * Key of a hash of the parties' numbers, see `partiesHash`: anyone who knows the other data can try
 * each number.
 */
const PARTIES_HASH_KEY = 'parties';
/** Step of a path that means every item of a list. */
export const EACH_ITEM = '*';

const NUMBER_BOUNDS = { start: String.raw`(?<!\d)`, stop: String.raw`(?!\d)` };
const LOOSE_NUMBER_PATTERNS = [
  ...numberPatterns(NUMBER_BOUNDS),
  ...looseNumberPatterns(NUMBER_BOUNDS),
];
/** UUID or hash in hexadecimal, whose digits are not a personal number. */
const UUID_OR_HASH_PATTERN =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?<![\da-z])[\da-f]{32,}(?![\da-z])/giu;
/**
 * Phone number with a plus sign, which is not a personal number. A number that starts with 07 and
 * has a wrong check digit is a mobile number, too.
 */
const PHONE_WITH_PLUS_PATTERN = /^\+\d[\d ()-]{6,20}$/u;
/** Too many digits for a phone number of Sweden, Norway, Denmark or North America. */
const TOO_LONG_PHONE_PATTERN = /^\+(?:46\d{10}|4[57]\d{9}|1\d{11})/u;
/** Plus sign, date, dash and four digits, which is not a format of phone numbers. */
const NUMBER_AFTER_PLUS = /^\+\d{6}-\d{4}$/u;
const SWEDISH_MOBILE_PATTERN = /^07\d{8}$/u;
const SIX_DIGITS_PATTERN = /(?:\p{Nd}\P{Nd}*){6}/u;
const INVISIBLE_PATTERN = /[\u200B-\u200F\u2060-\u2069\u202A-\u202E\uFEFF\u00AD]/gu;
/**
 * Digits of other scripts. In Unicode, the ten digits of a script are in order, with a gap before
 * the next script.
 */
const OTHER_SCRIPT_DIGITS_PATTERN = /[^\P{Nd}0-9]/gu;
const DASH_VARIANTS_PATTERN = /%2D|[\u2010-\u2015\u2212\uFE58\uFE63\uFF0D]/giu;
/** Length of the parts of a scanned text; only base64 files and pages of text are longer. */
const SCAN_CHUNK_LENGTH = 65_536;

/**
 * Full paths of texts from a service or this program, whose digits are not personal numbers. A name
 * alone is never excluded, because users choose the names of tags, placeholders and columns.
 */
export type NumberFreePaths = readonly (readonly string[])[];

/** Whether the content has a certain or possible personal number, or a hash of numbers. */
export function containsPersonNumber(
  content: Json | undefined,
  given: NumberFreePaths = [],
): boolean {
  if (content === undefined || content === null || typeof content === 'boolean') return false;
  if (typeof content === 'string') return !isNumberFreePath(given) && isNumberIn(content);
  if (typeof content === 'number') return Number.isInteger(content) && isNumberIn(String(content));
  if (isList(content))
    return content.some((one) => containsPersonNumber(one, pathsBelow(given, EACH_ITEM)));
  return Object.entries(content).some(
    ([name, value]) =>
      isNumberIn(name) || isNumberAt(content, name, value, pathsBelow(given, name)),
  );
}

/** Returns the content with dots instead of numbers, and without hashes. */
export function withMaskedNumbers(content: Json, given: NumberFreePaths = []): Json {
  if (!containsPersonNumber(content, given)) return content;
  if (typeof content === 'string') return maskNumbersIn(content);
  if (typeof content === 'number') return 0;
  if (typeof content !== 'object' || content === null) return content;
  if (isList(content))
    return content.map((one) => withMaskedNumbers(one, pathsBelow(given, EACH_ITEM)));
  return Object.fromEntries(
    Object.entries(content).map(([name, value]): [string, Json | undefined] => {
      const inside = pathsBelow(given, name);
      if (value === undefined || !isNumberAt(content, name, value, inside)) {
        return [maskNumbersIn(name), value];
      }
      if (name === PARTIES_HASH_KEY && typeof value === 'string') return [name, null];
      const isWhole = NUMBER_KEYS.has(name) || name === IDENTIFIER_KEY;
      return [
        maskNumbersIn(name),
        isWhole ? maskAllValues(value) : withMaskedNumbers(value, inside),
      ];
    }),
  );
}

const isNumberFreePath = (given: NumberFreePaths): boolean =>
  given.some((path) => path.length === 0);

const pathsBelow = (given: NumberFreePaths, name: string): NumberFreePaths =>
  given.flatMap(([first, ...rest]) => (first === name ? [rest] : []));

/** Whether a text has the dots that `withMaskedNumbers` writes. */
export const isMaskedText = (text: string): boolean => text.includes(MASK_CHARACTER.repeat(4));

const MASK_CHARACTER = '•';

function isNumberAt(
  owner: JsonRecord,
  name: string,
  value: Json | undefined,
  given: NumberFreePaths,
): boolean {
  if (value === undefined || value === null || value === '') return false;
  const isWhole = NUMBER_KEYS.has(name) || (name === IDENTIFIER_KEY && owner['type'] === 'EID');
  if (isWhole && hasLettersOrDigits(value)) return true;
  if (name === PARTIES_HASH_KEY && typeof value === 'string' && hasLettersOrDigits(value))
    return true;
  return containsPersonNumber(value, given);
}

/** Returns the text as shown, and as a browser shows it if it may be HTML or an encoded address. */
function readingsOfText(text: string): readonly string[] {
  const read = normalizeShownText(text);
  return MARKUP_PATTERN.test(text) ? [read, normalizeShownText(withoutMarkup(text))] : [read];
}

/**
 * Returns the text as shown: without invisible characters, and with ASCII dashes and digits.
 */
const normalizeShownText = (text: string): string =>
  text
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .replaceAll(INVISIBLE_PATTERN, '')
    .replaceAll(OTHER_SCRIPT_DIGITS_PATTERN, toAsciiDigit)
    .replaceAll(DASH_VARIANTS_PATTERN, '-')
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/ ?- ?/gu, '-');

function isNumberIn(given: string): boolean {
  const text = withoutExcessMarks(given);
  if (!SIX_DIGITS_PATTERN.test(text.normalize('NFKC'))) return false;
  for (let from = 0; from < text.length; from += SCAN_CHUNK_LENGTH - SCAN_CHUNK_OVERLAP) {
    if (readingsOfText(text.slice(from, from + SCAN_CHUNK_LENGTH)).some(isNumberInChunk))
      return true;
  }
  return false;
}

/** Overlap of two parts: a number that is cut at the end of a part is whole in the next part. */
const SCAN_CHUNK_OVERLAP = 64;

function isNumberInChunk(text: string): boolean {
  if (isPhoneNumber(text.trim())) return false;
  const searched = text.replaceAll(UUID_OR_HASH_PATTERN, ' ');
  return (
    LOOSE_NUMBER_PATTERNS.some((pattern) => searched.match(pattern)?.some(isNumber) ?? false) ||
    scatteredNumbers(searched).length > 0
  );
}

function toAsciiDigit(digit: string): string {
  let value = 0;
  const place = digit.codePointAt(0) ?? 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(place - value - 1))) value += 1;
  return String(value % 10);
}

function isPhoneNumber(text: string): boolean {
  const digits = text.replace('(0)', '').replaceAll(/[ ()-]/gu, '');
  return (
    PHONE_WITH_PLUS_PATTERN.test(text) &&
    !NUMBER_AFTER_PLUS.test(text) &&
    !TOO_LONG_PHONE_PATTERN.test(digits)
  );
}

const isNumber = (match: string): boolean =>
  !SWEDISH_MOBILE_PATTERN.test(match) || hasLuhnDigit(match);

function maskNumbersIn(text: string): string {
  if (!isNumberIn(text)) return text;
  for (const reading of [normalizeShownText(text), normalizeShownText(withoutMarkup(text))]) {
    const kept = replaceWithDots(reading);
    if (!isNumberIn(kept)) return kept;
  }
  return maskAllText(text);
}

function replaceWithDots(text: string): string {
  const dottedOnes = LOOSE_NUMBER_PATTERNS.reduce(
    (kept, pattern) => kept.replaceAll(pattern, maskAllText),
    text,
  );
  return scatteredNumbers(dottedOnes).reduce(
    (kept, [start, end]) =>
      kept.slice(0, start) + MASK_CHARACTER.repeat(end - start) + kept.slice(end),
    dottedOnes,
  );
}

const maskAllText = (text: string): string => text.replaceAll(/[\p{L}\p{N}]/gu, MASK_CHARACTER);

function maskAllValues(value: Json): Json {
  if (typeof value === 'string') return maskAllText(value);
  if (typeof value !== 'object' || value === null) return withMaskedNumbers(value);
  if (isList(value)) return value.map(maskAllValues);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      maskNumbersIn(name),
      one === undefined ? one : maskAllValues(one),
    ]),
  );
}

/** Whether a value that is always masked still has any letters or digits. */
function hasLettersOrDigits(value: Json): boolean {
  if (typeof value === 'string') return /[\p{L}\p{N}]/u.test(value);
  if (typeof value !== 'object' || value === null) return containsPersonNumber(value);
  return Object.values(value).some((one) => one !== undefined && hasLettersOrDigits(one));
}

type JsonRecord = { readonly [name: string]: Json | undefined };

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
