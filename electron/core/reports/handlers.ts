import type { OptionalRowPart } from '../../../shared/contract/agreement-query.ts';
import type { Agreement } from '../../../shared/contract/agreements.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { ReportCell, ReportOrder, ReportResult } from '../../../shared/contract/reports.ts';
import { AppError } from '../../../shared/errors.ts';
import { cellOf, optionalPartsFor } from '../../../shared/rules/agreements/columns.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import { acceptAllBytes } from '../bytes/accept.ts';
import type { JobOutcome, JobQueue, Progress } from '../job-queue.ts';
import type { AgreementReader, Clock, Files, Stores } from '../ports.ts';
import type { ReportTable, ReportWriter } from './ports.ts';

interface ReportPorts {
  readonly stores: Pick<Stores, 'connections'>;
  readonly lists: AgreementReader;
  readonly reports: ReportWriter;
  readonly files: Files;
  readonly jobs: JobQueue;
  readonly clock: Clock;
}

/** Number of rows per query. */
const REPORT_ROWS_PER_REQUEST = 200;
/** Maximum number of rows of an Excel sheet, without the heading row. */
const MAX_REPORT_ROWS = 1_048_575;

export function createReportHandlers(ports: ReportPorts): HandlersOf<'reports'> {
  return {
    'reports.write': async (order) => {
      // Refused before the job starts, so that a dialog can keep what was typed.
      if ((await ports.files.statFile(order.file)) !== null) {
        throw new AppError('conflict', `${order.file} already exists`, { reason: 'file-exists' });
      }
      return {
        jobId: ports.jobs.start('write-report', (signal, report) =>
          writeReport(ports, order, signal, report),
        ),
      };
    },
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
  const context = {
    words: order.words,
    // For a removed connection, only its ID is known.
    nameOf: (id: ConnectionId) => names.get(id) ?? id,
    now: ports.clock.now(),
  };
  let rows = 0;
  async function* counted(): AsyncIterable<readonly (readonly ReportCell[])[]> {
    for await (const portion of portionsOf(ports, order, (total) => report({ done: 0, total }))) {
      if (signal.aborted) throw new AppError('cancelled', 'The report was stopped');
      yield portion.map((row) => order.columns.map(({ column }) => cellOf(row, column, context)));
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
  const saved = await ports.files.saveNew(
    order.file,
    { chunks, bytes: null },
    acceptAllBytes,
    signal,
  );
  return { result: { ...saved, rows }, failure: null };
}

async function* portionsOf(
  ports: ReportPorts,
  { rows, form, columns }: ReportOrder,
  reportTotal: (total: number) => void,
): AsyncIterable<readonly Agreement[]> {
  const begin = (total: number): void => {
    if (form === 'xlsx' && total > MAX_REPORT_ROWS) {
      throw new AppError(
        'invalid',
        'An Excel sheet has at most 1,048,575 rows. Choose fewer agreements, or CSV',
        { reason: 'too-large' },
      );
    }
    reportTotal(total);
  };
  const more = optionalPartsFor(columns.map(({ column }) => column));
  if (rows.kind === 'keys') {
    begin(rows.keys.length);
    yield* agreementsByKey(ports, rows.keys, more);
  } else {
    // The rows are determined once, so that later changes can neither lose nor duplicate a row.
    const numbers = await ports.lists.numbers(rows.view, ports.clock.now());
    begin(numbers.length - rows.except.length);
    yield* agreementsByNumber(ports, { numbers, more }, new Set(rows.except.map(reportKeyOf)));
  }
}

async function* agreementsByNumber(
  { lists }: ReportPorts,
  { numbers, more }: { readonly numbers: Uint32Array; readonly more: readonly OptionalRowPart[] },
  except: ReadonlySet<string>,
): AsyncIterable<readonly Agreement[]> {
  for (let from = 0; from < numbers.length; from += REPORT_ROWS_PER_REQUEST) {
    const rows = await lists.rows(numbers.subarray(from, from + REPORT_ROWS_PER_REQUEST), more);
    yield rows.filter((row) => !except.has(reportKeyOf(row)));
  }
}

/** Yields the agreements with these keys; skips agreements that are no longer in the local copy. */
async function* agreementsByKey(
  { lists }: ReportPorts,
  keys: readonly AgreementKey[],
  more: readonly OptionalRowPart[],
): AsyncIterable<readonly Agreement[]> {
  for (let from = 0; from < keys.length; from += REPORT_ROWS_PER_REQUEST) {
    yield await lists.named(keys.slice(from, from + REPORT_ROWS_PER_REQUEST), more);
  }
}

const reportKeyOf = ({ connectionId, id }: AgreementKey): string => `${connectionId}/${id}`;
