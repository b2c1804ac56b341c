import type { Batch } from '../../../shared/contract/batches.ts';
import type { BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { Stores } from '../ports.ts';
import { cancelWaiting, type RunPorts } from './run.ts';

/** What the service said of a request, and of each field that it named; empty when nothing. */
function wordsOf({ message, said = message, fields = {} }: Failure): string {
  const named = Object.entries(fields).filter(([, sentence]) => !said.includes(sentence));
  return [said, ...named.map(([field, sentence]) => `${field}: ${sentence}`)].join('; ');
}

const allSent = (): AppError =>
  new AppError('not-found', 'No row of the batch is waiting any more');
const noneRefused = (): AppError =>
  new AppError('not-found', 'The batch has no rows that the service refused');

type Ports = Pick<RunPorts, 'clock'> & {
  readonly stores: Pick<Stores, 'batches' | 'outbox'>;
};

/** A row that goes into a new batch. */
interface RowAgain {
  /** The send it stands in for; null where no byte of that left: what that stood in for still counts. */
  readonly ref: OutboxRef | null;
  /** Why it was refused; null where it was not. */
  readonly words: string | null;
}

/**
 * Rows that the service refused, as a batch of their own in which they can be put right. Each says
 * why until one of its cells is changed, or a person takes it in as it is; and each remembers which
 * it stands in for, so that it waits until that one surely made nothing.
 */
export function refusedRows(ports: Ports, id: BatchId, newId: BatchId): Batch {
  const refused = ports.stores.outbox
    .inBatch(id)
    .flatMap(({ ref, state, rowNo, reason }) =>
      state === 'rejected' && rowNo !== null
        ? [[rowNo, { ref, words: reason === null ? '' : wordsOf(reason) }] as const]
        : [],
    );
  return rowsAgain(ports, id, newId, new Map(refused), noneRefused);
}

/**
 * Stops a batch; what still waited of it, and no byte of which left, is a batch of its own. Rows that a person took back
 * before are not in it. Both happen, or neither: rows that were stopped are nowhere else.
 */
export function waitingRows(ports: RunPorts, id: BatchId, newId: BatchId): Batch {
  const { stores, emit } = ports;
  const batch = stores.transaction(() => {
    const stopped = new Set(cancelWaiting(ports, id));
    const waited = stores.outbox
      .inBatch(id)
      .flatMap(({ ref, rowNo }) =>
        stopped.has(ref) && rowNo !== null ? [[rowNo, { ref: null, words: null }] as const] : [],
      );
    return rowsAgain(ports, id, newId, new Map(waited), allSent);
  });
  emit('batches.changed', { id });
  return batch;
}

function rowsAgain(
  { stores: { batches }, clock }: Ports,
  id: BatchId,
  newId: BatchId,
  wanted: ReadonlyMap<number, RowAgain>,
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
    id: newId,
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
  batches.insert({ batch, data, sha256, rows, replaces, origin: batches.origin(id) });
  for (const { row } of rows) batches.setFailure(newId, row, wanted.get(row)?.words ?? null);
  return batches.get(newId);
}
