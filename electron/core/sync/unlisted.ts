import type { AgreementKey } from '../../../shared/model/ids.ts';
import { AppError } from '../../../shared/errors.ts';
import type { AgreementService, AgreementStore } from '../ports.ts';
import { isKnown } from '../services/fresh-copy.ts';
import { scanListing } from './scan.ts';
import { type SyncReading, storePage } from './reading.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/**
 * Maximum number of agreements read individually per sync: enough for a busy day. The rest wait for
 * the next sync, to avoid a flood of requests.
 */
const MAX_UNLISTED_READS = 25;
/**
 * Interval (ms) between comparisons of the lists of open agreements themselves: equal numbers may
 * hide two differences.
 */
const SWEEP_INTERVAL_MS = DAY;

/**
 * Finds agreements whose end appears in no list of changes: API v1 does not list expired agreements
 * as changed, and API v2 does not list revoked ones at all. Such agreements leave the service's
 * list of open agreements, so its length is compared with the number of open local copies in one
 * small request. If the numbers differ, that list is read, a hundred agreements per request, and
 * each missing agreement is read individually, up to a limit. Only the answer about the agreement
 * itself proves its end; its absence from the list does not.
 */
export async function readUnlisted(reading: SyncReading): Promise<void> {
  await compareOpen(reading);
  const { stores, connection, service, signal, clock, tally, news } = reading;
  const { id: connectionId } = connection;
  for (const id of stores.sync.possiblyStale(connectionId, clock.now(), MAX_UNLISTED_READS)) {
    signal.throwIfAborted();
    const key = { connectionId, id };
    const remote = await readOrMarkGone(service, stores.agreements, key, signal);
    if (remote !== null) {
      await storePage(reading, [remote]);
      continue;
    }
    tally.gone += 1;
    news.changes(0, 1);
  }
}

async function compareOpen(reading: SyncReading): Promise<void> {
  const { stores, connection, service, signal, clock, tally } = reading;
  const { id } = connection;
  const count = await service.countOpen(signal);
  const before = stores.sync.openCount(id);
  const age = clock.now() - (before?.sweptAt ?? 0);
  if (before !== null && age >= 0 && age < SWEEP_INTERVAL_MS) {
    if (count === before.count && tally.changed === 0) return;
    const difference = count - stores.sync.countOpenSeenSince(id, before.sweptAt);
    if (difference === before.difference) {
      stores.sync.saveOpenCount(id, { ...before, count });
      return;
    }
  }
  await sweepOpenList(reading, count);
}

/**
 * Reads the service's list of open agreements. Copies not seen since `sweptAt` are not in that
 * list.
 */
async function sweepOpenList(reading: SyncReading, counted: number): Promise<void> {
  const { stores, connection, service, signal, clock } = reading;
  const { id } = connection;
  const sweptAt = clock.now();
  const { total } = await scanListing(
    {
      pages: (place) => service.open(signal, place),
      left: null,
      enteredAt: ({ createdAt, sentAt }) => createdAt ?? sentAt,
      take: (page) => storePage(reading, page.items),
    },
    signal,
  );
  const count = total ?? counted;
  const difference = count - stores.sync.countOpenSeenSince(id, sweptAt);
  stores.sync.saveOpenCount(id, { sweptAt, count, difference });
}

/**
 * Reads one agreement. If it is deleted or inaccessible, marks the local copy, which stays, and
 * returns null. Throws 'not-found' or 'forbidden' if there is no copy to mark.
 */
export async function readOrMarkGone(
  service: AgreementService,
  agreements: AgreementStore,
  key: AgreementKey,
  signal: AbortSignal,
) {
  try {
    return await service.read(key.id, signal);
  } catch (error) {
    const gone = goneReasonOf(error);
    if (gone === null || !isKnown(agreements, key)) throw error;
    agreements.markGone(key, gone);
    return null;
  }
}

function goneReasonOf(error: unknown): 'deleted' | 'no-access' | null {
  if (!(error instanceof AppError)) return null;
  if (error.failure.code === 'not-found') return 'deleted';
  return error.failure.code === 'forbidden' ? 'no-access' : null;
}
