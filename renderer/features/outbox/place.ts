import { BatchId } from '../../../shared/model/ids.ts';

/** The line that an address of the outbox names, and which rows of its batch are listed. */
export interface OutboxPlace {
  /** Batch of the line; null for a single send. */
  readonly batchId: BatchId | null;
  /** Whether only the batch's rows that need a user are listed. */
  readonly needsPerson: boolean;
  /** The item; null for the line of a batch. */
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
