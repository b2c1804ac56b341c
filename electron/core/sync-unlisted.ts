import type { Connection } from '../../shared/contract/connections.ts';
import type { AgreementKey } from '../../shared/contract/ids.ts';
import { AppError } from '../../shared/errors.ts';
import type { AgreementService, AgreementStore, Clock } from './ports.ts';

/** Enough for a busy day; the rest waits for the next reading, so that none is a flood. */
const MOST = 25;
const DAY = 86_400_000;

/**
 * Reads, one by one and not too many, open agreements that no list tells the end of: v1 lists no
 * expired ones by their change, v2 no revoked ones at all. Being absent from a list proves nothing;
 * only the service's 404 or 403 about the one agreement does.
 */
export async function readUnlisted(
  ports: { readonly stores: { readonly agreements: AgreementStore }; readonly clock: Clock },
  connection: Connection,
  service: AgreementService,
  reading: {
    /** Epoch milliseconds. */
    readonly startedAt: number;
    /** The lists held everything there is, so that what they left out is due at once. */
    readonly wasAll: boolean;
    readonly signal: AbortSignal;
  },
): Promise<{ readonly changed: number; readonly gone: number }> {
  const { agreements } = ports.stores;
  const { startedAt, wasAll, signal } = reading;
  const before = wasAll ? startedAt : startedAt - DAY;
  const due = agreements.unseenOpen(connection.id, before, startedAt).slice(0, MOST);
  let changed = 0;
  let gone = 0;
  for (const id of due) {
    signal.throwIfAborted();
    const key = { connectionId: connection.id, id };
    const remote = await readOrMarkGone(service, agreements, key, signal);
    if (remote === null) gone += 1;
    else changed += agreements.put(connection.id, connection.api, [remote], ports.clock.now());
  }
  return { changed, gone };
}

/**
 * Reads one agreement; null after it was marked as deleted or out of reach. The copy here stays.
 * Throws 'not-found' or 'forbidden' when there is no copy to mark.
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
    const gone = goneBy(error);
    const isKnown = agreements.find(key.id).some((one) => one.connectionId === key.connectionId);
    if (gone === null || !isKnown) throw error;
    agreements.markGone(key, gone);
    return null;
  }
}

function goneBy(error: unknown): 'deleted' | 'no-access' | null {
  if (!(error instanceof AppError)) return null;
  if (error.failure.code === 'not-found') return 'deleted';
  return error.failure.code === 'forbidden' ? 'no-access' : null;
}
