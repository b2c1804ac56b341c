import type { Batch } from '../../../../../shared/contract/batches.ts';
import type { SheetNotice } from '../../../../../shared/contract/sheets.ts';
import { AppError } from '../../../../../shared/errors.ts';
import type { Session } from '../../session/session.ts';
import { count, plain } from '../../output/text.ts';

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

/** What a person did not say about the file, and what to write to say it. */
const guesses: Readonly<Partial<Record<string, (batch: Batch) => string>>> = {
  'guessed-encoding': ({ sheet }) =>
    `--encoding ${sheet.encoding ?? 'NAME'} if the letters are right`,
  'guessed-delimiter': ({ sheet }) =>
    `--delimiter ${delimiterName(sheet.delimiter)} if the columns are right`,
};

const delimiterName = (sign: string | null): string =>
  ({ '\t': 'tab', ';': 'semicolon', ',': 'comma', '|': 'bar' })[sign ?? ''] ?? 'SIGN';

/** Notices after which other letters may be sent than the author of the file meant. */
const doubtful: readonly string[] = ['guessed-encoding', 'guessed-delimiter', 'double-encoded'];

export interface ShownNotice {
  readonly code: Code;
  readonly count: number;
  readonly message: string;
}

export function shownNotices({ sheet }: Batch): readonly ShownNotice[] {
  return sheet.notices.map(({ code, count: number }) => ({
    code,
    count: number,
    message: texts[code](number),
  }));
}

export const noticeLines = (batch: Batch): readonly string[] =>
  shownNotices(batch).map(({ message }) => `Note: ${plain(message)}.`);

/**
 * What has to be written before a file whose letters or columns are guessed is sent, as one
 * sentence; null when nothing is guessed, or the guesses are accepted.
 */
export async function guessQuestion(
  session: Session,
  batch: Batch,
  isAccepted: boolean,
): Promise<string | null> {
  const open = shownNotices(batch).filter(({ code }) => doubtful.includes(code));
  if (isAccepted || open.length === 0) return null;
  const seen = await sampleOf(session, batch);
  const look = seen === null ? '' : ` The file reads as "${seen}".`;
  const ways = open.flatMap(({ code }) => guesses[code]?.(batch) ?? []);
  const said = open.map(({ message }) => `${message}.`).join(' ');
  const write = [...ways, `${ways.length === 0 ? '' : 'or '}--accept-guesses to send it as it is`];
  return `${said}${look} Write ${write.join(', ')}.`;
}

/** @throws AppError 'invalid' when something is guessed that nobody accepted. */
export async function refuseGuesses(
  session: Session,
  batch: Batch,
  isAccepted: boolean,
): Promise<void> {
  const question = await guessQuestion(session, batch, isAccepted);
  if (question !== null) throw new AppError('invalid', `${question} Nothing was sent.`);
}

/** Rows looked through for a word by which a person can tell. */
const SAMPLE_ROWS = 200;
const LONGEST_WORD = 40;

/** The first word with a letter that encodings write differently. */
async function sampleOf({ api }: Session, { id, sheet }: Batch): Promise<string | null> {
  const { rows } = await api['batches.rows']({
    id,
    filter: 'all',
    offset: 0,
    limit: SAMPLE_ROWS,
  });
  const cells = [sheet.columns.map(({ name }) => name), ...rows.map((row) => row.cells)].flat();
  const words = cells.flatMap((cell) => cell.slice(0, 1000).split(/\s/));
  const word = words.find((one) => /[^\u0000-\u007f]/.test(one));
  return word === undefined ? null : plain(word.slice(0, LONGEST_WORD));
}
