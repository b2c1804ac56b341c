import type { SheetNotice } from '../../../../shared/contract/sheets.ts';
import { count, plain } from './text.ts';

type SheetNoticeCode = SheetNotice['code'];

/**
 * English texts for the notices of the spreadsheet reader; a kind without a text does not compile.
 */
const sheetNoticeSentences = {
  'hidden-rows': (rows) =>
    `${count(rows, 'hidden row')} skipped; --hidden read includes hidden rows`,
  'filtered-rows': (rows) =>
    `${count(rows, 'row')} hidden by a filter skipped; --hidden read includes hidden rows`,
  'hidden-columns': (columns) =>
    `${count(columns, 'hidden column')} skipped; --hidden read includes hidden columns`,
  'hidden-sheets': (sheets) => `The spreadsheet has ${count(sheets, 'hidden sheet')}, not read`,
  'other-sheets': (sheets) =>
    `The spreadsheet has ${count(sheets, 'other sheet')}, not read; --sheet NAME chooses one`,
  'empty-rows': (rows) => `${count(rows, 'empty row')} skipped`,
  'empty-columns': (columns) => `${count(columns, 'empty column')} skipped`,
  'unnamed-columns': (columns) => `${count(columns, 'column')} without a name, named by letter`,
  'rows-above-header': (rows) => `${count(rows, 'row')} above the header not used`,
  'guessed-encoding': () => 'The file does not state its character encoding: this is a guess',
  'guessed-delimiter': () => 'The file does not state its column separator: this is a guess',
  'double-encoded': () => 'Some characters look as if they were converted twice, as Ã¥ for å',
  'dates-1904': () => 'The spreadsheet counts dates from 1904; they are read as the days it shows',
  'external-content': (links) =>
    `The spreadsheet has ${count(links, 'link or picture', 'links or pictures')}, not opened`,
  formulas: (cells) => `${count(cells, 'formula')} read as the saved result`,
} as const satisfies Record<SheetNoticeCode | 'guessed-delimiter', (count: number) => string>;

export interface ShownNotice {
  readonly code: SheetNoticeCode;
  readonly count: number;
  readonly message: string;
}

export const toShownNotices = (notices: readonly SheetNotice[]): readonly ShownNotice[] =>
  notices.map(({ code, count: number }) => ({
    code,
    count: number,
    message: sheetNoticeSentences[code](number),
  }));

export const noticesAsLines = (notices: readonly SheetNotice[]): readonly string[] =>
  toShownNotices(notices).map(({ message }) => `Note: ${plain(message)}.`);
