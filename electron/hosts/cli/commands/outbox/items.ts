import type { OutboxItem } from '../../../../../shared/contract/outbox.ts';
import type { Session } from '../../session/session.ts';

/** Returns single sends, and the unsettled rows of batches. */
export async function readUnsettledItems({
  api,
}: Pick<Session, 'api'>): Promise<readonly OutboxItem[]> {
  const items: OutboxItem[] = [...(await api['outbox.list']({}))];
  for (const { batchId } of await api['outbox.batches']({})) {
    const rows = await api['outbox.list']({ batchId });
    items.push(...rows.filter(({ state }) => !['sent', 'cancelled', 'abandoned'].includes(state)));
  }
  return items;
}
