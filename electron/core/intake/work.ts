import type {
  IntakePreview,
  IntakeResult,
  IntakeRule,
  IntakeRuleId,
  IntakeTerms,
} from '../../../shared/contract/intake.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { orNull } from '../app-error.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import type { Failure } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Clock } from '../ports.ts';
import { eitherSignal } from '../either-signal.ts';
import type { FolderTurn, FolderTurns } from '../turn-ports.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import {
  SETTLED_MS,
  STEADY_MS,
  TEXT_STEADY_MS,
  listImportableFiles,
  signatureOf,
  requiredSteadyMs,
  type SeenFile,
} from './look.ts';
import type { StoredIntakeRule } from './ports.ts';
import { IntakeRound, type IntakeTally, type RoundPorts } from './round.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

export interface WorkPorts extends RoundPorts {
  readonly folders: FolderTurns;
  readonly emit: Emit;
}

type Report = (progress: Progress) => void;

/** Delay after a failed run (ms), so that three failures in a row take hours, not minutes. */
const IMPORT_RETRY_DELAY_MS = HOUR;
/** Interval between checks of a temporary watch (ms). */
const LOOK_EVERY_MS = 5000;
/** Maximum number of files in a preview, enough for a user to see whether a rule works. */
const MAX_PLANNED = 200;

/** State of the files that remain in a folder. If unchanged, they need no check before `until`. */
interface UnsettledFile {
  readonly signature: string;
  readonly until: number;
}

/**
 * Imports files from folders as drafts. Never sends anything. Two processes may import from the
 * same folder; the data file ensures that only one of them imports each file.
 */
export class IntakeWork {
  readonly #ports: WorkPorts;
  readonly #turns = new Serial();
  readonly #left = new Map<string, UnsettledFile>();

  /** First refused files of each rule's last run, until the program ends. */
  readonly #refusals = new Map<IntakeRuleId, IntakeResult['refusals']>();

  constructor(ports: WorkPorts) {
    this.#ports = ports;
  }

  /** Returns the rules whose folder has new files; records a missing folder as a failed run. */
  async due(): Promise<readonly IntakeRule[]> {
    if (deactivationOf(this.#ports.stores) !== null) return [];
    const now = this.#ports.clock.now();
    const due: IntakeRule[] = [];
    for (const stored of this.#ports.stores.intake.rules.list()) {
      if (!stored.rule.isOn || isIntakePaused(stored) || isResting(stored, now)) continue;
      if (await this.#hasNews(stored)) due.push(stored.rule);
    }
    return due;
  }

  /** Imports the files for a rule, and records the result. */
  async runRule(
    id: IntakeRuleId,
    signal: AbortSignal,
    report: Report,
  ): Promise<JobOutcome<IntakeResult>> {
    requireActive(this.#ports.stores);
    const { rule } = this.#ports.stores.intake.rules.get(id);
    const outcome = await this.run(rule, signal, report);
    // A stopped run continues next time, and is not recorded. If another computer is importing from
    // the folder, the outcome is unrelated to the rule.
    if (!signal.aborted && !isElsewhere(outcome.failure)) this.#note(rule, outcome);
    return outcome;
  }

  /** Imports the files of a folder. Errors are part of the outcome. */
  async run(
    terms: IntakeTerms,
    signal: AbortSignal,
    report: Report,
  ): Promise<JobOutcome<IntakeResult>> {
    requireActive(this.#ports.stores);
    const tally = newTally(terms);
    const failure = await this.#round(terms, tally, signal, report);
    this.#ports.emit('intake.changed', {});
    return { result: tally, failure };
  }

  /**
   * Imports new files of a folder until stopped; temporary errors do not end the watch. Throws if
   * the folder is missing at the start, and once this computer is deactivated.
   */
  async watch(
    terms: IntakeTerms,
    signal: AbortSignal,
    report: Report,
  ): Promise<JobOutcome<IntakeResult>> {
    await this.#ports.watched.list(terms.folder);
    const tally = newTally(terms);
    while (!signal.aborted) {
      requireActive(this.#ports.stores);
      if (await this.#isNew(terms.folder)) {
        await this.#round(terms, tally, signal, report);
        this.#ports.emit('intake.changed', {});
      }
      await waitOrAbort(this.#ports.clock, LOOK_EVERY_MS, signal);
    }
    return { result: tally, failure: null };
  }

  /** Returns a preview of the next run of a rule. Throws 'storage' if the folder is missing. */
  async preview(rule: IntakeTerms): Promise<IntakePreview> {
    const files = await listImportableFiles(this.#ports, rule, false);
    // A preview cannot wait for a second check: files with an old modification time count as
    // complete.
    const now = this.#ports.clock.now();
    const seen = files.map((file) => {
      const isSteady = file.isSteady || now - file.changedAt >= requiredSteadyMs(file);
      return { ...file, isSteady };
    });
    const round = new IntakeRound(this.#ports, rule, newTally(rule));
    return round.plan(seen, MAX_PLANNED);
  }

  /** Imports the files of a folder once. Returns the failure if the import was incomplete. */
  #round(
    terms: IntakeTerms,
    tally: IntakeTally,
    signal: AbortSignal,
    report: Report,
  ): Promise<Failure | null> {
    return this.#turns.run(async () => {
      const { toFailure } = this.#ports;
      try {
        const turn = await this.#enter(terms);
        try {
          return await this.#roundIn(turn, terms, tally, signal, report);
        } finally {
          await turn?.end();
        }
      } catch (error) {
        return toFailure(error, 'intake.run');
      }
    });
  }

  /**
   * Enters the folder: if several computers of an office watch a folder, only one at a time imports
   * its files. Returns null if this computer is not in an office.
   */
  async #enter({ folder }: IntakeTerms): Promise<FolderTurn | null> {
    const order = { kind: 'intake', folder, title: folder, what: null, dueFor: null } as const;
    const entered = await this.#ports.folders.enter(order);
    return entered.isOurs ? entered.turn : null;
  }

  async #roundIn(
    turn: FolderTurn | null,
    terms: IntakeTerms,
    tally: IntakeTally,
    signal: AbortSignal,
    report: Report,
  ): Promise<Failure | null> {
    const { toFailure, clock } = this.#ports;
    const round = new IntakeRound(this.#ports, terms, tally, turn);
    const both = turn === null ? signal : eitherSignal([signal, turn.signal]);
    const files = await this.#steady(terms, both);
    await round.take(files, both, report);
    if (both.aborted) return null;
    tally.waiting = round.left.length;
    const again = round.left.some((file) => !file.isSteady) ? TEXT_STEADY_MS : SETTLED_MS;
    const until = clock.now() + again;
    this.#left.set(terms.folder, { signature: signatureOf(round.left), until });
    return round.fault === null ? null : toFailure(round.fault, 'intake.run');
  }

  /**
   * Lists the files of a folder. If files are new, lists them again after a short wait, so that
   * complete files need not wait for the next run.
   */
  async #steady(terms: IntakeTerms, signal: AbortSignal): Promise<readonly SeenFile[]> {
    const files = await listImportableFiles(this.#ports, terms, true);
    if (files.every(({ isSteady }) => isSteady)) return files;
    await waitOrAbort(this.#ports.clock, STEADY_MS, signal);
    return signal.aborted ? [] : listImportableFiles(this.#ports, terms, true);
  }

  async #hasNews({ rule, last }: StoredIntakeRule): Promise<boolean> {
    try {
      return await this.#isNew(rule.folder);
    } catch (error) {
      const failure = this.#ports.toFailure(error, 'intake.look');
      // The failure is recorded once; the folder is checked until it is available again.
      if (last?.failure?.reason === failure.reason && last?.failure?.code === failure.code) {
        return false;
      }
      this.#note(rule, { result: newTally(rule), failure });
      this.#ports.emit('intake.changed', {});
      return false;
    }
  }

  async #isNew(folder: string): Promise<boolean> {
    const signature = signatureOf(await this.#ports.watched.list(folder));
    if (signature === '') return false;
    const left = this.#left.get(folder);
    if (left === undefined || left.signature !== signature) return true;
    const now = this.#ports.clock.now();
    // If the clock was set back, do not wait longer.
    return now >= left.until || left.until - now > SETTLED_MS;
  }

  #note({ id }: IntakeRule, { result, failure }: JobOutcome<IntakeResult>): void {
    const { stores, clock } = this.#ports;
    const stored = orNull(() => stores.intake.rules.get(id));
    // The user removed the rule during the run.
    if (stored === null) return;
    const { last } = stored;
    const { drafts, sheets, again, refused, replaced, waiting } = result;
    const isNothing = drafts + sheets + again + refused + replaced === 0 && failure === null;
    if (isNothing && last !== null && last.failure === null) return;
    const run = { drafts, sheets, again, refused, replaced, waiting };
    const inRow = failuresAfter(last?.inRow, failure, isFolderMissing);
    this.#refusals.set(id, result.refusals);
    stores.intake.rules.noteRun(id, { ...run, at: clock.now(), failure, inRow });
  }

  /** Returns the first files that the last run of the rule refused in this process. */
  refusalsOf(id: IntakeRuleId): IntakeResult['refusals'] {
    return this.#refusals.get(id) ?? [];
  }
}

const newTally = ({ folder }: IntakeTerms): IntakeTally => ({
  folder,
  drafts: 0,
  sheets: 0,
  again: 0,
  refused: 0,
  refusals: [],
  replaced: 0,
  waiting: 0,
});

/** Whether the rule is paused after repeated failures, and needs the user. */
export const isIntakePaused = ({ last }: StoredIntakeRule): boolean => isPausedAfter(last?.inRow);

/**
 * Whether the rule waits after a failure. A missing drive is checked without delay. If the clock
 * was set back, the rule does not wait longer.
 */
function isResting({ last }: StoredIntakeRule, now: number): boolean {
  if (last === null || last.failure === null || isFolderMissing(last.failure)) return false;
  return Math.abs(now - last.at) < IMPORT_RETRY_DELAY_MS;
}

const isElsewhere = (failure: Failure | null): boolean =>
  failure?.reason === 'task-elsewhere' || failure?.reason === 'lease-lost';

const isFolderMissing = ({ reason }: Failure): boolean => reason === 'folder-missing';

function waitOrAbort(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      callOff();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const callOff = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}
