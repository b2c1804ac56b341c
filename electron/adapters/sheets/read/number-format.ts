import { format, getFormatDateInfo, getFormatFromId, getFormatInfo } from 'numfmt';

/** How a style shows numbers, as far as it decides what is sent. */
export interface NumberFormat {
  readonly kind: 'general' | 'number' | 'date' | 'time' | 'unknown';
  /** The format's code, as ECMA-376 part 1, 18.8.31 writes it. */
  readonly code: string;
  /** Of a date: whether the time of the day is shown, and whether the day is. */
  readonly shows: { readonly time: boolean; readonly seconds: boolean; readonly day: boolean };
  /** Of a date: shown as the computer's own short date, which is ISO 8601 in Sweden. */
  readonly isOfSystem: boolean;
  /** Texts are shown as they are. */
  readonly keepsText: boolean;
}

/** Date formats that every computer shows in its own way: 14 and 22, and the codes for them. */
const OF_SYSTEM = [14, 22];
/** ECMA-376 part 1, 18.8.30; a number behind it is a format that the file lacks. */
const LAST_BUILT_IN = 81;
const SYSTEM_CODE = /^\[\$-(?:x-sysdate|F800)\]/i;
const SAMPLE = 'Text';
const NOTHING = { time: false, seconds: false, day: false };
const GENERAL: NumberFormat = {
  kind: 'general',
  code: 'General',
  shows: NOTHING,
  isOfSystem: false,
  keepsText: true,
};

/** A style's number format: its own code, else the one that Office has for its number. */
export function numberFormat(id: number, own: string | undefined): NumberFormat {
  const code = own ?? (id <= LAST_BUILT_IN ? getFormatFromId(id) : '');
  if (code === '' || code === '@' || code.toLowerCase() === 'general') return GENERAL;
  const { type, isDate } = getFormatInfo(code);
  if (type === 'error') return { ...GENERAL, kind: 'unknown', code };
  const keepsText = shown(code, SAMPLE) === SAMPLE;
  if (!isDate) return { ...GENERAL, kind: 'number', code, keepsText };
  const { year, month, day, hours, seconds } = getFormatDateInfo(code);
  // Of `mm:ss` the minutes count as a month.
  const isDay = type !== 'time' && (year || month || day);
  return {
    kind: isDay ? 'date' : 'time',
    code,
    keepsText,
    shows: { time: hours, seconds, day: year && month && day },
    isOfSystem: (own === undefined && OF_SYSTEM.includes(id)) || SYSTEM_CODE.test(code),
  };
}

/** The languages whose signs for decimals and thousands differ: English, Swedish, German. */
const LANGUAGES = ['en', 'sv', 'de'] as const;

/** What a cell shows, in English. */
export function shown(code: string, value: number | string, locale = 'en'): string {
  // Room that is left for a sign's width is layout, and no part of the text.
  return format(code, value, { locale, throws: false, nbsp: false }).trim();
}

/** What a cell shows on computers of several countries; equal where the format fixes every sign. */
export function shownAnywhere(code: string, value: number): readonly string[] {
  return LANGUAGES.map((locale) => shown(code, value, locale));
}

/** Words in quotes, and a sign behind a backslash. */
const LITERAL = /"([^"]*)"|\\(.)/g;
const CONDITION = /\[[^[\]]*\]/g;
/** Room for the width of a sign, and a sign that fills the cell. */
const LAYOUT = /[_*]./g;
const SECTION = /(?:"[^"]*"|\\.|[^;"\\])+/g;
const NUMBER_SIGNS = /[\d#?@%]|general/i;

/** Whether what is shown are words of the format alone, none of which is a digit of the number. */
export function isOnlyWords(code: string, seen: string): boolean {
  if (seen === '') return false;
  return (code.match(SECTION) ?? []).some((section) => {
    const bare = section.replaceAll(LAYOUT, '').replaceAll(CONDITION, '');
    const words = bare.replaceAll(LITERAL, '$1$2').trim();
    return words === seen && !NUMBER_SIGNS.test(bare.replaceAll(LITERAL, ''));
  });
}
