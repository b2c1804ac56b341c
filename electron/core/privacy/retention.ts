import type { Emit } from '../../../shared/contract/index.ts';
import {
  RetentionKind,
  type RetentionPeriod,
  type RetentionLimits,
  type RetentionResult,
  type RetentionPreview,
} from '../../../shared/contract/privacy.ts';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Clock, CopyWriter, Log, Scheduler, Stores } from '../ports.ts';
import type { AgreementReader } from '../agreements/ports.ts';
import type { RetirementPlace } from '../sync/ports.ts';
import type { DroppedItems, OldItemCounts, LogFiles } from './ports.ts';
import { DAY, HOUR } from '../../../shared/rules/time/units.ts';

/** Maximum of the setting: a hundred years. */
const MAX_MONTHS = 1200;
/** Number of items per step: few enough to check and remove within milliseconds. */
const ITEMS_PER_RETENTION_STEP = 10;
/** Number of large items per step: files of drafts and rows of spreadsheets take longer. */
const LARGE_ITEMS_PER_STEP = 5;
/** Interval between checks: limits are months, so an hour does not matter. */
const CHECK_EVERY_MS = HOUR;
/** Delay of the first check: the program has more urgent work when it starts. */
const FIRST_CHECK_MS = 30_000;

export interface RetentionPorts {
  readonly stores: Pick<Stores, 'connections' | 'privacy' | 'settings'>;
  readonly copies: Pick<CopyWriter, 'retire'>;
  readonly lists: Pick<AgreementReader, 'retirable'>;
  readonly logFiles: LogFiles;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly emit: Emit;
}

interface RetentionStep {
  readonly gone: number;
  readonly isMore: boolean;
}

type Report = (progress: Progress) => void;

/** Removes items that are older than the user's retention limits, in small steps. */
export class Retention {
  readonly #ports: RetentionPorts;
  readonly #turns = new Serial();

  constructor(ports: RetentionPorts) {
    this.#ports = ports;
  }

  limits(): RetentionLimits {
    const { keepClosedMonths, keepDays } = this.#ports.stores.settings.read();
    return { copies: keepClosedMonths, ...keepDays };
  }

  setLimits(change: Partial<RetentionLimits>): RetentionLimits {
    const { settings } = this.#ports.stores;
    const { copies, ...days } = { ...this.limits(), ...change };
    if (copies !== null && copies > MAX_MONTHS) {
      const message = `Copies are kept for at most ${String(MAX_MONTHS)} months, or permanently`;
      throw new AppError('invalid', message, { fields: { copies: message } });
    }
    settings.write({ keepClosedMonths: copies, keepDays: days });
    this.#ports.emit('settings.changed', {});
    return this.limits();
  }

  async preview(limits: Partial<RetentionLimits>): Promise<RetentionPreview[]> {
    const previews = RetentionKind.options.map(async (kind) => {
      const limit = limits[kind];
      return limit === undefined ? [] : [await this.#previewOf(kind, limit)];
    });
    return (await Promise.all(previews)).flat();
  }

  /** Removes old items, as a job; if the job is stopped, removed items stay removed. */
  async run(
    kinds: readonly RetentionKind[],
    signal: AbortSignal,
    report: Report,
  ): Promise<JobOutcome<RetentionResult>> {
    const previews = await this.preview(this.#chosen(kinds));
    report({ total: previews.reduce((sum, { number }) => sum + number, 0), done: 0 });
    let done = 0;
    const removed = await this.apply(kinds, signal, (number) => report({ done: (done += number) }));
    return { result: { removed }, failure: null };
  }

  /** Removes old items of these kinds; parallel calls run one after another. */
  async apply(
    kinds: readonly RetentionKind[],
    signal: AbortSignal,
    onGone: (number: number) => void = () => {},
  ): Promise<RetentionResult['removed']> {
    return this.#turns.run(async () => {
      const removed = { copies: 0, trash: 0, sent: 0, sheets: 0, logs: 0 };
      for (const kind of kinds) {
        const before = this.#before(kind, this.limits()[kind]);
        if (before === null) continue;
        const step = this.#stepsOf(kind, before);
        for (let isMore = true; isMore && !signal.aborted;) {
          const now = await step();
          isMore = now.isMore;
          removed[kind] += now.gone;
          onGone(now.gone);
          await this.#ports.scheduler.yield();
        }
        if (removed[kind] > 0) this.#tell(kind, removed[kind]);
      }
      return removed;
    });
  }

  /**
   * Returns functions that start and end the regular checks, which run while the window is open.
   */
  schedule() {
    const { clock } = this.#ports;
    const stopping = new AbortController();
    let callOff: () => void = () => {};
    const check = (): void => {
      callOff = clock.after(CHECK_EVERY_MS, check);
      if (this.#ports.stores.settings.read().restoredAt !== null) return;
      void this.apply(RetentionKind.options, stopping.signal).catch((error: unknown) => {
        this.#ports.log.error(error, 'retention');
      });
    };
    return {
      begin: (): void => {
        callOff = clock.after(FIRST_CHECK_MS, check);
      },
      end: (): void => {
        stopping.abort();
        callOff();
      },
    };
  }

  #chosen(kinds: readonly RetentionKind[]): Partial<RetentionLimits> {
    const limits = this.limits();
    return Object.fromEntries(kinds.map((kind) => [kind, limits[kind]]));
  }

  async #previewOf(kind: RetentionKind, limit: RetentionPeriod): Promise<RetentionPreview> {
    // Without a limit, nothing is old enough to remove.
    const before = this.#before(kind, limit) ?? 0;
    const { number, bytes, oldest, ...stays } = await this.#old(kind, before);
    const reasons = [
      { why: 'younger' as const, number: stays.younger },
      { why: 'unsettled' as const, number: stays.unsettled },
      { why: 'not-archived' as const, number: stays.notArchived },
    ];
    return { kind, limit, number, bytes, oldest, stays: reasons.filter((one) => one.number > 0) };
  }

  async #old(
    kind: RetentionKind,
    before: number,
  ): Promise<OldItemCounts & { readonly notArchived: number }> {
    const { stores, lists, logFiles } = this.#ports;
    if (kind === 'copies') return lists.retirable(before);
    if (kind === 'logs') return { ...logFiles.old(before), unsettled: 0, notArchived: 0 };
    return { ...stores.privacy.old(kind, before), notArchived: 0 };
  }

  #before(kind: RetentionKind, limit: RetentionPeriod): number | null {
    const now = this.#ports.clock.now();
    if (limit === null) return null;
    return kind === 'copies' ? monthsBefore(now, limit) : now - limit * DAY;
  }

  /**
   * Returns the function for one step, which removes some items. Copies that must be kept are
   * checked only once.
   */
  #stepsOf(kind: RetentionKind, before: number): () => Promise<RetentionStep> {
    const { copies, clock } = this.#ports;
    if (kind !== 'copies') {
      return async () => {
        const gone = this.#drop(kind, before);
        return { gone, isMore: gone > 0 };
      };
    }
    let after: RetirementPlace | null = null;
    return async () => {
      const order = { before, after, limit: ITEMS_PER_RETENTION_STEP, at: clock.now() };
      const { removed, next } = await copies.retire(order);
      after = next;
      return { gone: removed, isMore: next !== null };
    };
  }

  #drop(kind: Exclude<RetentionKind, 'copies'>, before: number): number {
    const { stores, logFiles } = this.#ports;
    if (kind === 'logs') return logFiles.drop(before);
    const dropped = stores.privacy.drop(kind, before, LARGE_ITEMS_PER_STEP);
    this.#emitDropped(dropped);
    return dropped.drafts.length + dropped.templates.length + dropped.batches.length;
  }

  #emitDropped({ drafts, templates, batches }: DroppedItems): void {
    const { emit } = this.#ports;
    for (const id of drafts) emit('drafts.changed', { id });
    for (const id of templates) emit('templates.changed', { id });
    for (const id of batches) emit('batches.changed', { id });
  }

  #tell(kind: RetentionKind, count: number): void {
    const { stores, emit, log } = this.#ports;
    log.info('retention', { kind, count });
    if (kind !== 'copies') return;
    for (const { id } of stores.connections.list()) {
      emit('agreements.changed', { connectionId: id, added: 0, changed: 0 });
    }
  }
}

/**
 * Returns the same day and hour `months` months ago; the last day of that month if it has fewer
 * days.
 */
function monthsBefore(now: number, months: number): number {
  const then = new Date(now);
  const day = then.getUTCDate();
  then.setUTCMonth(then.getUTCMonth() - months, 1);
  const days = new Date(Date.UTC(then.getUTCFullYear(), then.getUTCMonth() + 1, 0)).getUTCDate();
  then.setUTCDate(Math.min(day, days));
  return then.getTime();
}
