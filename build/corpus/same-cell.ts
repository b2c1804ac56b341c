const MS_PER_DAY = 86_400_000;
const DAY_SECONDS = 86_400;
const UNIX_EPOCH_SERIAL = 25_569;
const FAKE_LEAP_DAY = 61;
/** Days between the two date systems, 1900 and 1904. */
const DAYS_FROM_1900_TO_1904 = 1_462;
/**
 * Tolerance of a time in days, about a minute. Times are displayed to the minute, cut or rounded,
 * but a judge's serial has seconds.
 */
const TIME_TOLERANCE_DAYS = 60_500 / MS_PER_DAY;
/** Units per day, for formats that count only one unit: `[h]`, `[mm]`, `[s]`. */
const TIME_UNITS_PER_DAY = [24, 1_440, DAY_SECONDS];
/**
 * Tolerance of a number, relative to its size. Spreadsheets store fifteen digits; a judge may
 * return the seventeen digits of the file.
 */
const RELATIVE_TOLERANCE = 1e-13;

const DATE_TIME_PATTERN = /^(\d{4}-\d{2}-\d{2})(?: (\d{2}:\d{2}(?::\d{2})?))?$/;
const CLOCK_PATTERN = /^(-?\d+):(\d{2})(?::(\d{2}))?(?:[.,](\d+))?(?: ([AP])M)?$/;
const DURATION_PATTERN = /^(-?)PT(\d+)H(\d+)M(\d+(?:[.,]\d+)?)S$/;

/**
 * Whether a cell's text agrees with a judge's value: a text, a number, a date, a boolean, or
 * nothing.
 */
export function isSameCellValue(text: string, value: unknown): boolean {
  if (value === null || value === undefined) return text.trim() === '';
  if (typeof value === 'string') return isSameText(text, value);
  if (typeof value === 'boolean') return text.toLowerCase() === String(value);
  if (value instanceof Date) {
    const serial = value.getTime() / MS_PER_DAY + UNIX_EPOCH_SERIAL;
    return (
      isSameTime(text, serial) ||
      TIME_UNITS_PER_DAY.some((of) => Math.abs(Number(text) - serial * of) <= 1)
    );
  }
  if (typeof value === 'number') return isNumber(text, value) || isSameTime(text, value);
  return false;
}

/**
 * Whether a cell's text agrees with a judge's text. A judge may return a number, or OpenDocument's
 * duration, as the text in the file.
 */
function isSameText(text: string, value: string): boolean {
  if (plainCellValue(text) === plainCellValue(value)) return true;
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = DURATION_PATTERN.exec(value) ?? [];
  const days = (Number(hours) * 60 + Number(minutes)) / 1440 + Number(seconds) / DAY_SECONDS;
  if (sign !== undefined)
    return isSameTime(text, sign === '-' ? -days : days) || isPartOfTime(text, days);
  return value.trim() !== '' && Number.isFinite(Number(value)) && isNumber(text, Number(value));
}

/**
 * Whether the text is only the minutes and seconds of a time, such as `17:37` or `1737.0`; the
 * fraction of a second may be cut or rounded.
 */
function isPartOfTime(text: string, days: number): boolean {
  const seconds = Math.round((days % 1) * DAY_SECONDS);
  return [seconds, seconds + 1].some((second) => {
    const shown = new Date(second * (MS_PER_DAY / DAY_SECONDS)).toISOString().slice(14, 19);
    return text === shown || text.replace(/[.,]0+$/, '') === shown.replace(':', '');
  });
}

/**
 * Returns the text with equal line breaks, composed characters and no spaces at its beginning and
 * end, so that these differences are ignored.
 */
const plainCellValue = (text: string): string =>
  text
    .replaceAll(/\r{1,2}\n|\r/g, '\n')
    .normalize('NFC')
    .trim();

/**
 * Whether the text is this number. A decimal comma or point, leading zeros, and separators between
 * the digits are allowed.
 */
function isNumber(text: string, value: number): boolean {
  const comma = text.lastIndexOf(',');
  const pointed = comma < 0 ? text : `${text.slice(0, comma)}.${text.slice(comma + 1)}`;
  const own = [pointed, pointed.replaceAll(/[^\d.-]/g, ''), text.replaceAll(/[^\d.-]/g, '')].map(
    (digits) => (digits === '' ? Number.NaN : Number(digits)),
  );
  return (
    own.some((number) => Math.abs(number - value) <= Math.abs(value) * RELATIVE_TOLERANCE) ||
    isFraction(text, value)
  );
}

/** Whether the text, such as `12345 2/3`, is this number, to the precision of the denominator. */
function isFraction(text: string, value: number): boolean {
  const [, sign, whole = '0', over, under] =
    /^(-?)(?:(\d+) )?(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const number = Number(whole) + Number(over) / Number(under);
  return Math.abs((sign === '-' ? -number : number) - value) <= 0.5 / Number(under);
}

/** Whether the text is the date or time of day of a serial in either date system. */
function isSameTime(text: string, serial: number): boolean {
  const seen = serialOf(text);
  if (seen === null) return false;
  // Serials before March 1900 are one day off; the displayed text is the calendar day.
  const meant = [seen, seen - DAYS_FROM_1900_TO_1904, ...(seen < FAKE_LEAP_DAY ? [seen - 1] : [])];
  if (meant.some((day) => Math.abs(day - serial) < TIME_TOLERANCE_DAYS)) return true;
  // A cell's format may show only the day, or only the time.
  const day = Math.floor(serial + TIME_TOLERANCE_DAYS);
  if (Number.isInteger(seen)) return meant.includes(day);
  return seen < 1 && Math.abs(serial - Math.floor(serial) - seen) < TIME_TOLERANCE_DAYS;
}

function serialOf(text: string): number | null {
  const [, day, time] = DATE_TIME_PATTERN.exec(text) ?? [];
  if (day !== undefined) {
    const at = Date.parse(`${day}T${time ?? '00:00'}Z`);
    return Number.isNaN(at) ? null : at / MS_PER_DAY + UNIX_EPOCH_SERIAL;
  }
  const [, hours, minutes, seconds = '0', part = '0', half] = CLOCK_PATTERN.exec(text) ?? [];
  if (hours === undefined) return null;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'P' ? 12 : 0);
  return (hour * 60 + Number(minutes)) / 1440 + Number(`${seconds}.${part}`) / DAY_SECONDS;
}
