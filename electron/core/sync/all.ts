import type { ConnectionId } from '../../../shared/contract/ids.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Sync, SyncOutcome, SyncProgress } from './handlers.ts';

/** Reads connections side by side; fails only when every one of them does. */
export async function syncAll(
  sync: Sync,
  ids: readonly ConnectionId[],
  isFull: boolean,
  signal: AbortSignal,
  report: (progress: Progress) => void,
): Promise<JobOutcome<{ connections: SyncOutcome[] }>> {
  const progress = new Map<ConnectionId, SyncProgress>();
  const connections = await Promise.all(
    ids.map((id) =>
      sync.run(id, isFull, signal, (now) => {
        progress.set(id, now);
        report(sumOf([...progress.values()]));
      }),
    ),
  );
  const failures = connections.flatMap(({ failure }) => failure ?? []);
  report({ failed: failures.length });
  const isAllFailed = failures.length > 0 && failures.length === ids.length;
  return { result: { connections }, failure: isAllFailed ? (failures[0] ?? null) : null };
}

/** Agreements read, and in all as far as every service has said. */
function sumOf(parts: readonly SyncProgress[]): SyncProgress {
  const done = parts.reduce((sum, part) => sum + part.done, 0);
  const totals = parts.flatMap(({ total }) => total ?? []);
  const isKnown = totals.length === parts.length;
  return { done, total: isKnown ? totals.reduce((sum, total) => sum + total, 0) : null };
}
