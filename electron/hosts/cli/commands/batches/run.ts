import type { Batch, BatchProgress, BatchRow } from '../../../../../shared/contract/batches.ts';
import { BatchId, type ConnectionId } from '../../../../../shared/model/ids.ts';
import { AppError } from '../../../../../shared/errors.ts';
import { mappingFile } from '../../../../../shared/rules/batches/mapping-file.ts';
import { withColumnNames } from '../../../../../shared/rules/batches/match.ts';
import { type Answer, answer } from '../../output/answer.ts';
import { type FileOptions, openBatch } from './file.ts';
import { type Exit, exits } from '../../output/exit-codes.ts';
import { iso } from '../../input/times.ts';
import { followJob } from '../../session/jobs.ts';
import { writeNew } from '../../input/local-files.ts';
import { HOW_TO_SEND, heldBack, waitingText, workOutbox } from '../outbox/sending.ts';
import { isScheduled, laterText, scheduleFrom, type ScheduleOptions } from './schedule.ts';
import type { Session } from '../../session/session.ts';
import { guessQuestion, noticeLines, refuseGuesses, shownNotices } from './sheet-notices.ts';
import { templateNamed } from '../templates/names.ts';
import { count, pairs, plain, table } from '../../output/text.ts';

/** Rows asked for at once. */
const WINDOW = 1000;
const DOUBLES = ['same-row', 'same-person', 'sent-before', 'on-service'];

/** `batch sample`: a sheet with the headers a template asks for. */
export async function sampleSheet(
  session: Session,
  name: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const { id } = await templateNamed(session, name);
  const sample = await session.api['batches.sample']({ templateId: id });
  const file = await writeNew(out, await session.takeBytes(sample.out));
  return answer({ out: file }, `Wrote ${file}.`);
}

/** `batch check`: reads and judges a spreadsheet; nothing is kept and nothing is sent. */
export async function checkBatch(
  session: Session,
  file: string,
  options: FileOptions,
): Promise<Answer> {
  const { api } = session;
  const { batch } = await openBatch(session, file, options);
  try {
    const check = await api['batches.check']({ id: batch.id });
    const rows = await allRows(session, batch.id);
    const found = problemLists(batch, rows, check.missingColumns);
    const question = await guessQuestion(session, batch, options.acceptGuesses === true);
    const { keptDefaults } = check;
    const value = {
      rows: check.rows,
      ok: check.ready,
      ...found,
      notices: shownNotices(batch),
      mapping: mappingValue(batch),
      keptDefaults,
    };
    const text = [
      ...noticeLines(batch),
      ...[...found.errors, ...found.warnings, ...found.duplicates].map(problemLine),
      ...(question === null ? [] : [`Before it is sent: ${question}`]),
    ];
    const sum = `${count(check.rows, 'row')}: ${check.ready} ready, ${check.errors} with errors, ${check.excluded} left out.`;
    const isClean =
      found.errors.length === 0 && check.wrongColumns.length === 0 && question === null;
    const kept =
      keptDefaults === 0
        ? []
        : [`${count(keptDefaults, 'field')} left empty: the PDF's own value stays.`];
    return answer(value, [...text, sum, ...kept].join('\n'), isClean ? exits.done : exits.invalid);
  } finally {
    await api['batches.remove']({ id: batch.id });
  }
}

export interface SendOptions extends FileOptions, ScheduleOptions {
  readonly confirm: number;
  readonly policy?: 'ask' | 'auto';
  readonly queue?: boolean;
}

/**
 * `batch send`: freezes every row that is ready and sends them; with `--queue`, or with times of
 * their own, they wait in the outbox for `outbox run` or the window.
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
  const schedule = scheduleFrom(options);
  const waits = options.queue === true || isScheduled(options);
  try {
    await refuseGuesses(session, batch, options.acceptGuesses === true);
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
  const isStopped = !waits && (await workOutbox(session, id));
  const progress = await api['batches.progress']({ id });
  const { errors } = await api['batches.check']({ id });
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  const { rows, sent, refused, unknown, waiting } = progress;
  const notices = shownNotices(batch);
  const value = {
    batch: id,
    rows,
    sent,
    refused,
    unknown,
    waiting,
    seconds,
    notices,
    ...(isScheduled(options) && { nextAt: iso(progress.nextAt) }),
  };
  const why = isScheduled(options)
    ? laterText(progress)
    : await waitingText(session, connection.id, progress);
  const text = [
    ...noticeLines(batch),
    progressText(id, progress),
    ...(errors === 0 ? [] : [`${count(errors, 'row')} had errors and stayed here.`]),
    ...(waiting === 0 ? [] : [why]),
  ].join('\n');
  if (isStopped) return answer(value, text, exits.stopped);
  if (waiting === 0 || waits) return answer(value, text, exitOf(progress, errors));
  return answer(value, text, await exitOfWaiting(session, connection.id, progress));
}

/** Some rows could not go out: what a person decides comes first, then what holds them back. */
async function exitOfWaiting(
  session: Session,
  connectionId: ConnectionId,
  { unknown, gate }: BatchProgress,
): Promise<Exit> {
  if (unknown > 0 || gate !== 'open') return exits.personDecides;
  return (await heldBack(session, connectionId)).exit;
}

/** `batch status|pause|resume|stop` */
export async function workBatch(
  session: Session,
  text: string,
  work: 'progress' | 'pause' | 'resume' | 'stop',
): Promise<Answer> {
  const id = batchId(text);
  const progress = await session.api[`batches.${work}`]({ id });
  const next =
    work === 'resume' && progress.waiting > 0
      ? `\n${count(progress.waiting, 'row')} may go out again: ${HOW_TO_SEND}.`
      : '';
  const value = { batch: id, ...progress, reason: progress.reason?.message ?? null };
  return answer(value, progressText(id, progress) + next, exitOf(progress, 0));
}

/** `batch report`: the original columns and what became of each row. */
export async function reportBatch(
  session: Session,
  text: string,
  { out }: { readonly out: string },
): Promise<Answer> {
  const as = /\.xlsx$/i.test(out) ? 'xlsx' : /\.csv$/i.test(out) ? 'csv' : null;
  if (as === null) throw new AppError('invalid', 'The file must end in .csv or .xlsx');
  const id = batchId(text);
  const batch = await session.api['batches.show']({ id });
  const report = await session.api['batches.report']({ id, as, only: 'all' });
  const file = await writeNew(out, await session.takeBytes(report.out));
  const lines = [...noticeLines(batch), `Wrote ${file}.`];
  return answer({ out: file, notices: shownNotices(batch) }, lines.join('\n'));
}

/** A person must look at unknown ones; refused ones and rows with errors were done in part. */
function exitOf({ unknown, refused }: BatchProgress, errors: number): Exit {
  if (unknown > 0) return exits.personDecides;
  return refused > 0 || errors > 0 ? exits.inPart : exits.done;
}

async function allRows({ api }: Session, id: BatchId): Promise<readonly BatchRow[]> {
  const rows: BatchRow[] = [];
  for (;;) {
    const order = { id, filter: 'all', offset: rows.length, limit: WINDOW } as const;
    const found = await api['batches.rows'](order);
    rows.push(...found.rows);
    if (rows.length >= found.total || found.rows.length === 0) return rows;
  }
}

interface ShownProblem {
  readonly row: number;
  readonly column: string | null;
  readonly code: string;
  readonly message: string;
}

/** A column that is not there is missed in the header, and left empty by a mapping without it. */
function missed(row: number, column: string): ShownProblem {
  const message = 'The sheet has no such column: add it, or give a mapping without it';
  return { row, column, code: 'column-missing', message };
}

function problemLists({ sheet }: Batch, rows: readonly BatchRow[], missing: readonly string[]) {
  const all = rows.flatMap(({ row, problems }) =>
    problems.map(({ column, code, detail, message, isError }) => {
      const name = column === null ? null : (sheet.columns[column]?.name ?? null);
      const shown = { row, column: name, code: code === 'field' ? detail : code, message };
      return { shown, isError, isDouble: DOUBLES.includes(code) };
    }),
  );
  const only = (keep: (one: (typeof all)[number]) => boolean): ShownProblem[] =>
    all.filter(keep).map(({ shown }) => shown);
  return {
    errors: [
      ...missing.map((column) => missed(sheet.headerRow, column)),
      ...only(({ isError }) => isError),
    ],
    warnings: only(({ isError, isDouble }) => !isError && !isDouble),
    duplicates: only(({ isDouble }) => isDouble),
  };
}

function problemLine({ row, column, code, message }: ShownProblem): string {
  return plain(`Row ${row}${column === null ? '' : `, ${column}`}: ${message} (${code})`);
}

function mappingValue({ mapping, matches }: Batch): object {
  return mapping === null ? {} : mappingFile(withColumnNames(mapping, matches));
}

function progressText(id: BatchId, progress: BatchProgress): string {
  const { rows, sent, refused, unknown, waiting, stopped, needsPerson, gate, reason } = progress;
  const line = [rows, sent, refused, unknown, waiting, stopped, needsPerson].map(String);
  const heading = ['ROWS', 'SENT', 'REFUSED', 'UNKNOWN', 'WAITING', 'STOPPED', 'NEED YOU'];
  const state = reason === null ? gate : `${gate}: ${reason.message}`;
  return [
    pairs([
      ['Batch', id],
      ['State', state],
    ]),
    table(heading, [line], ''),
  ].join('\n');
}

function batchId(text: string): BatchId {
  const parsed = BatchId.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new AppError('not-found', `There is no batch ${text}`);
}
