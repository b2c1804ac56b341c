import { type PDFAcroTerminal, PDFDict, PDFName, type PDFObject } from 'pdf-lib';
import type { Calculation, FormCheck, FormFormat } from '../../../shared/model/form-scripts.ts';
import { decodeHeldText } from './held-text.ts';

/*
 * Parses the scripts of a form without running them: a script that is a single call of a known
 * Acrobat function, with plain values, defines what to do. All other scripts count as unknown.
 */

const ACTIONS = PDFName.of('AA');
const SCRIPT = PDFName.of('JS');
const KIND = PDFName.of('S');
const NEXT = PDFName.of('Next');

/**
 * Entries of `AA` (PDF 1.7, table 196): before a value is displayed, and when another field
 * changes.
 */
const FORMAT = PDFName.of('F');
const CALCULATE = PDFName.of('C');
/** Entries of `AA`: after a value was entered, and at each key press. */
const VALIDATE = PDFName.of('V');
const KEYSTROKE_ACTION = PDFName.of('K');

/** Maximum bytes of a script, compressed or not; a longer one is not a simple call. */
const MAX_SCRIPT = 20_000;
/** Maximum length of a currency or a pattern. */
const MAX_CURRENCY_LENGTH = 20;
/** Maximum digits after the decimal mark. */
const MAX_PLACES = 10;
const MAX_OPERANDS = 500;

/** Formats of `AFDate_Format`, by number, without the last two, which have times. */
const DAY_PATTERNS = [
  ...['m/d', 'm/d/yy', 'mm/dd/yy', 'mm/yy', 'd-mmm', 'd-mmm-yy', 'dd-mmm-yy'],
  ...['yy-mm-dd', 'mmm-yy', 'mmmm-yy', 'mmm d, yyyy', 'mmmm d, yyyy'],
];
const DAY_PART = /^(?:d{1,2}|m{1,4}|yyyy|yy)$/;
const DAY_SIGNS = /^[dmy .,/-]+$/;

/** Separators of `AFNumber_Format`, by number. */
const SEPARATOR_STYLES = [
  { group: ',', point: '.' },
  { group: '', point: '.' },
  { group: '.', point: ',' },
  { group: '', point: ',' },
  { group: "'", point: '.' },
] as const;
const NEGATIVE_STYLES = ['minus', 'colour', 'parentheses', 'parentheses'] as const;
const CALCULATION_FUNCTIONS = ['SUM', 'PRD', 'AVG', 'MIN', 'MAX'] as const;

const OTHER_FORMAT: FormFormat = { kind: 'other' };
const OTHER_CHECK: FormCheck = { kind: 'other' };

/** A quoted string in a script. */
const STRING_LITERAL = String.raw`"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'`;
const NUMBER_CALL = callPattern('AFNumber_Format', [
  ...[String.raw`(\d{1,2})`, String.raw`(\d)`, String.raw`(\d)`, String.raw`\d`],
  ...[`(${STRING_LITERAL})`, '(true|false|0|1)'],
]);
const DAY_CALL = callPattern('AFDate_Format', [String.raw`(\d{1,2})`]);
const PATTERN_CALL = callPattern('AFDate_FormatEx', [`(${STRING_LITERAL})`]);
const CALCULATE_CALL = callPattern('AFSimple_Calculate', [
  `(${STRING_LITERAL})`,
  String.raw`(?:(${STRING_LITERAL})|new\s+Array\s*\(([^()]*)\)|\[([^[\]]*)\])`,
]);
const LIMIT = String.raw`"?(-?\d{1,15}(?:\.\d{1,10})?)"?`;
const RANGE_CALL = callPattern('AFRange_Validate', ['(true|false)', LIMIT, '(true|false)', LIMIT]);
/** Key filters that accept only the keys that the format of the same kind needs. */
const FORMAT_KEYSTROKE_CALL = /^AF(?:Number|Date|Time|Percent)_Keystroke(?:Ex)?\s*\([^()]*\)$/;
const LISTED_STRING = new RegExp(String.raw`(${STRING_LITERAL})(\s*,\s*)?`, 'y');
const ESCAPE = /\\(?:u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(["'/]))/g;

function callPattern(name: string, values: readonly string[]): RegExp {
  const between = String.raw`\s*,\s*`;
  return new RegExp(String.raw`^${name}\s*\(\s*${values.join(between)}\s*\)$`);
}

/** Returns the format that a script gives the field's text; undefined if there is no script. */
export function formatOf(field: PDFAcroTerminal): FormFormat | undefined {
  const script = scriptOf(field, FORMAT);
  if (script === undefined) return undefined;
  return script === null
    ? OTHER_FORMAT
    : (numberFormat(script) ?? dayFormat(script) ?? OTHER_FORMAT);
}

/** Returns how a script checks or changes typed text; undefined if there is no script. */
export function checkOf(field: PDFAcroTerminal): FormCheck | undefined {
  const keys = scriptOf(field, KEYSTROKE_ACTION);
  const script = scriptOf(field, VALIDATE);
  if (keys !== undefined && !FORMAT_KEYSTROKE_CALL.test(keys ?? '')) return OTHER_CHECK;
  if (script === undefined) return undefined;
  const [whole, hasLeast, least = '', hasMost, most = ''] = RANGE_CALL.exec(script ?? '') ?? [];
  if (whole === undefined) return OTHER_CHECK;
  return {
    kind: 'range',
    least: hasLeast === 'true' ? least : null,
    most: hasMost === 'true' ? most : null,
  };
}

export function hasCalculation(field: PDFAcroTerminal): boolean {
  return actionOf(field, CALCULATE) !== undefined;
}

/** Returns how a script calculates the field; undefined if the script is not one simple call. */
export function calculationOf(field: PDFAcroTerminal, order: number): Calculation | undefined {
  const found = CALCULATE_CALL.exec(scriptOf(field, CALCULATE) ?? '');
  if (found === null) return undefined;
  const [, word = '', text, ...lists] = found;
  const given = plainText(word);
  const how = CALCULATION_FUNCTIONS.find((one) => one === given);
  const list = lists.find((one) => one !== undefined) ?? '';
  const names = text === undefined ? textsIn(list) : plainText(text)?.split(',');
  const of = names?.map((name) => name.trim()) ?? [];
  const isWhole = of.length > 0 && of.length <= MAX_OPERANDS && !of.includes('');
  return how !== undefined && isWhole ? { how, of, order } : undefined;
}

function numberFormat(script: string): FormFormat | null {
  const found = NUMBER_CALL.exec(script);
  if (found === null) return null;
  const [, places = '', separators = '', negatives = '', text = '', isFirst = ''] = found;
  const marks = SEPARATOR_STYLES[Number(separators)];
  const negative = NEGATIVE_STYLES[Number(negatives)];
  const currency = plainText(text);
  if (marks === undefined || negative === undefined || Number(places) > MAX_PLACES) return null;
  if (currency === null || !isCurrency(currency)) return null;
  const isBefore = isFirst === 'true' || isFirst === '1';
  const [before, after] = isBefore ? [currency, ''] : ['', currency];
  return { kind: 'number', places: Number(places), ...marks, negative, before, after };
}

/**
 * Whether a text can be a currency. If a currency had digits or a sign, the amount could not be
 * distinguished from it.
 */
const isCurrency = (text: string): boolean =>
  text.length <= MAX_CURRENCY_LENGTH && !/[\d()\-\u2212\u2013\p{Cc}]|^[.,']+$/u.test(text);

function dayFormat(script: string): FormFormat | null {
  const [, number] = DAY_CALL.exec(script) ?? [];
  const [, text] = PATTERN_CALL.exec(script) ?? [];
  const listed = number === undefined ? undefined : DAY_PATTERNS[Number(number)];
  const pattern = text === undefined ? listed : plainText(text);
  if (typeof pattern !== 'string' || pattern.length > MAX_CURRENCY_LENGTH) return null;
  const parts = pattern.match(/d+|m+|y+/g) ?? [];
  const isKnown = parts.length > 0 && parts.every((part) => DAY_PART.test(part));
  const isOnce = new Set(parts.map(([letter]) => letter)).size === parts.length;
  return isKnown && isOnce && DAY_SIGNS.test(pattern) ? { kind: 'day', pattern } : null;
}

/** Returns the action of a field, or of one of its widgets, where some programs write it. */
function actionOf(field: PDFAcroTerminal, key: PDFName): PDFObject | undefined {
  const holders = [field.dict, ...field.getWidgets().map(({ dict }) => dict)];
  for (const holder of holders) {
    const actions = holder.lookup(ACTIONS);
    const action = actions instanceof PDFDict ? actions.lookup(key) : undefined;
    if (action !== undefined) return action;
  }
  return undefined;
}

/**
 * Returns a script; undefined if there is none, null if there is another action, or more than one.
 */
function scriptOf(field: PDFAcroTerminal, key: PDFName): string | null | undefined {
  const action = actionOf(field, key);
  if (action === undefined) return undefined;
  const isScript = action instanceof PDFDict && action.lookup(KIND) === PDFName.of('JavaScript');
  if (!isScript || action.has(NEXT)) return null;
  const text = decodeHeldText(action.lookup(SCRIPT), MAX_SCRIPT);
  if (text === null || text.length > MAX_SCRIPT) return null;
  return text.trim() === '' ? undefined : withoutStatementEnd(text);
}

/** Removes the spaces and semicolons around the only call. */
function withoutStatementEnd(script: string): string {
  let end = script.length;
  while (end > 0 && /[\s;]/.test(script[end - 1] ?? '')) end -= 1;
  return script.slice(0, end).trim();
}

/** Returns the strings of a list; null if it contains anything else. */
function textsIn(list: string): readonly string[] | null {
  const held = list.trim();
  const texts: string[] = [];
  for (LISTED_STRING.lastIndex = 0; LISTED_STRING.lastIndex < held.length;) {
    const start = LISTED_STRING.lastIndex;
    const [whole, text = '', comma] = LISTED_STRING.exec(held) ?? [];
    const plain = text === '' ? null : plainText(text);
    const isLast = start + (whole?.length ?? 0) === held.length;
    // A comma must be between two strings, and nowhere else.
    if (plain === null || (comma === undefined) !== isLast) return null;
    texts.push(plain);
  }
  return texts;
}

/**
 * Returns a string without its quotes and escapes; null if it has escapes that scripts of forms do
 * not use.
 */
function plainText(quoted: string): string | null {
  const plain = quoted
    .slice(1, -1)
    .replaceAll(
      ESCAPE,
      (_, wide?: string, byte?: string, sign?: string) =>
        sign ?? String.fromCodePoint(Number.parseInt(wide ?? byte ?? '', 16)),
    );
  return plain.includes('\\') ? null : plain;
}
