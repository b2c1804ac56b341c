import type {
  Batch,
  BatchCheck,
  BatchProgress,
  BatchRow,
} from '../../../../../shared/contract/batches.ts';
import { BatchId, type ConnectionId } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { mappingFile } from '../../../../../shared/rules/batches/mapping-file.ts';
import { DUPLICATE_PROBLEM_CODES } from '../../../../../shared/rules/batches/summary.ts';
import { withColumnNames } from '../../../../../shared/rules/batches/match.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { type FileOptions, openBatch } from './file.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { toIsoText } from '../../input/times.ts';
import { followJob } from '../../session/jobs.ts';
import { writeNewFile } from '../../input/local-files.ts';
import { SEND_ADVICE, readSendHold, waitingText, drainOutbox } from '../outbox/sending.ts';
import { isScheduled, laterText, parseSchedule, type ScheduleOptions } from './schedule.ts';
import type { Session } from '../../session/session.ts';
import {
  guessQuestion,
  hiddenRows,
  noticeLines,
  rejectGuesses,
  batchNotices,
} from './sheet-notices.ts';
import { templateNamed } from '../templates/names.ts';
import { count, pairs, plain, table } from '../../output/text.ts';

const BATCH_ROWS_PAGE_SIZE = 1000;

/** `batch sample`: writes a spreadsheet with the headers that a template requires. */
export async function writeSampleSheet(
  session: Session,
  name: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const { id } = await templateNamed(session, name);
  const sample = await session.api['batches.sample']({ templateId: id });
  const file = await writeNewFile(out, await session.takeBytes(sample.out));
  return answer({ out: file }, `Wrote ${file}.`);
}

/** `batch check`: reads and validates a spreadsheet; stores and sends nothing. */
export async function checkBatch(
  session: Session,
  file: string,
  options: FileOptions,
): Promise<Answer> {
  const { api } = session;
  const { batch } = await openBatch(session, file, options);
  try {
    const check = await api['batches.check']({ id: batch.id });
    const rows = await readAllRows(session, batch.id);
    const found = problemLists(batch, rows, check.missingColumns);
    const question = await guessQuestion(session, batch, options.acceptGuesses === true);
    const { keptDefaults } = check;
    const hidden = hiddenRows(batch);
    const value = {
      rows: check.rows,
      hidden,
      ok: check.ready,
      blocked: question,
      ...found,
      notices: batchNotices(batch),
      mapping: mappingValue(batch),
      keptDefaults,
      later: check.later,
      laterCount: check.laterCount,
    };
    const text = [
      ...noticeLines(batch),
      ...[...found.errors, ...found.warnings, ...found.duplicates].map(problemLine),
      ...(question === null ? [] : [`Before you send: ${question}`]),
    ];
    const unread = hidden === 0 ? '' : `; ${count(hidden, 'hidden row')} not read`;
    const sum = `${count(check.rows, 'row')}: ${check.ready} ready, ${check.errors} with errors, ${check.excluded} excluded${unread}.`;
    const isClean =
      found.errors.length === 0 && check.wrongColumns.length === 0 && question === null;
    const kept =
      keptDefaults === 0
        ? []
        : [`${count(keptDefaults, 'field')} without a value keep the value of the PDF.`];
    return answer(
      value,
      [...text, sum, ...kept, ...laterRecipientLines(check)].join('\n'),
      isClean ? exits.done : exits.invalid,
    );
  } finally {
    await api['batches.remove']({ id: batch.id });
  }
}

/**
 * Returns lines about people whom the agreements will notify later, in addition to their parties.
 */
function laterRecipientLines({ later, laterCount }: BatchCheck): string[] {
  if (laterCount === 0) return [];
  const more = laterCount - later.length;
  const others = more === 0 ? [] : [`and ${more} more`];
  const all = [...later.map(({ address }) => plain(address)), ...others];
  return [`Also notified later: ${all.join(', ')}.`];
}

export interface SendOptions extends FileOptions, ScheduleOptions {
  readonly confirm: number;
  readonly policy?: 'ask' | 'auto';
  readonly queue?: boolean;
}

/**
 * `batch send`: freezes every row that is ready and sends it. With `--queue`, or if the rows have
 * their own times, they wait in the outbox for `outbox run` or the window.
 */
export async function sendBatch(
  session: Session,
  file: string,
  options: SendOptions,
): Promise<Answer> {
  const { api } = session;
  const started = performance.now();
  const { batch, connection } = await openBatch(session, file, options);
  const { id } = batch;
  const schedule = parseSchedule(options);
  const waits = options.queue === true || isScheduled(options);
  try {
    await rejectGuesses(session, batch, options.acceptGuesses === true);
    const set = await api['batches.setSchedule']({ id, schedule, policy: options.policy ?? 'ask' });
    const { jobId } = await api['batches.send']({
      id,
      confirm: options.confirm,
      revision: set.revision,
    });
    await followJob(session, jobId, 'Preparing');
  } catch (error) {
    await api['batches.remove']({ id });
    throw error;
  }
  const isStopped = !waits && (await drainOutbox(session, id));
  const progress = await api['batches.progress']({ id });
  const { errors } = await api['batches.check']({ id });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const { rows, sent, refused, unknown, givenUp, waiting } = progress;
  const notices = batchNotices(batch);
  const hidden = hiddenRows(batch);
  const value = {
    batch: id,
    rows,
    hidden,
    sent,
    refused,
    unknown,
    givenUp,
    waiting,
    seconds,
    notices,
    ...(isScheduled(options) && { nextAt: toIsoText(progress.nextAt) }),
  };
  const why = isScheduled(options)
    ? laterText(progress)
    : await waitingText(session, connection.id, progress);
  const text = [
    ...noticeLines(batch),
    progressText(id, progress, hidden),
    ...(errors === 0 ? [] : [`${count(errors, 'row')} with errors not sent.`]),
    ...(waiting === 0 ? [] : [why]),
  ].join('\n');
  if (isStopped) return answer(value, text, exits.stopped);
  if (waiting === 0 || waits) return answer(value, text, exitOfBatch(progress, errors));
  return answer(value, text, await exitOfWaiting(session, connection.id, progress));
}

/**
 * Returns the exit code if rows were not sent. A needed decision takes precedence over a cause that
 * holds rows back.
 */
async function exitOfWaiting(
  session: Session,
  connectionId: ConnectionId,
  { unknown, gate }: BatchProgress,
): Promise<Exit> {
  if (unknown > 0 || gate !== 'open') return exits.personDecides;
  return (await readSendHold(session, connectionId)).exit;
}

export async function controlBatch(
  session: Session,
  text: string,
  work: 'progress' | 'pause' | 'resume' | 'stop',
): Promise<Answer> {
  const id = parseBatchId(text);
  const progress = await session.api[`batches.${work}`]({ id });
  const next =
    work === 'resume' && progress.waiting > 0
      ? `\n${count(progress.waiting, 'row')} can be sent again: ${SEND_ADVICE}.`
      : '';
  const hidden = hiddenRows(await session.api['batches.show']({ id }));
  const value = { batch: id, ...progress, hidden, reason: progress.reason?.message ?? null };
  return answer(value, progressText(id, progress, hidden) + next, exitOfBatch(progress, 0));
}

/** `batch report`: writes the original columns and the outcome of each row. */
export async function reportBatch(
  session: Session,
  text: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const as = /\.xlsx$/i.test(out) ? 'xlsx' : /\.csv$/i.test(out) ? 'csv' : null;
  if (as === null) throw new AppError('invalid', 'Write a file that ends in .csv or .xlsx');
  const id = parseBatchId(text);
  const batch = await session.api['batches.show']({ id });
  const report = await session.api['batches.report']({ id, as, only: 'all' });
  const file = await writeNewFile(out, await session.takeBytes(report.out));
  const hidden = hiddenRows(batch);
  const unread = hidden === 0 ? '' : ` without ${count(hidden, 'hidden row')}`;
  const lines = [...noticeLines(batch), `Wrote ${file}${unread}.`];
  return answer({ out: file, hidden, notices: batchNotices(batch) }, lines.join('\n'));
}

/**
 * Returns the exit code. Unknown outcomes need a decision; refused rows, rows that were given up
 * and rows with errors mean partly done.
 */
function exitOfBatch({ unknown, refused, givenUp }: BatchProgress, errors: number): Exit {
  if (unknown > 0) return exits.personDecides;
  return refused + givenUp + errors > 0 ? exits.inPart : exits.done;
}

async function readAllRows({ api }: Session, id: BatchId): Promise<readonly BatchRow[]> {
  const rows: BatchRow[] = [];
  for (;;) {
    const order = { id, filter: 'all', offset: rows.length, limit: BATCH_ROWS_PAGE_SIZE } as const;
    const found = await api['batches.rows'](order);
    rows.push(...found.rows);
    if (rows.length >= found.total || found.rows.length === 0) return rows;
  }
}

interface ShownProblem {
  readonly row: number;
  readonly column: string | null;
  /** Path in the mapping's body if the value comes from no column; null for a row as a whole. */
  readonly field: string | null;
  readonly code: string;
  readonly message: string;
}

/** Returns the problem of a missing column, reported for the header row. */
function missingColumnProblem(row: number, column: string): ShownProblem {
  const message = 'The spreadsheet lacks this column: add it, or use a mapping without it';
  return { row, column, field: null, code: 'column-missing', message };
}

function problemLists({ sheet }: Batch, rows: readonly BatchRow[], missing: readonly string[]) {
  const all = rows.flatMap(({ row, problems }) =>
    problems.map(({ column, code, detail, field, message, isError }) => {
      const name = column === null ? null : (sheet.columns[column]?.name ?? null);
      const path = name === null && field !== '' ? field : null;
      const shown = {
        row,
        column: name,
        field: path,
        code: code === 'field' ? detail : code,
        message,
      };
      return { shown, isError, isDouble: DUPLICATE_PROBLEM_CODES.includes(code) };
    }),
  );
  const only = (keep: (one: (typeof all)[number]) => boolean): ShownProblem[] =>
    all.filter(keep).map(({ shown }) => shown);
  return {
    errors: [
      ...missing.map((column) => missingColumnProblem(sheet.headerRow, column)),
      ...only(({ isError }) => isError),
    ],
    warnings: only(({ isError, isDouble }) => !isError && !isDouble),
    duplicates: only(({ isDouble }) => isDouble),
  };
}

function problemLine({ row, column, field, code, message }: ShownProblem): string {
  const place = column ?? field;
  return plain(`Row ${row}${place === null ? '' : `, ${place}`}: ${message} (${code})`);
}

function mappingValue({ mapping, matches }: Batch): object {
  return mapping === null ? {} : mappingFile(withColumnNames(mapping, matches));
}

/**
 * Whether no row waits or needs a decision. Stopped and paused batches are reported as such
 * instead.
 */
const isFinished = ({ gate, waiting, needsPerson }: BatchProgress): boolean =>
  gate === 'open' && waiting + needsPerson === 0;

function progressText(id: BatchId, progress: BatchProgress, hidden: number): string {
  const { rows, sent, refused, unknown, givenUp, waiting, stopped, needsPerson } = progress;
  const { gate, reason } = progress;
  const line = [rows, sent, refused, unknown, givenUp, waiting, stopped, needsPerson].map(String);
  const heading = [
    'ROWS',
    'SENT',
    'REFUSED',
    'UNKNOWN',
    'GIVEN UP',
    'WAITING',
    'STOPPED',
    'NEED YOU',
  ];
  const open = isFinished(progress) ? 'finished' : gate;
  const state = reason === null ? open : `${gate}: ${reason.message}`;
  return [
    pairs([
      ['Batch', id],
      ['State', state],
      ...(hidden === 0 ? [] : [['Hidden rows', `${hidden}, not in the batch`] as const]),
    ]),
    table(heading, [line], ''),
  ].join('\n');
}

function parseBatchId(text: string): BatchId {
  const parsed = BatchId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new AppError('not-found', `There is no batch ${text}`);
}
