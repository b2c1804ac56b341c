import type { SyncStatus } from '../../../shared/contract/agreements.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { ConnectionId } from '../../../shared/model/ids.ts';

/** A reason why checks for changes fail, with all connections that it applies to. */
export interface Trouble {
  /** Reason as text, the same after each check that fails like this. */
  readonly id: string;
  readonly failure: Failure;
  readonly connectionIds: readonly ConnectionId[];
}

/** Groups failed checks by their reason, so that each reason is shown once. */
export function troublesOf(statuses: readonly SyncStatus[]): readonly Trouble[] {
  const byReason = new Map<
    string,
    { id: string; failure: Failure; connectionIds: ConnectionId[] }
  >();
  for (const { failure, connectionId } of statuses) {
    if (failure === null) continue;
    // The service's own words may differ between connections.
    const id = JSON.stringify([failure.code, failure.reason, failure.said]);
    const known = byReason.get(id);
    if (known === undefined) byReason.set(id, { id, failure, connectionIds: [connectionId] });
    else known.connectionIds.push(connectionId);
  }
  return [...byReason.values()];
}
