import type { SheetNotice } from '../../../../shared/contract/sheets.ts';
import { count, plain } from './text.ts';

type Code = SheetNotice['code'];

/** What the reader of a spreadsheet noticed, in English; a kind without a text does not compile. */
const texts = {
  'hidden-rows': (rows) =>
    `${count(rows, 'hidden row')} left out; --hidden read takes them in as well`,
  'filtered-rows': (rows) =>
    `${count(rows, 'row')} hidden by a filter left out; --hidden read takes them in as well`,
  'hidden-columns': (columns) =>
    `${count(columns, 'hidden column')} left out; --hidden read takes them in as well`,
  'hidden-sheets': (sheets) => `The workbook has ${count(sheets, 'hidden sheet')}, not read`,
  'other-sheets': (sheets) =>
    `The workbook has ${count(sheets, 'other sheet')}, not read; --sheet NAME chooses one`,
  'empty-rows': (rows) => `${count(rows, 'empty row')} skipped`,
  'empty-columns': (columns) => `${count(columns, 'empty column')} skipped`,
  'unnamed-columns': (columns) => `${count(columns, 'column')} without a name, called by letter`,
  'rows-above-header': (rows) => `${count(rows, 'row')} above the header not used`,
  'guessed-encoding': () => 'Nothing in the file says how its letters are written: this is a guess',
  'guessed-delimiter': () => 'Nothing in the file says what parts its columns: this is a guess',
  'double-encoded': () => 'Letters look as if they had been converted twice, such as Ã¥ for å',
  'dates-1904': () => 'The workbook counts its dates from 1904; they are read as the days it shows',
  'external-content': (links) =>
    `The workbook links to other files or holds pictures, none of which is opened: ${links}`,
  formulas: (cells) => `${count(cells, 'formula')} read as the result that was saved with it`,
} as const satisfies Record<Code | 'guessed-delimiter', (count: number) => string>;

export interface ShownNotice {
  readonly code: Code;
  readonly count: number;
  readonly message: string;
}

export const noticesShown = (notices: readonly SheetNotice[]): readonly ShownNotice[] =>
  notices.map(({ code, count: number }) => ({
    code,
    count: number,
    message: texts[code](number),
  }));

export const linesOfNotices = (notices: readonly SheetNotice[]): readonly string[] =>
  noticesShown(notices).map(({ message }) => `Note: ${plain(message)}.`);
