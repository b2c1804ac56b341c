import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { BytesId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { cellKinds } from '../../../shared/rules/batches/kinds.ts';
import { mappingFile } from '../../../shared/rules/batches/mapping-file.ts';
import { withColumnNames } from '../../../shared/rules/batches/match.ts';
import { mappingOf } from '../../../shared/rules/batches/template.ts';
import { safeStem } from '../../../shared/rules/files/file-name.ts';
import { listSeparator } from '../../../shared/rules/sheets/list-separator.ts';
import type { BatchValidator, ValidatedRow } from './judge.ts';
import { outcomeIn } from './outcome.ts';
import { collectChunks } from '../chunks.ts';
import type { Encoding, Stores } from '../ports.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { StoredItem } from '../outbox/ports.ts';
import type { ReportCell } from '../../../shared/contract/reports.ts';
import type { ReportTable, ReportWriter } from '../reports/ports.ts';

interface ReportPorts {
  readonly stores: Pick<Stores, 'batches' | 'templates' | 'outbox'>;
  readonly judge: BatchValidator;
  readonly reports: ReportWriter;
  readonly bytes: ByteExchange;
  readonly encoding: Encoding;
}

type ReportHandlers = Pick<
  HandlersOf<'batches'>,
  'batches.report' | 'batches.sample' | 'batches.exportMapping'
>;

/** Number of rows written per step. */
const REPORT_ROWS_PER_STEP = 500;
const OUTCOME_HEADINGS = ['row', 'state', 'id', 'error', 'error code', 'time'];

/**
 * Creates the handlers that export files of a batch: results of its rows, an empty spreadsheet, its
 * mapping.
 */
export function createBatchReportHandlers(ports: ReportPorts): ReportHandlers {
  const { stores, bytes, reports } = ports;
  const write = async (table: ReportTable, as: 'csv' | 'xlsx'): Promise<BytesId> => {
    const chunks = as === 'csv' ? reports.csv(table, listSeparator()) : reports.xlsx(table);
    return bytes.put(await collectChunks(chunks));
  };

  return {
    'batches.report': async ({ id, as, only }) => {
      const { batch, rows } = await ports.judge.judge(id);
      const items = new Map(stores.outbox.inBatch(id).map((item) => [item.ref, item]));
      const chosen = only === 'all' ? rows : rows.filter(hasError);
      const headings = [
        ...batch.sheet.columns.map(({ name }) => name),
        ...freeNames(batch.sheet.columns),
      ];
      const table = {
        title: batch.name,
        headings,
        rows: portions(chosen, (row) => [...row.stored.cells, ...outcomeCells(row, items)]),
      };
      const what = only === 'all' ? 'result' : 'errors';
      return { out: await write(table, as), fileName: `${safeStem(batch.name)} ${what}.${as}` };
    },
    'batches.sample': async ({ templateId }) => {
      const template = stores.templates.get(templateId);
      const headings = [...cellKinds(mappingOf(template)).keys()];
      if (headings.length === 0) {
        const message =
          'The template needs no data from rows. Add parties or questions to it first';
        throw new AppError('invalid', message, { reason: 'column-missing' });
      }
      const table = { title: template.name, headings, rows: portions([], () => []) };
      return { out: await write(table, 'xlsx'), fileName: `${safeStem(template.name)}.xlsx` };
    },
    'batches.exportMapping': async ({ id }) => {
      const { mapping, matches, name } = stores.batches.get(id);
      const file = mapping === null ? {} : mappingFile(withColumnNames(mapping, matches));
      const text = `${JSON.stringify(file, null, 2)}\n`;
      return {
        out: bytes.put(ports.encoding.utf8(text)),
        fileName: `${safeStem(name)}.signmap`,
      };
    },
  };
}

const hasError = ({ problems, isExcluded }: ValidatedRow): boolean =>
  !isExcluded && problems.some(({ isError }) => isError);

/** Returns names for six extra columns that differ from the spreadsheet's own. */
function freeNames(columns: readonly { readonly name: string }[]): readonly string[] {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()));
  return OUTCOME_HEADINGS.map((name) => (taken.has(name) ? `${name} (batch)` : name));
}

function outcomeCells(
  { stored, problems, isExcluded }: ValidatedRow,
  items: ReadonlyMap<string, StoredItem>,
): readonly ReportCell[] {
  const item = stored.ref === null ? undefined : items.get(stored.ref);
  const row = String(stored.row);
  if (item === undefined) {
    const errors = problems.filter(({ isError }) => isError);
    const state = errors.length > 0 && !isExcluded ? 'error' : isExcluded ? 'excluded' : 'not sent';
    const codes = [
      ...new Set(errors.map(({ code, detail }) => (code === 'field' ? detail : code))),
    ];
    return [
      row,
      state,
      '',
      errors.map(({ message }) => message).join(' · '),
      codes.join(' '),
      null,
    ];
  }
  const { state, remoteId, error, errorCode, at } = outcomeIn(item);
  return [row, state, remoteId ?? '', error ?? '', errorCode ?? '', { at }];
}

async function* portions<One>(
  rows: readonly One[],
  cells: (row: One) => readonly ReportCell[],
): AsyncIterable<readonly (readonly ReportCell[])[]> {
  for (let at = 0; at < rows.length; at += REPORT_ROWS_PER_STEP)
    yield rows.slice(at, at + REPORT_ROWS_PER_STEP).map(cells);
}
