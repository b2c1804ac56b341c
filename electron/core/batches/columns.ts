import type { Batch, BatchMapping, ColumnMatch } from '../../../shared/contract/batches.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import { compileMapping } from '../../../shared/rules/batches/compile.ts';
import { matchColumns } from '../../../shared/rules/batches/match.ts';
import { headerSetKey } from '../../../shared/rules/batches/synonyms.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Chance, Clock, Sha256, Stores } from '../ports.ts';
import type { ReadSheet, SheetReader } from '../sheet-ports.ts';
import { mappingForTemplate, newBatch } from './new-batch.ts';
import { refusalOf } from './rows-again.ts';

interface ColumnPorts {
  readonly stores: Pick<Stores, 'batches' | 'outbox' | 'templates' | 'transaction'>;
  readonly sheets: { readonly reader: SheetReader };
  readonly bytes: ByteExchange;
  readonly sha256: Sha256;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emitChanged: (batch: Batch) => Batch;
}

type ColumnHandlers = Pick<
  HandlersOf<'batches'>,
  | 'batches.create'
  | 'batches.reread'
  | 'batches.setConnection'
  | 'batches.setTemplate'
  | 'batches.setMapping'
  | 'batches.setMatches'
  | 'batches.setSchedule'
>;

/**
 * Creates the handlers for the settings of a batch: its file, its template, and the meaning of each
 * column.
 */
export function createBatchColumnHandlers(ports: ColumnPorts): ColumnHandlers {
  const { stores, clock, emitChanged } = ports;
  const { batches } = stores;
  return {
    'batches.create': async (order) => emitChanged(await createFrom(ports, order)),
    'batches.reread': async ({ id, choices }) => {
      const { data } = batches.file(id);
      const own = await findOwnRows(ports, id);
      const { sheet } = batches.get(id);
      const file = await ports.sheets.reader.read(data, choices);
      const { shape, rows } = keepOwnRows(file, sheet.sheet, own);
      const batch = stores.transaction(() => {
        const matches = matchesForColumns(
          batches.get(id),
          shape.columns.map(({ name }) => name),
          ports,
        );
        const read = batches.setRows(id, shape, choices, rows, clock.now());
        restoreRefusals(ports, id);
        return matches === null ? read : batches.change(id, { matches }, clock.now());
      });
      return emitChanged(batch);
    },
    'batches.setConnection': async ({ id, connectionId }) =>
      emitChanged(batches.change(id, { connectionId }, clock.now())),
    'batches.setTemplate': async ({ id, templateId }) => {
      const change = mappingForTemplate(ports, templateId, columnNames(batches.get(id)));
      return emitChanged(batches.change(id, change, clock.now()));
    },
    'batches.setMapping': async ({ id, mapping }) => {
      const batch = batches.get(id);
      assertSameApi(batch, mapping, ports);
      const matches = matchColumns(mapping, columnNames(batch), batch.matches);
      return emitChanged(batches.change(id, { mapping, matches }, clock.now()));
    },
    'batches.setMatches': async ({ id, matches }) => {
      const batch = batches.get(id);
      const known = new Set(batch.mapping === null ? [] : compileMapping(batch.mapping).columns);
      const kept = matches.filter(({ placeholder }) => known.has(placeholder));
      const changed = batches.change(id, { matches: kept }, clock.now());
      if (batch.templateId !== null) {
        const key = headerSetKey(columnNames(batch));
        batches.remember(batch.templateId, key, kept, clock.now());
      }
      return emitChanged(changed);
    },
    'batches.setSchedule': async ({ id, schedule, policy }) => {
      if (schedule.hours !== null && schedule.hours.from >= schedule.hours.until) {
        throw new AppError(
          'invalid',
          'The sending hours end before they begin. Enter the earlier hour first',
        );
      }
      return emitChanged(batches.change(id, { schedule, policy }, clock.now()));
    },
  };
}

/**
 * Returns the numbers of the rows of a batch that contains only a part of its file, because other
 * batches contain the other rows. Returns null for a batch of the whole file.
 */
async function findOwnRows(
  { stores: { batches }, sheets }: ColumnPorts,
  id: BatchId,
): Promise<ReadonlySet<number> | null> {
  const rows = batches.rows(id);
  const own = new Set(rows.map(({ row }) => row));
  if (rows.some(({ replaces }) => replaces !== null)) return own;
  if (batches.origin(id) === id) return null;
  const file = await sheets.reader.read(batches.file(id).data, batches.get(id).choices);
  return file.rows.some(({ row }) => !own.has(row)) ? own : null;
}

/** Throws 'invalid' if the file contains not all of the rows: a row may not be lost silently. */
function keepOwnRows(
  { shape, rows }: ReadSheet,
  sheet: string | null,
  own: ReadonlySet<number> | null,
): ReadSheet {
  if (own === null) return { shape, rows };
  const kept = shape.sheet === sheet ? rows.filter(({ row }) => own.has(row)) : [];
  if (kept.length === own.size) return { shape: { ...shape, rows: kept.length }, rows: kept };
  const found = new Set(kept.map(({ row }) => row));
  const missing = [...own].filter((row) => !found.has(row)).join(', ');
  const message = `Read in this way, the file does not contain these rows of the batch: ${missing}. Nothing was changed`;
  throw new AppError('invalid', message, { reason: 'sheet-other-rows' });
}

/** Shows again why the service refused the rows that the rows of this batch replace. */
function restoreRefusals({ stores: { batches, outbox } }: ColumnPorts, id: BatchId): void {
  for (const { row, replaces } of batches.rows(id)) {
    if (replaces !== null) batches.setFailure(id, row, refusalOf(outbox.get(replaces)));
  }
}

/** Reads the file and stores it with its rows. */
async function createFrom(
  ports: ColumnPorts,
  { bytes, ...order }: Parameters<ColumnHandlers['batches.create']>[0],
): Promise<Batch> {
  const data = ports.bytes.take(bytes);
  const sheet = await ports.sheets.reader.read(data, order.choices);
  const made = newBatch(ports, { ...order, data, sheet });
  ports.stores.batches.insert(made);
  return ports.stores.batches.get(made.batch.id);
}

function assertSameApi(
  { templateId }: Batch,
  mapping: BatchMapping,
  { stores }: Pick<ColumnPorts, 'stores'>,
): void {
  if (templateId === null) return;
  if (stores.templates.get(templateId).content.body.api === mapping.api) return;
  throw new AppError(
    'invalid',
    'The mapping of columns and the template use different APIs. Choose another mapping or template',
    { reason: 'mapping-form' },
  );
}

/**
 * Returns the columns of a batch's placeholders for another sheet or header row: those used before
 * for the same headers, or chosen now if they are still there. Null if the columns are the same.
 */
function matchesForColumns(
  batch: Batch,
  columns: readonly string[],
  { stores }: Pick<ColumnPorts, 'stores'>,
): ColumnMatch[] | null {
  const { mapping, matches, templateId } = batch;
  if (mapping === null || columns.join('\n') === columnNames(batch).join('\n')) return null;
  const recalled =
    templateId === null ? null : stores.batches.recall(templateId, headerSetKey(columns));
  // A placeholder without a column in the other sheet may have one in this sheet.
  const chosen = recalled ?? matches.filter(({ column }) => column !== null);
  return matchColumns(mapping, columns, chosen);
}

const columnNames = ({ sheet }: Batch): string[] => sheet.columns.map(({ name }) => name);
