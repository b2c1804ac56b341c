import type { ArchiveRuleView } from '../../shared/contract/archive.ts';
import type { Digest } from '../../shared/contract/digest.ts';
import type { Job } from '../../shared/contract/jobs.ts';
import type { OutboxBatch, OutboxItem } from '../../shared/contract/outbox.ts';

/** State of the program that a user who looks elsewhere may need to know. */
export interface DeskState {
  /** Single sends and stopped batches that wait for a user's decision. */
  readonly decisions: number;
  readonly batches: readonly Pick<OutboxBatch, 'batchId' | 'rows' | 'counts' | 'needsPerson'>[];
  readonly jobs: readonly Pick<Job, 'id' | 'kind' | 'state' | 'failed'>[];
}

/**
 * A desktop notification. It contains only counts: a title may contain a personal number, and other
 * people can see the screen.
 */
export type DesktopNews =
  | { readonly kind: 'decision'; readonly count: number }
  | { readonly kind: 'batch'; readonly count: number; readonly rows: number }
  | { readonly kind: 'archive'; readonly count: number }
  | { readonly kind: 'ended'; readonly as: AnnouncedOutcome; readonly count: number };

const announcedOutcomes = ['signed', 'rejected', 'expired'] as const;
type AnnouncedOutcome = (typeof announcedOutcomes)[number];

type BatchState = DeskState['batches'][number];
type JobState = DeskState['jobs'][number];

const isBatchRunning = ({ counts }: BatchState): boolean => counts.queued + counts.sending > 0;
const isRunning = ({ state }: JobState): boolean => state === 'running';
const isArchive = ({ kind }: JobState): boolean =>
  kind === 'archive-agreements' || kind === 'verify-archive';

/** Returns the events between two states that need a user. */
export function newsBetween(before: DeskState, now: DeskState): readonly DesktopNews[] {
  const decided: DesktopNews[] =
    now.decisions > before.decisions ? [{ kind: 'decision', count: now.decisions }] : [];
  const batches = now.batches.flatMap((batch): DesktopNews[] => {
    const earlier = before.batches.find(({ batchId }) => batchId === batch.batchId);
    // A short batch may end before it is ever seen in progress.
    const hasEnded = (earlier === undefined || isBatchRunning(earlier)) && !isBatchRunning(batch);
    const { needsPerson: count, rows } = batch;
    return hasEnded && count > 0 ? [{ kind: 'batch', count, rows }] : [];
  });
  const archives = now.jobs.flatMap((job): DesktopNews[] => {
    const wasRunning = before.jobs.some((one) => one.id === job.id && isRunning(one));
    const hasFailed = job.state === 'failed' || job.failed > 0;
    const isNews = isArchive(job) && wasRunning && !isRunning(job) && hasFailed;
    return isNews ? [{ kind: 'archive', count: job.failed }] : [];
  });
  return [...decided, ...batches, ...archives];
}

/** Agreements that ended between two readings of the same daily summary; one item per outcome. */
export function outcomesBetween(
  before: Pick<Digest, 'since' | 'counts'>,
  now: Pick<Digest, 'since' | 'counts'>,
): readonly DesktopNews[] {
  if (before.since !== now.since) return [];
  return announcedOutcomes.flatMap((as): DesktopNews[] => {
    const count = now.counts[as] - before.counts[as];
    return count > 0 ? [{ kind: 'ended', as, count }] : [];
  });
}

/** Whether the last automatic archive run failed, possibly while no user was present. */
export function hasFailedUnseen(
  rules: readonly {
    readonly rule: Pick<ArchiveRuleView['rule'], 'when'>;
    readonly last: Pick<NonNullable<ArchiveRuleView['last']>, 'failed' | 'failure'> | null;
  }[],
): boolean {
  return rules.some(
    ({ rule, last }) =>
      rule.when.kind !== 'by-hand' && last !== null && (last.failure !== null || last.failed > 0),
  );
}

/**
 * Number of sends that would start automatically, immediately or as scheduled, while the program
 * runs.
 */
export function waitingSends(
  items: readonly Pick<OutboxItem, 'state' | 'nextAt'>[],
  batches: readonly Pick<OutboxBatch, 'counts' | 'gate'>[],
): number {
  const single = items.filter(({ state, nextAt }) => state === 'queued' && nextAt !== null);
  const rows = batches.filter(({ gate }) => gate === 'open').map(({ counts }) => counts.queued);
  return rows.reduce((sum, count) => sum + count, single.length);
}

interface MeasuredWork {
  readonly done: number;
  readonly total: number | null;
}

/** Overall progress from 0 to 1 in hundredths; null if no measurable work is running. */
export function fractionOf(going: readonly MeasuredWork[]): number | null {
  let [done, total] = [0, 0];
  for (const one of going) {
    if (one.total === null) continue;
    done += Math.min(one.done, one.total);
    total += one.total;
  }
  return total === 0 ? null : Math.floor((100 * done) / total) / 100;
}
