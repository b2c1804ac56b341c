import { numberPatterns } from './numbers-in-text.ts';
import { headOf } from './head-of-text.ts';

const HIDING_CHARACTER = '•';
const HIDDEN_LAST_CHARACTERS = 4;
/**
 * Maximum length of a masked number, more than twice that of any country's. A longer text is cut,
 * so that its end is not shown at all.
 */
const MAX_NUMBER_LENGTH = 64;

/**
 * Masks a personal number for the screen: hides its last four letters or digits, for any country
 * and any separators (`19900101-••••`, `100190-••••`).
 */
export function maskPersonNumber(number: string): string {
  const marks = [...headOf(number, MAX_NUMBER_LENGTH)];
  const last = marks.flatMap((mark, index) => (/[\p{L}\p{N}]/u.test(mark) ? [index] : []));
  const hide = new Set(last.slice(-HIDDEN_LAST_CHARACTERS));
  return marks.map((mark, index) => (hide.has(index) ? HIDING_CHARACTER : mark)).join('');
}

type RedactionRule = readonly [pattern: RegExp, replacement: string | ((match: string) => string)];

/** Personal numbers without a digit before or after, and outside of UUIDs. */
const PERSON_NUMBER_PATTERNS = numberPatterns({
  start: String.raw`(?<!\d)(?<![\da-fA-F]{4}-)`,
  stop: String.raw`(?![\dA-Za-z])(?!-[\da-fA-F]{4})`,
});

const REDACTION_RULES: readonly RedactionRule[] = [
  // Values with a secret name, in JSON, in headers and in assignments.
  [
    /((?:token|secret|password|passphrase|authorization|credential|access-?_?key|api-?_?key|account-?_?id)\\?["']?\s{0,9}[:=]\s{0,9})(?:(?:bearer|basic)\s{1,9})?\\?["']?[^\s"'\\,;&}]+/gi,
    '$1[secret]',
  ],
  [/\b(bearer|basic)\s{1,9}[\w.~+/=-]{8,}/gi, '$1 [secret]'],
  // User and query of an address: presigned links have their access right in the query.
  [/(\bhttps?:\/\/)[^\s/@"']{1,256}@/gi, '$1'],
  [/(\bhttps?:\/\/[^\s?#"'<>]{1,2048})[?#][^\s"'<>)]*/gi, '$1?[query]'],
  [
    /[\p{L}\p{N}._%+-]{1,64}(?:@|%40)[\p{L}\p{N}-]{1,64}(?:\.[\p{L}\p{N}-]{1,64}){1,9}/giu,
    '[email]',
  ],
  [/((?:\/|%2f)(?:home|users)(?:\/|%2f))[^/\s"':%]+/gi, '$1[home]'],
  [/((?:\\{1,2}|%5c)users(?:\\{1,2}|%5c))[^\\\s"':%]+/gi, '$1[home]'],
  ...PERSON_NUMBER_PATTERNS.map((pattern): RedactionRule => [pattern, '[person number]']),
  // International and national phone numbers; a time zone (+02:00) is too short to match.
  [/(?<![\w.])(?:\+|00)[1-9](?:[ \-()\u00a0]{0,2}\d){6,14}(?!\d)/g, '[phone]'],
  [/(?<![\w.:+-])0[1-9]\d{0,2}[ -]\d(?:[ -]?\d){4,8}(?![\w:-])/g, '[phone]'],
  [/(?<![\w+/-])[\w+/-]{32,}={0,2}/g, (text) => (looksRandom(text) ? '[secret]' : text)],
];

/** Maximum length of a logged or shown text; on more, a regular expression could take minutes. */
const MAX_REDACTED_LENGTH = 16_384;

/**
 * Removes credentials, personal numbers, addresses, phone numbers, the query of links and the
 * user's account name from a text for the log. Keeps times, UUIDs and counts. Only the first 16,384
 * UTF-16 units of a text are kept, as in `redactTruncated`.
 */
export function redact(text: string): string {
  return text.length <= MAX_REDACTED_LENGTH ? redactAll(text) : `${redactTruncated(text)}…`;
}

/** Redacts a text that was cut at its end, where half a number has no recognisable format. */
export const redactTruncated = (text: string): string =>
  redactAll(withoutPartialLastValue(headOf(text, MAX_REDACTED_LENGTH)));

function redactAll(text: string): string {
  return REDACTION_RULES.reduce(
    (kept, [pattern, replacement]) =>
      typeof replacement === 'string'
        ? kept.replace(pattern, replacement)
        : kept.replace(pattern, replacement),
    text,
  );
}

/** Maximum length of a value that may be cut: longer than any credential. */
const MAX_CUT_VALUE_LENGTH = 300;
const VALUE_END_PATTERN = /[\n<>"{}]/;

/**
 * Removes a value at the end that the cut may have split: everything after the last character that
 * ends values, at most `MAX_CUT_VALUE_LENGTH` characters.
 */
function withoutPartialLastValue(text: string): string {
  const least = Math.max(0, text.length - MAX_CUT_VALUE_LENGTH);
  let end = text.length;
  while (end > least && !VALUE_END_PATTERN.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/**
 * Six digits of a birth date, which every personal number has: a fast check that skips most texts
 * of a list.
 */
const BIRTH_DATE_PATTERN = /\d{6}/;

/** Removes only personal numbers, from texts of a user or service that a list shows. */
export function withoutPersonNumbers(text: string): string {
  const head = headOf(text, MAX_REDACTED_LENGTH);
  if (!BIRTH_DATE_PATTERN.test(head)) return head;
  return PERSON_NUMBER_PATTERNS.reduce(
    (kept, pattern) => kept.replace(pattern, maskPersonNumber),
    head,
  );
}

const LONG_HEX_PATTERN = /^[\da-f]{40,}$/i;

/** Whether a text is a key in hex or base64: it mixes digits and cases, unlike joined words. */
function looksRandom(text: string): boolean {
  return (
    LONG_HEX_PATTERN.test(text) || (/\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text))
  );
}
