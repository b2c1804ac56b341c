import type { ListColumn } from '../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { ReportOrder, ReportResult, ReportWords } from '../../../shared/contract/reports.ts';
import { AppError } from '../../../shared/errors.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { acceptAny } from '../bytes/accept.ts';
import type { JobOutcome, JobQueue, Progress } from '../job-queue.ts';
import type { AgreementReader, Clock, Files, Scheduler, Stores } from '../ports.ts';
import type { ReportCell, ReportTable, ReportWriter } from './ports.ts';

interface ReportPorts {
  readonly stores: Pick<Stores, 'agreements' | 'connections'>;
  readonly lists: AgreementReader;
  readonly scheduler: Scheduler;
  readonly reports: ReportWriter;
  readonly files: Files;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/** Rows asked for at once. */
const STRETCH = 200;
/** Rows read one by one on the main loop before others have their turn. */
const AT_ONCE = 25;
/** Of an Excel sheet, without the one for the headings. */
const MOST_ROWS = 1_048_575;

export function createReports(ports: ReportPorts): HandlersOf<'reports'> {
  return {
    'reports.write': async (order) => ({
      jobId: ports.jobs.start('write-report', (signal, report) =>
        writeReport(ports, order, signal, report),
      ),
    }),
  };
}

async function writeReport(
  ports: ReportPorts,
  order: ReportOrder,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<ReportResult>> {
  const { title } = order.words;
  const names = new Map(ports.stores.connections.list().map(({ id, name }) => [id, name]));
  let rows = 0;
  async function* counted(): AsyncIterable<readonly (readonly ReportCell[])[]> {
    for await (const portion of portionsOf(ports, order, (total) => report({ done: 0, total }))) {
      if (signal.aborted) throw new AppError('cancelled', 'The report was stopped');
      yield portion.map((row) => cellsOf(order, names, row));
      rows += portion.length;
      report({ done: rows });
    }
  }
  const headings = order.columns.map(({ heading }) => heading);
  const table: ReportTable = { title, headings, rows: counted() };
  const chunks =
    order.form === 'csv'
      ? ports.reports.csv(table, order.delimiter ?? listSeparator())
      : ports.reports.xlsx(table);
  const saved = await ports.files.saveNew(order.file, { chunks, bytes: null }, acceptAny, signal);
  return { result: { ...saved, rows }, failure: null };
}

async function* portionsOf(
  ports: ReportPorts,
  { rows, form }: ReportOrder,
  reportTotal: (total: number) => void,
): AsyncIterable<readonly Agreement[]> {
  const begin = (total: number): void => {
    if (form === 'xlsx' && total > MOST_ROWS) {
      throw new AppError('invalid', 'An Excel sheet holds at most 1,048,575 rows', {
        reason: 'too-large',
      });
    }
    reportTotal(total);
  };
  if (rows.kind === 'keys') {
    begin(rows.keys.length);
    yield* byKey(ports, rows.keys);
  } else {
    // All of one moment, so that what changes later can neither lose nor double a row.
    const numbers = await ports.lists.numbers(rows.view, ports.clock.now());
    begin(numbers.length - rows.except.length);
    yield* byNumber(ports, numbers, new Set(rows.except.map(nameOf)));
  }
}

async function* byNumber(
  { lists }: ReportPorts,
  numbers: Uint32Array,
  except: ReadonlySet<string>,
): AsyncIterable<readonly Agreement[]> {
  for (let from = 0; from < numbers.length; from += STRETCH) {
    const rows = await lists.rows(numbers.subarray(from, from + STRETCH));
    yield rows.filter((row) => !except.has(nameOf(row)));
  }
}

/** What is not in the copy any more is left out. */
async function* byKey(
  { stores, scheduler }: Pick<ReportPorts, 'stores' | 'scheduler'>,
  keys: readonly AgreementKey[],
): AsyncIterable<readonly Agreement[]> {
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    await scheduler.yield();
    yield keys.slice(from, from + AT_ONCE).flatMap((key) => {
      if (!stores.agreements.find(key.id).some((one) => nameOf(one) === nameOf(key))) return [];
      const { parties, ...row } = stores.agreements.details(key);
      return [{ ...row, parties: parties?.map(({ name }) => name) ?? null }];
    });
  }
}

const nameOf = ({ connectionId, id }: AgreementKey): string => `${connectionId}/${id}`;

/** What connections are called; of a removed one only the id is left. */
type Names = ReadonlyMap<ConnectionId, string>;

function cellsOf({ columns, words }: ReportOrder, names: Names, row: Agreement) {
  return columns.map(({ column }) => cellOf(words, names, row, column));
}

function cellOf(words: ReportWords, names: Names, row: Agreement, column: ListColumn): ReportCell {
  switch (column) {
    case 'title':
      return row.title;
    case 'parties':
      return row.parties?.join(', ') ?? null;
    case 'state':
      return stateWord(words, row);
    case 'nativeState':
      return row.nativeState;
    case 'connection':
      return names.get(row.connectionId) ?? row.connectionId;
    case 'id':
      return row.id;
    case 'updated':
      return time(row.updatedAt);
    case 'closed':
      return time(row.closedAt);
    case 'expires':
      return time(row.expiresAt);
    case 'deletes':
      return time(row.deletesAt);
    case 'archived':
      return time(row.archivedAt);
  }
}

const time = (at: number | null): ReportCell => (at === null ? null : { at });

/** A state that is not known is shown in the service's own word. */
function stateWord(words: ReportWords, row: Agreement): string {
  if (row.perhapsExpired) return words.rejectedOrExpired;
  return row.state === 'unknown' ? row.nativeState : words.states[row.state];
}
