import type { Batch } from '../../../shared/contract/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import type { Clock, Stores } from '../ports.ts';

/** What the service said of a request, and of each field that it named; empty when nothing. */
function wordsOf({ message, said = message, fields = {} }: Failure): string {
  const named = Object.entries(fields).filter(([, sentence]) => !said.includes(sentence));
  return [said, ...named.map(([field, sentence]) => `${field}: ${sentence}`)].join('; ');
}

/**
 * Rows that the service refused, as a batch of their own in which they can be put right. Each says
 * why until one of its cells is changed, or a person takes it in as it is; and each remembers which
 * it stands in for, so that it waits until that one surely made nothing.
 */
export function refusedRows(
  { stores, clock }: { readonly stores: Pick<Stores, 'batches' | 'outbox'>; readonly clock: Clock },
  id: BatchId,
  newId: BatchId,
): Batch {
  const { batches, outbox } = stores;
  const old = batches.get(id);
  const refused = new Map(
    outbox
      .inBatch(id)
      .flatMap(({ ref, state, rowNo, reason }) =>
        state === 'rejected' && rowNo !== null
          ? [[rowNo, { ref, words: reason === null ? '' : wordsOf(reason) }] as const]
          : [],
      ),
  );
  const rows = batches.rows(id).filter(({ row }) => refused.has(row));
  if (rows.length === 0) throw new AppError('not-found', 'The service refused no row of it');
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
  const replaces = new Map([...refused].map(([row, { ref }]) => [row, ref]));
  batches.insert({ batch, data, sha256, rows, replaces });
  for (const { row } of rows) batches.setFailure(newId, row, refused.get(row)?.words ?? null);
  return batches.get(newId);
}
