import { type Cell, digitsOf, isRounded } from './cell.ts';
import { isErrorText } from './error-text.ts';

/** A cell of OpenDocument: its value, and the text displayed when it was saved. */
export interface RawOdsCell {
  readonly type: string | null;
  /**
   * Value of `office:value`, `office:date-value`, `office:time-value` or `office:boolean-value`.
   */
  readonly value: string | null;
  /** Displayed text: null if the file does not contain it, empty if nothing was displayed. */
  readonly shown: string | null;
  readonly isFormula: boolean;
  /** Whether LibreOffice's error flag is set, next to a value of another type. */
  readonly isError: boolean;
}

const DURATION =
  /^(-?)P(?:(\d{1,6})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,6})(?:[.,]\d*)?S)?)?$/;

/** Converts a cell to text: the displayed text is what is sent. */
export function readOdsCell({ type, value, shown, isFormula, isError }: RawOdsCell): Cell {
  const seen = shown ?? '';
  if (isError || type === 'error') return { text: seen, mark: 'cell-error' };
  if (type === null || type === 'string' || value === null) {
    if (isFormula && seen === '') return { text: '', mark: 'formula-empty' };
    return { text: seen, mark: isFormula && isErrorText(seen) ? 'cell-error' : null };
  }
  const cell = valueOf(type, value, seen);
  // A format such as `;;;` hides the value, and a column that is too narrow displays only `#`.
  const isUnseen = shown !== null && (seen === '' || isErrorText(seen));
  if (!isUnseen || cell.mark === 'rounded' || cell.mark === 'wrong-date') return cell;
  const { text } = valueOf(type, value, '');
  return { text, mark: 'formatted', offer: text };
}

function valueOf(type: string, value: string, shown: string): Cell {
  switch (type) {
    case 'float':
    case 'currency':
    case 'percentage':
      return numberOf(Number(value), shown);
    case 'date':
      return dateOf(value, shown);
    case 'time':
      return { text: shown === '' ? clockTimeText(value) : shown, mark: null };
    case 'boolean':
      return { text: shown === '' ? value.toUpperCase() : shown, mark: null };
    default:
      return { text: shown, mark: 'formatted' };
  }
}

function numberOf(value: number, shown: string): Cell {
  if (!Number.isFinite(value)) return { text: shown, mark: 'cell-error' };
  const text = digitsOf(value);
  if (isRounded(value)) return { text, mark: 'rounded' };
  // The format displays words instead of the number, or powers of ten.
  if (!/\d/.test(shown) || /\dE[+-]?\d/i.test(shown)) {
    return shown === '' && Number.isInteger(value)
      ? { text, mark: null }
      : { text, mark: 'formatted', offer: text };
  }
  return { text: shown, mark: null };
}

/** Returns a date in ISO 8601, in which days are compared and sent. */
function dateOf(value: string, shown: string): Cell {
  const [, day, time = ''] = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2})?))?/.exec(value) ?? [];
  if (day === undefined) return { text: shown, mark: 'wrong-date' };
  const bare = time.replace(/^(\d{2}:\d{2}):00$/, '$1');
  // A time that is not displayed is not sent.
  const isTimed = bare !== '' && bare !== '00:00' && (shown === '' || shown.includes(':'));
  const text = isTimed ? `${day} ${bare}` : day;
  return { text, mark: shown === '' || shown === text ? 'date' : 'date-form' };
}

/** Returns the duration `PT40H00M00S` as `40:00:00`; used if the displayed text is unknown. */
function clockTimeText(value: string): string {
  const found = DURATION.exec(value);
  if (found === null) return value;
  const [, sign = '', ...numbers] = found;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = numbers.map((one) => Number(one ?? 0));
  const parts = [days * 24 + hours, minutes, seconds];
  return sign + parts.map((one) => String(one).padStart(2, '0')).join(':');
}
