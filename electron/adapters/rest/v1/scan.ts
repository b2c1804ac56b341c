import { isCode } from '../../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import type { ScanQuery, ScanReading, SeenAgreement } from '../../../core/outbox/ports.ts';
import { AgreementId } from '../../../../shared/model/ids.ts';
import type { Client } from '../http/client.ts';
import { type ScanPage, readWhole } from '../both/scan.ts';
import { listV1, readV1 } from './agreements.ts';
import { selectionFilter } from './selection.ts';
import { REF_TAG } from './write.ts';

/** Maximum number of agreements that are read one by one if the list shows no tags. */
const MAX_TAG_READS = 50;

/** Scans all agreements that were active after `from`, with their tags (API v1, "Tags"). */
export async function scanV1(
  client: Client,
  { from }: ScanQuery,
  onPage: () => void,
  signal: AbortSignal,
): Promise<ScanReading> {
  const filter = selectionFilter({ active: { from: Math.max(0, from) } });
  const reading = await readWhole(async function* (): AsyncGenerator<ScanPage, void> {
    for await (const { items, total, serverTime } of listV1(client, filter, signal)) {
      yield { seen: items.map(seenOf), total: total ?? Number.NaN, serverTime };
    }
  }, onPage);
  const hasTags = reading.seen.length === 0 || reading.seen.some(({ ref }) => ref !== null);
  return hasTags ? reading : readMissingTags(client, reading, signal);
}

/** Adds tags. If the list has no tag of this program, it perhaps shows no tags at all. */
async function readMissingTags(
  client: Client,
  reading: ScanReading,
  signal: AbortSignal,
): Promise<ScanReading> {
  if (reading.seen.length > MAX_TAG_READS)
    return { ...reading, incompleteReason: reading.incompleteReason ?? 'no-tags' };
  const seen: SeenAgreement[] = [];
  for (const one of reading.seen) {
    try {
      seen.push(seenOf(await readV1(client, one.id, signal)));
    } catch (error) {
      // The agreement was removed after it was listed, so it no longer exists.
      if (!isCode(error, 'not-found')) throw error;
      seen.push(one);
    }
  }
  return { ...reading, seen };
}

function seenOf({
  id,
  title,
  sentAt,
  createdAt,
  nativeState,
  tags,
}: RemoteAgreement): SeenAgreement {
  return {
    id: AgreementId.parse(id),
    title,
    sentAt: sentAt ?? createdAt,
    state: nativeState,
    ref: outboxRefIn(tags),
    parties: null,
    fields: null,
  };
}

/**
 * Returns the outbox reference in the tags. Ignores case, since a service may change the case of
 * keys.
 */
function outboxRefIn(tags: RemoteAgreement['tags']): string | null {
  const found = Object.entries(tags ?? {}).find(([key]) => key.toLowerCase() === REF_TAG);
  return found?.[1].toLowerCase() ?? null;
}
