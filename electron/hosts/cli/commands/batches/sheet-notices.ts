import type { Batch } from '../../../../../shared/contract/batches.ts';
import { AppError } from '../../../../../shared/errors.ts';
import type { Session } from '../../session/session.ts';
import { noticesAsLines, toShownNotices, type ShownNotice } from '../../output/sheet-notices.ts';
import { plain } from '../../output/text.ts';

/** Options that confirm each property of the file that the reader guessed. */
const guessOptions: Readonly<Partial<Record<string, (batch: Batch) => string>>> = {
  'guessed-encoding': ({ sheet }) =>
    `--encoding ${sheet.encoding ?? 'NAME'} if the characters are right`,
  'guessed-delimiter': ({ sheet }) =>
    `--delimiter ${delimiterName(sheet.delimiter)} if the columns are right`,
};

const delimiterName = (sign: string | null): string =>
  ({ '\t': 'tab', ';': 'semicolon', ',': 'comma', '|': 'bar' })[sign ?? ''] ?? 'SIGN';

/** Notices after which other characters may be sent than the author of the file meant. */
const doubtfulNoticeCodes: readonly string[] = [
  'guessed-encoding',
  'guessed-delimiter',
  'double-encoded',
];

export const batchNotices = ({ sheet }: Batch): readonly ShownNotice[] =>
  toShownNotices(sheet.notices);

/** Returns the number of rows that the spreadsheet or a filter hides, and that were not read. */
export const hiddenRows = ({ sheet }: Batch): number =>
  sheet.notices
    .filter(({ code }) => code === 'hidden-rows' || code === 'filtered-rows')
    .reduce((sum, { count }) => sum + count, 0);

export const noticeLines = ({ sheet }: Batch): readonly string[] => noticesAsLines(sheet.notices);

/**
 * Returns one sentence with the options needed before a file with guessed characters or columns is
 * sent; null if nothing is guessed, or if the guesses are accepted.
 */
export async function guessQuestion(
  session: Session,
  batch: Batch,
  isAccepted: boolean,
): Promise<string | null> {
  const open = batchNotices(batch).filter(({ code }) => doubtfulNoticeCodes.includes(code));
  if (isAccepted || open.length === 0) return null;
  const seen = await sampleOf(session, batch);
  const look = seen === null ? '' : ` The file reads as "${seen}".`;
  const ways = open.flatMap(({ code }) => guessOptions[code]?.(batch) ?? []);
  const said = open.map(({ message }) => `${message}.`).join(' ');
  const write = [...ways, `${ways.length === 0 ? '' : 'or '}--accept-guesses to send it as it is`];
  return `${said}${look} Write ${write.join(', ')}.`;
}

/**
 * Rejects a file with guesses.
 * @throws AppError 'invalid' if the file has guesses that were not accepted.
 */
export async function rejectGuesses(
  session: Session,
  batch: Batch,
  isAccepted: boolean,
): Promise<void> {
  const question = await guessQuestion(session, batch, isAccepted);
  if (question !== null) throw new AppError('invalid', `${question} Nothing was sent.`);
}

/** Number of rows searched for a sample word by which the user can recognise the encoding. */
const SAMPLE_ROWS = 200;
const MAX_WORD_LENGTH = 40;

/** Returns the first word with a character that encodings write differently. */
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
  return word === undefined ? null : plain(word.slice(0, MAX_WORD_LENGTH));
}
