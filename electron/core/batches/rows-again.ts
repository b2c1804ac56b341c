import type { Batch } from '../../../shared/contract/batches.ts';
import type { BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';
import type { StoredItem } from '../outbox/ports.ts';
import { editsOf, toFileRow } from './edits.ts';
import { cancelWaiting, type RunPorts } from './run.ts';

/**
 * Returns the service's message for a request and for each field it named; empty if there is none.
 */
function failureWords({ message, said = message, fields = {} }: Failure): string {
  const named = Object.entries(fields).filter(([, sentence]) => !said.includes(sentence));
  return [said, ...named.map(([field, sentence]) => `${field}: ${sentence}`)].join('; ');
}

/** Returns the reason for which the service refused a row; null if it did not refuse the row. */
export function refusalOf({ state, reason }: Pick<StoredItem, 'state' | 'reason'>): string | null {
  if (state !== 'rejected') return null;
  return reason === null ? '' : failureWords(reason);
}

const noWaitingRowsError = (): AppError =>
  new AppError('not-found', 'No row of the batch is waiting any more');
const noRefusedRowsError = (): AppError =>
  new AppError('not-found', 'The batch has no rows that were refused or given up');

type Ports = Pick<RunPorts, 'clock'> & {
  readonly stores: Pick<Stores, 'batches' | 'outbox'>;
};

interface RowToResend {
  /**
   * Send that the row replaces; null if nothing of that send left this computer, in which case the
   * row that it replaced itself still counts.
   */
  readonly ref: OutboxRef | null;
  /** Reason for the refusal; null if the row was not refused. */
  readonly words: string | null;
}

/**
 * Copies refused rows and rows that the user gave up into a new batch for correction. A refused row
 * shows its reason until one of its cells is changed or the user includes it as it is. A row that
 * was given up is excluded until the user includes it, because the service may have it. Each keeps a
 * reference to the row that it replaces, and waits until it is certain that the replaced row created
 * nothing.
 */
export function copyRefusedRows(
  ports: Ports,
  id: BatchId,
  newId: BatchId,
  name: string | undefined,
): Batch {
  const refused = ports.stores.outbox.inBatch(id).flatMap(({ ref, state, rowNo, reason }) => {
    if (rowNo === null || (state !== 'rejected' && state !== 'abandoned')) return [];
    return [[rowNo, { ref, words: refusalOf({ state, reason }) }] as const];
  });
  return createBatchAgain(ports, id, { id: newId, name }, new Map(refused), noRefusedRowsError);
}

/**
 * Stops a batch and moves its unsent waiting rows to a new batch, without rows that the user
 * cancelled before. The stop and the move happen together or not at all, since stopped rows exist
 * nowhere else.
 */
export function copyWaitingRows(ports: RunPorts, id: BatchId, newId: BatchId): Batch {
  const { stores, emit } = ports;
  const batch = stores.transaction(() => {
    const stopped = new Set(cancelWaiting(ports, id));
    const waited = stores.outbox
      .inBatch(id)
      .flatMap(({ ref, rowNo }) =>
        stopped.has(ref) && rowNo !== null ? [[rowNo, { ref: null, words: null }] as const] : [],
      );
    const same = { id: newId, name: undefined };
    return createBatchAgain(ports, id, same, new Map(waited), noWaitingRowsError);
  });
  emit('batches.changed', { id });
  return batch;
}

function createBatchAgain(
  { stores: { batches }, clock }: Ports,
  id: BatchId,
  copy: { readonly id: BatchId; readonly name: string | undefined },
  wanted: ReadonlyMap<number, RowToResend>,
  whenNone: () => AppError,
): Batch {
  const old = batches.get(id);
  const rows = batches.rows(id).filter(({ row }) => wanted.has(row));
  if (rows.length === 0) throw whenNone();
  const now = clock.now();
  const { data, sha256 } = batches.file(id);
  const sheet = { ...old.sheet, rows: rows.length };
  const batch: Batch = {
    ...old,
    id: copy.id,
    name: copy.name ?? old.name,
    stage: 'open',
    sheet,
    revision: 1,
    createdAt: now,
    updatedAt: now,
    templateRevision: old.templateId === null ? null : old.templateRevision,
  };
  const replaces = new Map(
    rows.flatMap(({ row, replaces: earlier }) => {
      const ref = wanted.get(row)?.ref ?? earlier;
      return ref === null ? [] : [[row, ref]];
    }),
  );
  const edited = { rows: rows.map(toFileRow), edits: rows.flatMap(editsOf) };
  batches.insert({ batch, data, sha256, ...edited, replaces, origin: batches.origin(id) });
  for (const { row } of rows) batches.setFailure(copy.id, row, wanted.get(row)?.words ?? null);
  return batches.get(copy.id);
}
