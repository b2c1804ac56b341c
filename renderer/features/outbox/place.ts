import { BatchId } from '../../../shared/model/ids.ts';

/** Content of the outbox screen: a batch, optionally only rows that need a user, and one row. */
export interface OutboxPlace {
  /** Batch whose rows are shown; null for the single sends. */
  readonly batchId: BatchId | null;
  readonly needsPerson: boolean;
  readonly ref: string | null;
}

const BATCH_PART = 'batch';
const ALL_PART = 'all';
const NEEDS_PERSON_PART = 'needs-you';

export function placeIn(parts: readonly string[]): OutboxPlace {
  const [first, id, which, ref] = parts;
  const batchId = BatchId.safeParse(id);
  if (first !== BATCH_PART || !batchId.success) {
    return { batchId: null, needsPerson: false, ref: first ?? null };
  }
  return { batchId: batchId.data, needsPerson: which === NEEDS_PERSON_PART, ref: ref ?? null };
}

export function placeOf({ batchId, needsPerson, ref }: OutboxPlace): readonly string[] {
  const row = ref === null ? [] : [ref];
  if (batchId === null) return row;
  return [BATCH_PART, batchId, needsPerson ? NEEDS_PERSON_PART : ALL_PART, ...row];
}
