import type { AgreementId, ConnectionId } from '../../shared/contract/ids.ts';
import type { RemoteAgreement } from '../../shared/model/agreement.ts';
import type { FullReading, OpenCount, SyncStore } from '../../electron/core/sync-ports.ts';

/** What of a copy decides whether it is out of date. */
export interface ToldCopy {
  readonly key: { readonly connectionId: ConnectionId; readonly id: AgreementId };
  readonly api: 'v1' | 'v2';
  readonly remote: RemoteAgreement;
  readonly readAt: number;
  readonly gone: 'deleted' | 'no-access' | null;
}

/** The sync store without a file, over the copies as they are. */
export function createMemorySyncStore(copies: () => readonly ToldCopy[]): SyncStore {
  const full = new Map<ConnectionId, FullReading>();
  const complete = new Map<ConnectionId, number>();
  const counts = new Map<ConnectionId, OpenCount>();
  const of = (id: ConnectionId) =>
    copies().filter(({ key, gone }) => key.connectionId === id && gone === null);
  const isOpen = ({ remote }: ToldCopy) => ['waiting', 'part-signed'].includes(remote.state);
  return {
    atomically: (work) => work(),
    full: (id) => full.get(id) ?? null,
    saveFull: (id, reading) => void full.set(id, reading),
    endFull(id, startedAt) {
      full.delete(id);
      complete.set(id, startedAt);
    },
    openCount: (id) => counts.get(id) ?? null,
    saveOpenCount: (id, count) => void counts.set(id, count),
    known: (id, agreements) =>
      copies().filter(({ key }) => key.connectionId === id && agreements.includes(key.id)).length,
    toldSince: (id, at) => of(id).filter(({ readAt }) => readAt >= at).length,
    openToldSince: (id, at) => of(id).filter((one) => isOpen(one) && one.readAt >= at).length,
    untold(id, now, limit) {
      const isPast = (at: number | null, readAt: number) => at !== null && at <= now && readAt < at;
      const isUntold = (one: ToldCopy) => {
        const { expiresAt, deletesAt, state } = one.remote;
        const isListed = one.api === 'v1' || state !== 'revoked';
        return (
          (isOpen(one) && isPast(expiresAt, one.readAt)) ||
          isPast(deletesAt, one.readAt) ||
          (isOpen(one) && one.readAt < (counts.get(id)?.sweptAt ?? 0)) ||
          (isListed && one.readAt < (complete.get(id) ?? 0))
        );
      };
      const found = of(id).filter(isUntold);
      return found
        .toSorted((a, b) => a.readAt - b.readAt)
        .slice(0, limit)
        .map(({ key }) => key.id);
    },
  };
}
