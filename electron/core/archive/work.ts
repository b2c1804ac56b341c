import type {
  ArchiveResult,
  ArchiveRule,
  ArchiveRuleId,
  ArchiveRuleRun,
  ArchiveRun,
} from '../../../shared/contract/archive.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { MOST_FAILURES } from '../../../shared/contract/reminders.ts';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { dueAt } from './due.ts';
import type { StoredArchiveRule } from './ports.ts';
import { type ArchivePorts, ArchiveRunner } from './runner.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { WriterLock } from '../outbox/ports.ts';
import { requireAwake, restOf } from '../rest.ts';

export interface WorkPorts extends ArchivePorts {
  /** Held by the one process that runs the archive. */
  readonly archiveLock: WriterLock;
  readonly emit: Emit;
}

type Run = (
  signal: AbortSignal,
  report: (progress: Progress) => void,
) => Promise<JobOutcome<ArchiveResult>>;

/** Runs of this data: one after the other in this process, and never beside one of another. */
export class ArchiveWork {
  readonly #ports: WorkPorts;
  readonly #turns = new Serial();

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  /** Waits for its turn. Throws 'conflict' with 'already-under-way' while another process runs one. */
  readonly run = (
    run: ArchiveRun,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> =>
    this.#inTurn((...args) => new ArchiveRunner(this.#ports, run).run(...args), signal, report);

  /** The same for a rule, and notes how it went. */
  async runRule(
    id: ArchiveRuleId,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    const { stores } = this.#ports;
    return this.#inTurn(
      (...args) => this.#runNoted(stores.archive.rules.get(id).rule, ...args),
      signal,
      report,
    );
  }

  /** Rules whose time has come; those missed several times are listed once. */
  due(): readonly ArchiveRule[] {
    if (restOf(this.#ports.stores) !== null) return [];
    const now = this.#ports.clock.now();
    return this.#ports.stores.archive.rules
      .list()
      .filter((stored) => mayRun(stored) && isDue(stored, now))
      .map(({ rule }) => rule);
  }

  /** Rules that run after every reading. */
  afterReading(): readonly ArchiveRule[] {
    if (restOf(this.#ports.stores) !== null) return [];
    const rules = this.#ports.stores.archive.rules.list().filter(mayRun);
    return rules.map(({ rule }) => rule).filter(({ when }) => when.kind === 'completion');
  }

  async #runNoted(
    rule: ArchiveRule,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    const { clock, toFailure } = this.#ports;
    const at = clock.now();
    try {
      const outcome = await new ArchiveRunner(this.#ports, rule).run(signal, report);
      const { saved, failed } = outcome.result;
      // What was stopped in the middle is still due.
      if (!signal.aborted) {
        const { failure } = outcome;
        this.#note(rule, { at, saved, failed: failed.length, failure });
      }
      return outcome;
    } catch (error) {
      const failure = toFailure(error, 'archive.runRule');
      if (!signal.aborted) {
        this.#note(rule, { at, saved: 0, failed: 0, failure });
      }
      throw error;
    }
  }

  #note({ id }: ArchiveRule, run: Omit<ArchiveRuleRun, 'inRow'>): void {
    const { rules } = this.#ports.stores.archive;
    const before = rules.get(id).last?.inRow ?? 0;
    rules.noteRun(id, { ...run, inRow: inRowAfter(before, run.failure) });
  }

  #inTurn(
    run: Run,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    return this.#turns.run(() => this.#locked(run, signal, report));
  }

  async #locked(run: Run, signal: AbortSignal, report: (progress: Progress) => void) {
    const { archiveLock, emit, stores } = this.#ports;
    // The other computer may write into the same folder, with a book of its own.
    requireAwake(stores);
    if (!archiveLock.take()) {
      throw new AppError('conflict', 'Another process is running the archive', {
        reason: 'already-under-way',
      });
    }
    try {
      return await run(signal, report);
    } finally {
      archiveLock.free();
      emit('archive.changed', {});
    }
  }
}

/** A rule that never ran counts from when it was made. */
export function dueOf({ rule, last }: StoredArchiveRule, now: number): number | null {
  return dueAt(rule.when, last?.at ?? rule.createdAt, now);
}

/** It asks for a person. */
export const isArchivePaused = ({ last }: StoredArchiveRule): boolean =>
  (last?.inRow ?? 0) >= MOST_FAILURES;

const mayRun = (stored: StoredArchiveRule): boolean => stored.rule.isOn && !isArchivePaused(stored);

/** A line that is down, or another process that runs, is no fault of the rule. */
function inRowAfter(before: number, failure: ArchiveRuleRun['failure']): number {
  if (failure === null) return 0;
  const isOwn = failure.code !== 'offline' && failure.reason !== 'already-under-way';
  return isOwn ? before + 1 : before;
}

function isDue(stored: StoredArchiveRule, now: number): boolean {
  const at = dueOf(stored, now);
  return at !== null && at <= now;
}
