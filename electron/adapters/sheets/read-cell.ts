import type { CellMark } from '../../../shared/contract/sheets.ts';
import { richText, type Workbook } from './read-workbook.ts';
import { unescapeOffice, unescapeXml } from './read-xml.ts';
import { refuse } from './refuse.ts';

export interface Cell {
  readonly text: string;
  readonly mark: CellMark | null;
}

const EMPTY: Cell = { text: '', mark: null };
const VALUE = /<(?:\w+:)?v\b[^>]*>([^<]*)<\/(?:\w+:)?v>/;
const FORMULA = /<(?:\w+:)?f\b/;
/** Digits a spreadsheet keeps of a number; those behind are made up. */
const EXACT_DIGITS = 15;
const DAY = 86_400_000;
const FAKE_LEAP_DAY = 60;
/** Days from 1900 to 1904, by which the two systems of dates differ. */
const TO_1904 = 1_462;
/** 9999-12-31. */
const LAST_SERIAL = 2_958_465;

/** A cell as text. `type` and `style` are its attributes, `inside` what stands between its tags. */
export function readCell(book: Workbook, type: string | null, style: number, inside: string): Cell {
  const isFormula = FORMULA.test(inside);
  const raw = VALUE.exec(inside)?.[1];
  if (type === 'inlineStr') return plain(richText(inside));
  if (raw === undefined || (raw === '' && type !== 'str')) {
    return isFormula ? { text: '', mark: 'formula-empty' } : EMPTY;
  }
  const cell = valueOf(book, type, style, raw);
  return isFormula && cell.mark === null ? { ...cell, mark: 'formula' } : cell;
}

function valueOf(book: Workbook, type: string | null, style: number, raw: string): Cell {
  switch (type) {
    case 's': {
      const text = book.texts[Number(raw)];
      if (text !== undefined) return plain(text);
      throw refuse('sheet-damaged', 'A cell names a text that the workbook does not have');
    }
    case 'str':
      return plain(unescapeOffice(unescapeXml(raw)));
    case 'b':
      return plain(raw === '1' ? 'TRUE' : 'FALSE');
    case 'e':
      return { text: unescapeXml(raw), mark: 'cell-error' };
    case 'd':
      return { text: raw.slice(0, 10), mark: 'date' };
    default:
      return numberOf(book, style, raw);
  }
}

function numberOf(book: Workbook, style: number, raw: string): Cell {
  const value = Number(raw);
  if (!Number.isFinite(value)) throw refuse('sheet-damaged', 'A cell holds a number that is none');
  switch (book.styles[style] ?? 'plain') {
    case 'date':
      return dateOf(value, book.is1904);
    case 'formatted':
      return { text: digitsOf(value), mark: 'formatted' };
    case 'text':
    case 'plain':
      return isRounded(value)
        ? { text: digitsOf(value), mark: 'rounded' }
        : { text: digitsOf(value), mark: null };
  }
}

/** The exact digits, never `1.98E+11`; of a fraction as many as the spreadsheet keeps. */
function digitsOf(value: number): string {
  if (Number.isInteger(value)) return BigInt(value).toString();
  const text = String(Number(value.toPrecision(EXACT_DIGITS)));
  return text.includes('e') ? value.toFixed(EXACT_DIGITS).replace(/0+$/, '') : text;
}

function isRounded(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) >= 10 ** EXACT_DIGITS;
}

/** Serial 60 is a day that never was; those before it are one day off. */
function dateOf(serial: number, is1904: boolean): Cell {
  const days = is1904 ? serial + TO_1904 : serial;
  const isDay = days >= 1 && days < LAST_SERIAL + 1 && Math.floor(days) !== FAKE_LEAP_DAY;
  if (!isDay) return { text: String(serial), mark: 'wrong-date' };
  const start = Date.UTC(1899, 11, days < FAKE_LEAP_DAY ? 31 : 30);
  const minutes = Math.round((days * DAY) / 60_000) * 60_000;
  const text = new Date(start + minutes).toISOString();
  const time = text.slice(11, 16);
  return {
    text: time === '00:00' ? text.slice(0, 10) : `${text.slice(0, 10)} ${time}`,
    mark: 'date',
  };
}

const plain = (text: string): Cell => ({ text, mark: null });
