import type { AgreementView } from '../../../shared/contract/agreement-query.ts';
import { MOST_KEYS } from '../../../shared/contract/agreement-query.ts';
import type { ListColumn } from '../../../shared/contract/agreement-views.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { ReportOrder, ReportResult, ReportWords } from '../../../shared/contract/reports.ts';
import { AppError } from '../../../shared/errors.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { acceptAny } from '../bytes/accept.ts';
import type { JobOutcome, JobQueue, Progress } from '../job-queue.ts';
import type { Clock, Files, Stores } from '../ports.ts';
import type { ReportCell, ReportTable, ReportWriter } from './ports.ts';

interface ReportPorts {
  readonly stores: Pick<Stores, 'agreements' | 'connections'>;
  readonly reports: ReportWriter;
  readonly files: Files;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/** Rows asked for at once: some milliseconds, in which nothing else can happen. */
const STRETCH = 200;
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
    for (const portion of portionsOf(ports, order, (total) => report({ done: 0, total }))) {
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

function* portionsOf(
  ports: ReportPorts,
  { rows, form }: ReportOrder,
  reportTotal: (total: number) => void,
): Iterable<readonly Agreement[]> {
  const wanted = rows.kind === 'keys' ? rows.keys : without(keysOf(ports, rows.view), rows.except);
  if (form === 'xlsx' && wanted.length > MOST_ROWS) {
    throw new AppError('invalid', 'An Excel sheet holds at most 1,048,575 rows', {
      reason: 'too-large',
    });
  }
  reportTotal(wanted.length);
  if (rows.kind === 'keys') yield* byKey(ports, wanted);
  else yield* throughView(ports, rows.view, wanted);
}

/** Read in one go, so that what changes later can neither lose nor double a row. */
function keysOf({ stores, clock }: ReportPorts, view: AgreementView): readonly AgreementKey[] {
  const now = clock.now();
  const keys: AgreementKey[] = [];
  for (;;) {
    const stretch = { ...view, from: keys.length, limit: MOST_KEYS };
    const page = stores.agreements.keys(stretch, now);
    keys.push(...page.keys);
    if (page.keys.length === 0 || keys.length >= page.total) return keys;
  }
}

function without(
  keys: readonly AgreementKey[],
  except: readonly AgreementKey[],
): readonly AgreementKey[] {
  const left = new Set(except.map(nameOf));
  return left.size === 0 ? keys : keys.filter((key) => !left.has(nameOf(key)));
}

/** Stretch by stretch; what moved meanwhile, so that no stretch held it, comes at the end. */
function* throughView(
  ports: ReportPorts,
  view: AgreementView,
  keys: readonly AgreementKey[],
): Iterable<readonly Agreement[]> {
  const open = new Map(keys.map((key) => [nameOf(key), key]));
  const now = ports.clock.now();
  let from = 0;
  for (;;) {
    const { items } = ports.stores.agreements.window({ ...view, from, limit: STRETCH }, now);
    if (items.length === 0) break;
    from += items.length;
    yield items.filter((item) => open.delete(nameOf(item)));
  }
  yield* byKey(ports, [...open.values()]);
}

/** What is not in the copy any more is left out. */
function* byKey(
  { stores }: Pick<ReportPorts, 'stores'>,
  keys: readonly AgreementKey[],
): Iterable<readonly Agreement[]> {
  for (let from = 0; from < keys.length; from += STRETCH) {
    yield keys.slice(from, from + STRETCH).flatMap((key) => {
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

/** A state that is not known is told in the service's own word. */
function stateWord(words: ReportWords, row: Agreement): string {
  if (row.perhapsExpired) return words.rejectedOrExpired;
  return row.state === 'unknown' ? row.nativeState : words.states[row.state];
}
