import type {
  ArchiveResult,
  ArchiveRule,
  ArchiveRuleId,
  ArchiveRuleRun,
  ArchiveRun,
} from '../../../shared/contract/archive.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { orNull } from '../app-error.ts';
import { storedFailures } from '../rules/failed-items.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { eitherSignal } from '../either-signal.ts';
import { agreementsChosenBy } from './choice.ts';
import { dueAt } from './due.ts';
import type { StoredArchiveRule } from './ports.ts';
import { type ArchivePorts, ArchiveRunner } from './runner.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { FolderWorkRequest, FolderTurns } from '../turn-ports.ts';
import type { WriterLock } from '../outbox/ports.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

export interface WorkPorts extends ArchivePorts {
  /** Lock held by the one process that runs the archive. */
  readonly archiveLock: WriterLock;
  readonly folders: FolderTurns;
  readonly emit: Emit;
}

/** Delay (ms) before the next attempt in a folder that another computer is using. */
const RETRY_DELAY_MS = 5 * MINUTE;

type RunArchive = (
  signal: AbortSignal,
  report: (progress: Progress) => void,
) => Promise<JobOutcome<ArchiveResult>>;

/**
 * Runs the archive of this data folder: one run at a time in this process, and never at the same
 * time as a run of another process.
 */
export class ArchiveWork {
  readonly #ports: WorkPorts;
  readonly #turns = new Serial();
  /**
   * Rules that another computer of the office is running, with the time of the next attempt (epoch
   * ms).
   */
  readonly #later = new Map<ArchiveRuleId, number>();

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  /**
   * Runs the archive after the earlier runs of this process. Throws 'conflict' with
   * 'already-under-way' while another process runs the archive.
   */
  readonly run = (
    run: ArchiveRun,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> =>
    this.#inTurn(
      async (...args) => {
        const { outcome } = await this.#inFolder(run, MANUAL_TASK, ...args);
        return outcome;
      },
      signal,
      report,
    );

  /**
   * Runs the archive now. Throws 'conflict' with 'already-under-way' while another run is going on or
   * waiting, also in this process: the caller has the outbox's lock, and must not wait.
   */
  readonly runUnlessBusy = async (
    run: ArchiveRun,
    signal: AbortSignal,
  ): Promise<JobOutcome<ArchiveResult>> => {
    if (!this.#turns.isIdle) throw alreadyUnderWay();
    return this.run(run, signal, () => {});
  };

  /**
   * Runs a rule and records the result. `isByHand`: a user started the rule now, so it runs even if
   * another user of the office already ran it.
   */
  async runRule(
    id: ArchiveRuleId,
    isByHand: boolean,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    const { stores } = this.#ports;
    return this.#inTurn(
      (...args) => this.#runNoted(stores.archive.rules.get(id), isByHand, ...args),
      signal,
      report,
    );
  }

  /** Returns the rules that are due; a rule that was missed several times is listed once. */
  due(): readonly ArchiveRule[] {
    if (deactivationOf(this.#ports.stores) !== null) return [];
    const now = this.#ports.clock.now();
    return this.#ports.stores.archive.rules
      .list()
      .filter((stored) => mayRun(stored) && isDue(stored, now) && !this.#isLater(stored, now))
      .map(({ rule }) => rule);
  }

  afterReading(): readonly ArchiveRule[] {
    if (deactivationOf(this.#ports.stores) !== null) return [];
    const now = this.#ports.clock.now();
    const rules = this.#ports.stores.archive.rules
      .list()
      .filter((stored) => mayRun(stored) && !this.#isLater(stored, now));
    return rules.map(({ rule }) => rule).filter(({ when }) => when.kind === 'completion');
  }

  #isLater({ rule }: StoredArchiveRule, now: number): boolean {
    const until = this.#later.get(rule.id) ?? now;
    // If the clock was set back, the rule waits no longer than the usual delay.
    return now < until && until - now <= RETRY_DELAY_MS;
  }

  async #runNoted(
    { rule, last }: StoredArchiveRule,
    isByHand: boolean,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    const { clock, toFailure } = this.#ports;
    const at = clock.now();
    const due = nextDueTime({ rule, last }, at) ?? last?.at ?? rule.createdAt;
    const order = { title: rule.name, dueFor: isByHand ? null : Math.max(0, at - due) };
    try {
      const { outcome, elsewhere } = await this.#inFolder(rule, order, signal, report);
      if (elsewhere?.why === 'later') {
        this.#later.set(rule.id, at + RETRY_DELAY_MS);
      } else if (elsewhere?.why === 'done') {
        this.#note(rule, { at, saved: 0, failed: 0, failure: null, doneBy: elsewhere.seat });
      } else if (!signal.aborted && outcome.failure?.reason !== 'lease-lost') {
        // A run that was stopped, or taken over by another computer, stays due.
        const { failure, result } = outcome;
        const failures = storedFailures(result.failed);
        const { saved, failed } = result;
        this.#note(rule, { at, saved, failed: failed.length, failure, ...failures });
      }
      return outcome;
    } catch (error) {
      const failure = toFailure(error, 'archive.runRule');
      if (!signal.aborted && failure.reason !== 'task-elsewhere') {
        this.#note(rule, { at, saved: 0, failed: 0, failure });
      }
      throw error;
    }
  }

  /**
   * Runs the archive in its folder, unless another computer of the office does: one computer at a
   * time works in a folder.
   */
  async #inFolder(
    run: ArchiveRun,
    { title, dueFor }: { readonly title: string | null; readonly dueFor: number | null },
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ) {
    const { folders } = this.#ports;
    const runner = new ArchiveRunner(this.#ports, run);
    const folder = await runner.open();
    const entered = await folders.enter({
      kind: 'archive',
      folder,
      title: title ?? folder,
      what: purposeOf(this.#ports, run),
      dueFor,
    });
    if (!entered.isOurs) {
      const result = { ...runner.result, doneBy: entered.seat };
      return { outcome: { result, failure: null }, elsewhere: entered };
    }
    const { turn } = entered;
    try {
      const both = turn === null ? signal : eitherSignal([signal, turn.signal]);
      const outcome = await runner.run(both, report, turn);
      const failure = outcome.failure ?? (signal.aborted ? null : (turn?.failure() ?? null));
      return { outcome: { ...outcome, failure }, elsewhere: null };
    } finally {
      await turn?.end();
    }
  }

  #note({ id }: ArchiveRule, run: Omit<ArchiveRuleRun, 'inRow'>): void {
    const { rules } = this.#ports.stores.archive;
    const stored = orNull(() => rules.get(id));
    // `stored` is null if the user removed the rule during the run.
    if (stored === null) return;
    const inRow = failuresAfter(stored.last?.inRow, run.failure, isElsewhere);
    rules.noteRun(id, { ...run, inRow });
  }

  #inTurn(
    run: RunArchive,
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ArchiveResult>> {
    return this.#turns.run(() => this.#locked(run, signal, report));
  }

  async #locked(run: RunArchive, signal: AbortSignal, report: (progress: Progress) => void) {
    const { archiveLock, emit, stores } = this.#ports;
    // If this computer is deactivated, an active one may write into the same folder with its own
    // records.
    requireActive(stores);
    if (!archiveLock.take()) throw alreadyUnderWay();
    try {
      return await run(signal, report);
    } finally {
      archiveLock.free();
      emit('archive.changed', {});
    }
  }
}

const alreadyUnderWay = (): AppError =>
  new AppError(
    'conflict',
    'Another window or command is archiving now. Try again when it is done',
    { reason: 'already-under-way' },
  );

/** Order of a run that a user started; runs of other computers of the office do not matter. */
const MANUAL_TASK = { title: null, dueFor: null };

/** Returns what a run saves and for which connections; null if it covers only some agreements. */
function purposeOf(ports: WorkPorts, run: ArchiveRun): FolderWorkRequest['what'] {
  if (run.only !== undefined || run.limit !== undefined) return null;
  const { stores } = ports;
  const { connectionId = run.connectionId, ...filter } = run.filter ?? {};
  const { subfolder, beside = [], since, until } = run;
  const pattern = run.pattern ?? stores.settings.read().archivePattern;
  const all = stores.connections.list().map(({ id }) => id);
  return {
    terms: { filter, pattern, subfolder, beside, since, until },
    connections: all.filter((id) => connectionId === undefined || id === connectionId),
    async items() {
      const ids: string[] = [];
      for await (const some of agreementsChosenBy(ports, run))
        ids.push(...some.map(({ id }) => id));
      return ids;
    },
  };
}

/**
 * Returns when a rule is due (epoch ms), or null without a schedule. A rule that never ran counts
 * from its creation.
 */
export function nextDueTime({ rule, last }: StoredArchiveRule, now: number): number | null {
  return dueAt(rule.when, last?.at ?? rule.createdAt, now);
}

/** Whether the rule is paused after repeated failures, and needs the user. */
export const isArchivePaused = ({ last }: StoredArchiveRule): boolean => isPausedAfter(last?.inRow);

const mayRun = (stored: StoredArchiveRule): boolean => stored.rule.isOn && !isArchivePaused(stored);

/** Whether the run failed because another process is running the archive. */
const isElsewhere = ({ reason }: Failure): boolean => reason === 'already-under-way';

function isDue(stored: StoredArchiveRule, now: number): boolean {
  const at = nextDueTime(stored, now);
  return at !== null && at <= now;
}
