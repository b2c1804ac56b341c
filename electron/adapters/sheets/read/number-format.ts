import { format, getFormatDateInfo, getFormatFromId, getFormatInfo } from 'numfmt';

/** Number format of a style, as far as it affects what is sent. */
export interface NumberFormat {
  readonly kind: 'general' | 'number' | 'date' | 'time' | 'unknown';
  /** Format code as in ECMA-376 part 1, 18.8.31. */
  readonly code: string;
  /** For a date: whether the time of day, its seconds and the day are displayed. */
  readonly shows: { readonly time: boolean; readonly seconds: boolean; readonly day: boolean };
  /**
   * For a date: whether it is displayed as the computer's short date, which is ISO 8601 in Sweden.
   */
  readonly isOfSystem: boolean;
  /** Whether texts are displayed unchanged. */
  readonly keepsText: boolean;
}

/** Date formats that depend on the computer: 14 and 22, and the codes for them. */
const SYSTEM_DATE_FORMATS = [14, 22];
/**
 * Highest number of a built-in format (ECMA-376 part 1, 18.8.30); a higher number needs a format in
 * the file.
 */
const LAST_BUILT_IN = 81;
const SYSTEM_CODE = /^\[\$-(?:x-sysdate|F800)\]/i;
const SAMPLE_TEXT = 'Text';
const SHOWS_NOTHING = { time: false, seconds: false, day: false };
const GENERAL: NumberFormat = {
  kind: 'general',
  code: 'General',
  shows: SHOWS_NOTHING,
  isOfSystem: false,
  keepsText: true,
};

/** Returns the number format of a style: its own code, otherwise the built-in one of its number. */
export function numberFormat(id: number, own: string | undefined): NumberFormat {
  const code = own ?? (id <= LAST_BUILT_IN ? getFormatFromId(id) : '');
  if (code === '' || code === '@' || code.toLowerCase() === 'general') return GENERAL;
  const { type, isDate } = getFormatInfo(code);
  if (type === 'error') return { ...GENERAL, kind: 'unknown', code };
  const keepsText = formatWithCode(code, SAMPLE_TEXT) === SAMPLE_TEXT;
  if (!isDate) return { ...GENERAL, kind: 'number', code, keepsText };
  const { year, month, day, hours, seconds } = getFormatDateInfo(code);
  // In `mm:ss` the minutes are reported as a month.
  const isDay = type !== 'time' && (year || month || day);
  return {
    kind: isDay ? 'date' : 'time',
    code,
    keepsText,
    shows: { time: hours, seconds, day: year && month && day },
    isOfSystem: (own === undefined && SYSTEM_DATE_FORMATS.includes(id)) || SYSTEM_CODE.test(code),
  };
}

/** Languages with different decimal and thousands separators: English, Swedish, German. */
const LANGUAGES = ['en', 'sv', 'de'] as const;

/** Returns the displayed text of a cell, in English by default. */
export function formatWithCode(code: string, value: number | string, locale = 'en'): string {
  // Space reserved for a character's width is layout, not text.
  return format(code, value, { locale, throws: false, nbsp: false }).trim();
}

/**
 * Returns the displayed texts of a cell in several countries; they are equal if the format fixes
 * every character.
 */
export function formatInAllLanguages(code: string, value: number): readonly string[] {
  return LANGUAGES.map((locale) => formatWithCode(code, value, locale));
}

/** Quoted words, and a character after a backslash. */
const LITERAL = /"([^"]*)"|\\(.)/g;
const CONDITION = /\[[^[\]]*\]/g;
/** Space for a character's width, and a character that fills the cell. */
const LAYOUT = /[_*]./g;
const SECTION = /(?:"[^"]*"|\\.|[^;"\\])+/g;
const NUMBER_SIGNS = /[\d#?@%]|general/i;

/**
 * Whether the displayed text consists only of words of the format, without digits of the number.
 */
export function isOnlyWords(code: string, seen: string): boolean {
  if (seen === '') return false;
  return (code.match(SECTION) ?? []).some((section) => {
    const bare = section.replaceAll(LAYOUT, '').replaceAll(CONDITION, '');
    const words = bare.replaceAll(LITERAL, '$1$2').trim();
    return words === seen && !NUMBER_SIGNS.test(bare.replaceAll(LITERAL, ''));
  });
}
