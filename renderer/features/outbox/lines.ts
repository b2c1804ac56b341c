import type { OutboxBatch, OutboxItem } from '../../../shared/contract/outbox.ts';
import type { BatchId } from '../../../shared/model/ids.ts';

const ENDED_STATES = ['sent', 'cancelled', 'abandoned'];
export const isOpenItem = (item: OutboxItem): boolean => !ENDED_STATES.includes(item.state);

/** Number of rows of a batch that are not sent yet, or that need a user. */
export const openRows = ({ counts, needsPerson }: OutboxBatch): number =>
  counts.queued + counts.sending + needsPerson;

/** The batch whose rows are listed below its line. */
export interface OpenedBatch {
  readonly batchId: BatchId;
  /** Whether only rows that need a user are listed. */
  readonly needsPerson: boolean;
}

/** A line of the outbox: a single item, a batch, or a row of the opened batch. */
export type OutboxLine =
  | {
      readonly kind: 'batch';
      readonly key: string;
      readonly batch: OutboxBatch;
      readonly isOpened: boolean;
    }
  | { readonly kind: 'item'; readonly key: string; readonly item: OutboxItem };

export const batchLineKey = (batchId: BatchId): string => `batch-${batchId}`;

interface OutboxContent {
  readonly items: readonly OutboxItem[];
  readonly batches: readonly OutboxBatch[];
  readonly opened: OpenedBatch | null;
  /** Rows of the opened batch. */
  readonly rows: readonly OutboxItem[];
}

const itemLine = (item: OutboxItem): OutboxLine => ({ kind: 'item', key: item.ref, item });

/**
 * Lines of the outbox: what is open first, then what has ended, each newest first. Each batch is one
 * line; the rows of the opened batch follow its line. The list of batches excludes old ones; the
 * rows of an opened old batch are then first.
 */
export function outboxLines({
  items,
  batches,
  opened,
  rows,
}: OutboxContent): readonly OutboxLine[] {
  const rowLines = rows.map(itemLine);
  const parts = [
    ...batches.map((batch) => {
      const isOpened = batch.batchId === opened?.batchId;
      const line = { kind: 'batch', key: batchLineKey(batch.batchId), batch, isOpened } as const;
      return {
        isOpen: openRows(batch) > 0,
        at: batch.armedAt,
        lines: isOpened ? [line, ...rowLines] : [line],
      };
    }),
    ...items.map((item) => ({
      isOpen: isOpenItem(item),
      at: item.createdAt,
      lines: [itemLine(item)],
    })),
  ];
  const isListed = batches.some(({ batchId }) => batchId === opened?.batchId);
  const ordered = parts.toSorted((one, other) =>
    one.isOpen === other.isOpen ? other.at - one.at : Number(other.isOpen) - Number(one.isOpen),
  );
  return [...(isListed ? [] : rowLines), ...ordered.flatMap(({ lines }) => lines)];
}
