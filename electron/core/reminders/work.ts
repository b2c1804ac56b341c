import type { ActionsResult } from '../../../shared/contract/actions.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { ReminderRuleId } from '../../../shared/contract/reminders.ts';
import { MAX_FAILURES } from '../rules/failures-in-row.ts';
import { AppError, type Failure, isConnectionFailure } from '../../../shared/errors.ts';
import type { AgreementKey, ConnectionId } from '../../../shared/model/ids.ts';
import { sortBySpecificity } from '../../../shared/rules/reminders/match.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ActionJournal } from '../actions/journal.ts';
import {
  invitationsOf,
  nobodyToRemindError,
  readRemindable,
  resendNotification,
  type RemindPorts,
} from '../actions/remind.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { Lease } from '../turn-ports.ts';
import type { OfficeReminderCopies } from '../office/reminded.ts';
import type { OfficeTasks } from '../office/tasks.ts';
import type { OutboxEpoch } from '../outbox/epoch.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Stores } from '../ports.ts';
import { deactivationOf } from '../deactivation.ts';
import type { Sync } from '../sync/handlers.ts';
import {
  type Candidate,
  type CandidatePorts,
  candidates,
  candidatesOf,
  decideReminder,
  reminderHistoryOf,
  type RankedRules,
  usualServiceTimes,
} from './candidates.ts';
import type { StoredReminderRule } from './ports.ts';
import { isPaused, isResting, nextAttemptAt, Tallies } from './runs.ts';
import { RuleTurns } from './turns.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** Notification that the service sends before an agreement expires (API v1, "Notification"). */
const EXPIRY_REMINDER = 'EXPIRY_REMINDER';
/** A clock error of this size would cause reminders on the wrong day. */
const MAX_CLOCK_SKEW_MS = 12 * HOUR;

export interface ReminderPorts extends RemindPorts, CandidatePorts {
  readonly stores: Stores;
  readonly actionJournal: ActionJournal;
  readonly worker: OutboxWorker;
  readonly epoch: OutboxEpoch;
  readonly sync: Pick<Sync, 'run'>;
  readonly tasks: Pick<OfficeTasks, 'take'>;
  readonly reminded: Pick<OfficeReminderCopies, 'refresh'>;
  readonly emit: Emit;
}

export interface ReminderOutlook {
  /** Number of parties that can be reminded now. */
  readonly due: number;
  /** Time of the next possible reminder (epoch ms); null if there is none. */
  readonly nextAt: number | null;
  readonly byRule: ReadonlyMap<ReminderRuleId, { due: number; nextAt: number | null }>;
}

/**
 * Sends due reminders one by one. Holds the outbox lock throughout, so that only one process
 * reminds at a time and the journal of actions is complete.
 */
export class ReminderWork {
  readonly #ports: ReminderPorts;
  readonly #turns = new Serial();

  constructor(ports: ReminderPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the active rules in the order in which they are evaluated. Paused rules keep their
   * position.
   */
  rules(): RankedRules {
    const stored = this.#ports.stores.reminders.rules.list().filter(({ rule }) => rule.isOn);
    return sortBySpecificity(stored.map((one) => ({ ...one.rule, stored: one })));
  }

  /** Evaluates all rules without any request. */
  async look(): Promise<ReminderOutlook> {
    if (deactivationOf(this.#ports.stores) !== null)
      return { due: 0, nextAt: null, byRule: new Map() };
    const now = this.#ports.clock.now();
    const byRule = new Map<ReminderRuleId, { due: number; nextAt: number | null }>();
    for await (const some of candidates(this.#ports, this.rules())) {
      for (const one of some) {
        if (isPaused(one.stored)) continue;
        const { id } = one.stored.rule;
        const found = byRule.get(id) ?? { due: 0, nextAt: null };
        byRule.set(id, found);
        const judged = decideReminder(one, now);
        const rested = isResting(one.stored, now) ? nextAttemptAt(one.stored) : null;
        if (judged.isDue && rested === null) found.due += 1;
        else found.nextAt = earlierTime(found.nextAt, judged.isDue ? rested : judged.nextAt);
      }
    }
    const all = [...byRule.values()];
    return {
      due: all.reduce((sum, { due }) => sum + due, 0),
      nextAt: all.reduce<number | null>((first, { nextAt }) => earlierTime(first, nextAt), null),
      byRule,
    };
  }

  /**
   * Sends the due reminders. Throws 'conflict' with 'desk-busy' while another process sends
   * agreements or reminders.
   */
  run(
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ActionsResult>> {
    return this.#turns.run(() => this.#ports.worker.holding(() => this.#run(signal, report)));
  }

  async #run(
    signal: AbortSignal,
    report: (progress: Progress) => void,
  ): Promise<JobOutcome<ActionsResult>> {
    const result: ActionsResult = { done: [], failed: [], unknown: [] };
    const { actionJournal, epoch, emit } = this.#ports;
    // If a process ended during a request, the request may have arrived at the service.
    actionJournal.recover();
    if ((await this.#due()).length === 0) return { result, failure: null };
    const tallies = new Tallies(this.#ports);
    // Reminders sent by other computers of the office count too.
    const away = await this.#learn(tallies);
    if (away !== null) return { result, failure: away };
    // Detects restored or copied data, whose rules then wait for the user.
    await epoch.raise();
    const turns = new RuleTurns(this.#ports);
    try {
      await this.#remindAll(await this.#due(), { result, tallies, turns, signal, report });
    } finally {
      await turns.end();
      tallies.note();
      await epoch.raise();
      emit('reminders.changed', {});
    }
    return { result, failure: null };
  }

  /**
   * Fetches the reminders of the other computers. Returns the failure if the office cannot be
   * reached: each reminder would have to wait for the office.
   */
  async #learn(tallies: Tallies): Promise<Failure | null> {
    try {
      await this.#ports.reminded.refresh();
      return null;
    } catch (error) {
      const failure = this.#ports.toFailure(error, 'reminders');
      for (const { stored } of await this.#due()) tallies.stopped(stored, failure);
      tallies.note();
      this.#ports.emit('reminders.changed', {});
      return failure;
    }
  }

  async #due(): Promise<readonly Candidate[]> {
    const now = this.#ports.clock.now();
    const due: Candidate[] = [];
    for await (const some of candidates(this.#ports, this.rules())) {
      const mayAct = ({ stored }: Candidate) => !isPaused(stored) && !isResting(stored, now);
      due.push(...some.filter((one) => mayAct(one) && decideReminder(one, now).isDue));
    }
    return due;
  }

  async #remindAll(due: readonly Candidate[], run: ReminderRunContext): Promise<void> {
    const { result, tallies, signal, report } = run;
    const given = new Map<ConnectionId, Failure | null>();
    report({ done: 0, total: due.length });
    for (const [at, one] of due.entries()) {
      if (signal.aborted) return;
      const { connectionId } = one.agreement;
      // Rules that another computer runs are skipped.
      if (!(await this.#isOurs(one, run))) continue;
      if (!given.has(connectionId))
        given.set(connectionId, await this.#freshen(connectionId, signal));
      const stopped = given.get(connectionId) ?? null;
      if (stopped === null) {
        const failure = await this.#remind(one, run);
        if (failure !== null) given.set(connectionId, failure);
      } else {
        tallies.stopped(one.stored, stopped);
      }
      report({ done: at + 1, failed: result.failed.length });
    }
  }

  async #isOurs({ stored }: Candidate, { turns, tallies }: ReminderRunContext): Promise<boolean> {
    try {
      return await turns.isOurs(stored.rule);
    } catch (error) {
      tallies.stopped(stored, this.#ports.toFailure(error, 'reminders'));
      return false;
    }
  }

  /**
   * Syncs the connection and thereby checks the local clock. Returns the reason if no reminder may
   * be sent.
   */
  async #freshen(id: ConnectionId, signal: AbortSignal): Promise<Failure | null> {
    const { sync, clock } = this.#ports;
    const { failure, checkedUntil } = await sync.run(id, false, signal);
    if (failure !== null) return failure;
    if (checkedUntil === null || Math.abs(clock.now() - checkedUntil) <= MAX_CLOCK_SKEW_MS)
      return null;
    return clockDiffersFailure;
  }

  /**
   * Reminds one party. Returns the failure if it also blocks the other reminders of the connection,
   * otherwise null.
   */
  async #remind(
    one: Candidate,
    { result, tallies, turns }: ReminderRunContext,
  ): Promise<Failure | null> {
    const { connectionId, id, title } = one.agreement;
    const key = { connectionId, id };
    try {
      const ended = await this.#remindParty(key, one, turns.leaseOf(one.stored.rule));
      if (ended === null) return null;
      this.#ports.stores.reminders.setTried(key, one.party.id, null);
      tallies.reminded(one.stored, ended.unknown === null);
      if (ended.unknown !== null) result.unknown.push({ ...key, title, failure: ended.unknown });
      else
        result.done.push({ ...key, title, wasAlready: false, told: null, reminded: ended.count });
      return null;
    } catch (error) {
      const failure = this.#ports.toFailure(error, 'reminders');
      if (isOver(failure)) return null;
      if (isConnectionFailure(failure) || failure.code === 'cancelled') {
        tallies.stopped(one.stored, failure);
        return failure;
      }
      result.failed.push({ ...key, title, failure });
      this.#ports.stores.reminders.setTried(key, one.party.id, this.#ports.clock.now());
      tallies.failed(one.stored, key, failure);
      return null;
    }
  }

  /**
   * Returns null if the fresh copy or an action in the meantime shows that the reminder is no
   * longer due.
   */
  async #remindParty(key: AgreementKey, one: Candidate, lease: Lease | null) {
    const partyId = one.party.id;
    const seen = await readRemindable(this.#ports, key);
    this.#noteServiceTimes(key, partyId, seen);
    if (!this.#isStillDue(key, one)) return null;
    const places = invitationsOf(key.id, seen, partyId);
    if (places.length === 0) throw nobodyToRemindError();
    const by = {
      rule: one.stored.rule.name,
      requireDue: () => this.#requireHours(one),
      lease,
    };
    let unknown: Failure | null = null;
    for (const place of places) {
      const outcome = await resendNotification(this.#ports, key, place, by);
      if (outcome.kind === 'unknown') unknown = outcome.failure;
    }
    return { count: places.length, unknown };
  }

  #noteServiceTimes(
    key: AgreementKey,
    partyId: string,
    { remote, extras }: Awaited<ReturnType<typeof readRemindable>>,
  ): void {
    const { reminders } = this.#ports.stores;
    const party = extras.parties.find(({ id }) => id === partyId);
    const times = (party?.notifications ?? [])
      .filter(({ type, recipients }) => type === EXPIRY_REMINDER && recipients?.length !== 0)
      .flatMap(({ sendsAt }) => sendsAt ?? usualServiceTimes(remote.expiresAt));
    const before = reminders.notes(key).find((note) => note.partyId === partyId);
    if (JSON.stringify(before?.serviceTimes ?? null) === JSON.stringify(times)) return;
    reminders.setServiceTimes(key, partyId, times);
  }

  /**
   * Whether the reminder is still due according to the fresh copy and the current journal of
   * actions.
   */
  #isStillDue({ connectionId, id }: AgreementKey, { agreement, party }: Candidate): boolean {
    const { stores, clock } = this.#ports;
    const { reminders } = stores;
    const [fresh] = reminders.open(agreement.number - 1, 1);
    if (fresh?.number !== agreement.number) return false;
    const known = reminderHistoryOf(this.#ports, { connectionId, id });
    const found = candidatesOf(this.#ports, this.rules(), fresh, known).find(
      (one) => one.party.id === party.id,
    );
    return (
      found !== undefined && !isPaused(found.stored) && decideReminder(found, clock.now()).isDue
    );
  }

  /** Throws if the reminder is no longer due: office hours may have ended while it waited. */
  #requireHours(one: Candidate): void {
    if (decideReminder(one, this.#ports.clock.now()).isDue) return;
    throw new AppError(
      'cancelled',
      'The office hours are over, so the reminder is sent on another day',
    );
  }
}

interface ReminderRunContext {
  readonly result: ActionsResult;
  readonly tallies: Tallies;
  readonly turns: RuleTurns;
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

const clockDiffersFailure: Failure = {
  code: 'conflict',
  message:
    'The clocks of this computer and the service differ by more than twelve hours. Set the clock',
  reason: 'clock-differs',
};

const SETTLED_REASONS: ReadonlySet<string> = new Set([
  'state-forbids',
  'reminded-lately',
  'already-under-way',
  // Another user of the office sent the reminder today or is sending it now, or another computer
  // has taken over the rule.
  'claimed-elsewhere',
  'lease-lost',
]);

/**
 * Whether the failure means that the reminder is no longer needed; the local copy then already
 * shows why.
 */
function isOver({ code, reason }: Failure): boolean {
  if (code === 'not-found') return true;
  return SETTLED_REASONS.has(reason ?? '');
}

function earlierTime(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.min(one, other);
}

/** Pauses the rules of restored, copied or moved data until the user confirms. */
export function pauseRestored({
  stores,
  clock,
}: {
  readonly stores: Stores;
  readonly clock: ReminderPorts['clock'];
}): void {
  const at = clock.now();
  for (const { rule } of stores.reminders.rules.list()) {
    const run = { at, reminded: 0, failed: 0, unknown: 0, failure: restoredRulesFailure };
    stores.reminders.rules.noteRun(rule.id, run, MAX_FAILURES);
  }
}

const restoredRulesFailure: Failure = {
  code: 'conflict',
  message: 'This data was restored, copied or moved. Parties may have been reminded since',
  reason: 'data-restored',
};

/** Whether the rule is paused because the actions of another copy of the data are unknown. */
export const isDoubted = ({ last }: StoredReminderRule): boolean =>
  last?.failure?.reason === 'data-restored';
