import { headOf } from '../text/head-of-text.ts';
import { trimCharacters } from '../text/trim-signs.ts';
import { utf8Length } from '../text/utf8.ts';
import { formatV2Time } from '../time/wire-time.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

const PDF_SUFFIX = '.pdf';
/** Maximum UTF-16 units of a name: Windows allows 260 for the whole path. */
const MAX_NAME_UNITS = 120;
/** Maximum bytes of a name: Linux and macOS allow 255, and `.part` and an ID must still fit. */
const MAX_NAME_BYTES = 180;
/** Scanned length: text after it never gets into a name, even if earlier characters are removed. */
const MAX_NAME_SCAN_LENGTH = 4096;
const MAX_ID_UNITS = 36;
const SHORT_ID_LENGTH = 8;
const UNNAMED_AGREEMENT = 'agreement';
const UNDATED_WORD = 'undated';

let cachedGraphemeSegmenter: Intl.Segmenter | null = null;

export interface NameTokens {
  readonly id: string;
  /** Value of `{id8}`; default: the result of `shortId`. */
  readonly shortId?: string;
  readonly title: string;
  readonly parties: readonly string[];
  readonly connection: string;
  /** Time when the agreement was closed (epoch ms); null if the service does not report it. */
  readonly closedAt: number | null;
  readonly tags?: Readonly<Record<string, string>>;
  /** Batch that sent the agreement: its name, the row number, and the value of its key column. */
  readonly batch?: { readonly name: string; readonly row: number; readonly key: string };
  /** Counter of the files in one folder, from 1. */
  readonly counter?: number;
}

export const NAME_TOKENS = [
  '{title}',
  '{id}',
  '{id8}',
  '{closed:yyyy-MM-dd}',
  '{party}',
  '{parties}',
  '{connection}',
  '{tag:key}',
  '{batch}',
  '{row}',
  '{key}',
  '{counter}',
] as const;

const TOKEN_NAMES: ReadonlySet<string> = new Set(
  NAME_TOKENS.map((token) => token.replaceAll(/^\{|:.*|\}$/g, '')),
);
const DAY_PARTS_PATTERN = /yyyy|MM|dd/g;
/** Tokens with a parameter: a date format, or the name of a tag. */
const TOKENS_WITH_PARAMETER: ReadonlySet<string> = new Set(['closed', 'tag']);

/** First unknown token of a pattern; null if all tokens are known. */
export function unknownToken(pattern: string): string | null {
  for (const [whole, inside = ''] of pattern.matchAll(/\{([^{}]*)\}/g)) {
    const [name = '', ...form] = inside.split(':');
    const isKnown = TOKEN_NAMES.has(name) && (form.length === 0 || TOKENS_WITH_PARAMETER.has(name));
    const isWhole = name !== 'tag' || (form[0] ?? '') !== '';
    // Without this check, an unknown letter such as in `YYYY` would be in every name unchanged.
    const isDay =
      name !== 'closed' || !/\p{L}/u.test(form.join(':').replaceAll(DAY_PARTS_PATTERN, ''));
    if (!isKnown || !isWhole || !isDay) return whole;
  }
  return null;
}

/** Number of digits of a counter: fixed, so that names sort in the order of their counters. */
const COUNTER_DIGITS = 5;
/** Maximum depth of folders within an archive; a file's name must still fit after them. */
const MAX_FOLDER_DEPTH = 6;
/** Maximum parts of a pattern, including empty ones. */
const MAX_PATTERN_PARTS = 60;

/**
 * Returns the name of an agreement's PDF: valid on Windows, macOS and Linux, never empty, and never
 * a path. Tokens: see `NAME_TOKENS`; other text is kept.
 *
 * @param taken names already in the folder, each through `foldName`; a duplicate gets the ID
 */
export function fileName(
  pattern: string,
  tokens: NameTokens,
  taken: { has(folded: string): boolean },
): string {
  const stem = nameStem(pattern, tokens);
  const id = truncateName(safeStem(tokens.id) || UNNAMED_AGREEMENT, MAX_ID_UNITS, MAX_ID_UNITS);
  const short = safeStem(tokens.shortId ?? shortId(tokens.id)) || id;
  const marks = ['', ` [${short}]`, ` [${id}]`];
  for (const mark of marks) {
    if (!taken.has(foldName(stem + mark + PDF_SUFFIX))) return stem + mark + PDF_SUFFIX;
  }
  let copy = 2;
  while (taken.has(foldName(`${stem} [${id}] ${copy}${PDF_SUFFIX}`))) copy += 1;
  return `${stem} [${id}] ${copy}${PDF_SUFFIX}`;
}

/**
 * Eight characters of an ID that distinguish agreements. References of API v2 are consecutive
 * numbers, which differ at the end. For a UUID, the first characters are sufficient.
 */
function shortId(id: string): string {
  return /^\d+$/.test(id) ? id.slice(-SHORT_ID_LENGTH) : id.slice(0, SHORT_ID_LENGTH);
}

/**
 * Tokens with `{id8}` as in earlier versions, where it was the first characters of every ID. They
 * let older files keep their names. Null if the tokens are the same in both versions.
 */
export function tokensWithOldId(tokens: NameTokens): NameTokens | null {
  const former = tokens.id.slice(0, SHORT_ID_LENGTH);
  return former === shortId(tokens.id) ? null : { ...tokens, shortId: former };
}

/** Name without its extension, before anything is added to make it unique. */
export function nameStem(pattern: string, tokens: NameTokens): string {
  return (
    safeStem(fillNamePattern(withoutSuffix(headOf(pattern, MAX_NAME_SCAN_LENGTH)), tokens)) ||
    safeStem(tokens.id) ||
    UNNAMED_AGREEMENT
  );
}

/** Folders of a pattern such as `{connection}/{closed:yyyy}`, outermost first; none is a path. */
export function folderNames(pattern: string, tokens: NameTokens): readonly string[] {
  return headOf(pattern, MAX_NAME_SCAN_LENGTH)
    .split('/', MAX_PATTERN_PARTS)
    .map((part) => safeStem(fillNamePattern(part, tokens)))
    .filter((name) => name !== '')
    .slice(0, MAX_FOLDER_DEPTH);
}

/** Removes `.pdf` from the end of a pattern, so that the file's name has it only once. */
function withoutSuffix(pattern: string): string {
  return pattern.toLowerCase().endsWith(PDF_SUFFIX)
    ? pattern.slice(0, -PDF_SUFFIX.length)
    : pattern;
}

/**
 * Form for comparing names, as on the most tolerant file system: ignores case and Unicode
 * composition, `ß` equals `ss` and the dotless `ı` equals `i`.
 */
export function foldName(name: string): string {
  return name
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFKC')
    .replaceAll('i\u0307', 'i');
}

function fillNamePattern(pattern: string, tokens: NameTokens): string {
  const { id, title, parties, connection, closedAt, tags, batch, counter } = tokens;
  const values: Readonly<Record<string, string>> = {
    id,
    id8: tokens.shortId ?? shortId(id),
    title,
    connection,
    party: parties[0] ?? '',
    parties: parties.join(', '),
    batch: batch?.name ?? '',
    row: batch === undefined ? '' : String(batch.row),
    key: batch?.key ?? '',
    counter: counter === undefined ? '' : String(counter).padStart(COUNTER_DIGITS, '0'),
  };
  return pattern.replaceAll(/\{(\w+)(?::([^{}]*))?\}/g, (whole, name: string, format?: string) => {
    if (name === 'tag') return (format !== undefined && tags?.[format]) || '';
    if (name === 'closed') return formatDayToken(closedAt, format ?? 'yyyy-MM-dd');
    return Object.hasOwn(values, name) ? (values[name] ?? whole) : whole;
  });
}

/** Formats an instant as a day in Sweden, as on the service. */
function formatDayToken(instant: number | null, format: string): string {
  if (instant === null) return UNDATED_WORD;
  const [year = '', month = '', date = ''] = formatV2Time(instant).split(/[- ]/);
  return format.replaceAll('yyyy', year).replaceAll('MM', month).replaceAll('dd', date);
}

/** Characters that hide the real name: they are invisible, join, or change the direction. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]/gu;
const WHITESPACE_RUNS = /[\s\p{Z}]+/gu;
/**
 * Separators and wildcards of any system, characters that look like them, and the percent sign:
 * programs differ on whether it is an escape in the manifest of a bag (RFC 8493, 2.1.3).
 */
const FORBIDDEN_CHARACTERS =
  /[%<>:"/\\|?*＜＞：＂／＼｜？＊\u2044\u2215\u29f5\u29f8\u29f9\ua789]/gu;
const UNWANTED_FIRST_CHARACTERS = /[\s.~-]/;
const UNWANTED_LAST_CHARACTERS = /[\s.]/;
/** Names of Windows devices, which are reserved even with an extension. */
const DEVICE_NAME_PATTERN =
  /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?=$|[\s.])/iu;

/**
 * Converts a text to the part of a file name before its extension; empty if no character is valid.
 */
export function safeStem(text: string): string {
  const clean = headOf(text, MAX_NAME_SCAN_LENGTH)
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFC')
    .replaceAll(WHITESPACE_RUNS, ' ')
    .replaceAll(INVISIBLE_CHARACTERS, '')
    .replaceAll(FORBIDDEN_CHARACTERS, '_');
  const plain = withoutEdges(clean);
  const stem = DEVICE_NAME_PATTERN.test(plain) ? `_${plain}` : plain;
  return withoutEdges(truncateName(stem, MAX_NAME_UNITS, MAX_NAME_BYTES));
}

const withoutEdges = (text: string): string =>
  trimCharacters(text, { first: UNWANTED_FIRST_CHARACTERS, last: UNWANTED_LAST_CHARACTERS });

/** Shortens a text to both limits, but never cuts a grapheme. */
function truncateName(text: string, maxUnits: number, maxBytes: number): string {
  // The segmenter is created for the first file name, because most runs of the program write no
  // file.
  cachedGraphemeSegmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  let kept = '';
  let bytes = 0;
  for (const { segment } of cachedGraphemeSegmenter.segment(text)) {
    bytes += utf8Length(segment);
    if (kept.length + segment.length > maxUnits || bytes > maxBytes) break;
    kept += segment;
  }
  return kept;
}
