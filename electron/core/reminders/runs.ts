import type { ReminderRuleId } from '../../../shared/contract/reminders.ts';
import type { RuleFailure } from '../../../shared/contract/rule-failures.ts';
import type { AgreementKey } from '../../../shared/model/ids.ts';
import { storedFailures } from '../rules/failed-items.ts';
import { type Failure, isConnectionFailure } from '../../../shared/errors.ts';
import { orNull } from '../app-error.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import type { Clock, Stores } from '../ports.ts';
import type { StoredReminderRule } from './ports.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** Delay after a failure, so that three consecutive failures take hours, not seconds. */
const RULE_RETRY_DELAY_MS = HOUR;

interface RuleTally {
  reminded: number;
  failed: number;
  unknown: number;
  failure: Failure | null;
  readonly failures: RuleFailure[];
}

/** Whether the rule is paused after repeated failures, and needs the user. */
export const isPaused = ({ failures }: StoredReminderRule): boolean => isPausedAfter(failures);

/** Whether the rule waits after a failure. A clock that was set back does not prolong the wait. */
export function isResting({ last }: StoredReminderRule, now: number): boolean {
  return last !== null && last.failure !== null && Math.abs(now - last.at) < RULE_RETRY_DELAY_MS;
}

/**
 * Returns the time of the next attempt after a failed run (epoch ms); null if the rule never ran.
 */
export const nextAttemptAt = ({ last }: StoredReminderRule): number | null =>
  last === null ? null : last.at + RULE_RETRY_DELAY_MS;

export class Tallies {
  readonly #ports: { readonly stores: Pick<Stores, 'reminders'>; readonly clock: Clock };
  readonly #tallies = new Map<ReminderRuleId, RuleTally>();

  constructor(ports: { readonly stores: Pick<Stores, 'reminders'>; readonly clock: Clock }) {
    this.#ports = ports;
  }

  reminded(stored: StoredReminderRule, isKnown: boolean): void {
    const tally = this.#of(stored);
    if (isKnown) tally.reminded += 1;
    else tally.unknown += 1;
  }

  /** Notes that one party could not be reminded. */
  failed(stored: StoredReminderRule, key: AgreementKey, failure: Failure): void {
    const tally = this.#of(stored);
    tally.failed += 1;
    tally.failures.push({ ...key, failure });
    tally.failure ??= failure;
  }

  /** Notes a failure that prevents all further reminders of the rule in this run. */
  stopped(stored: StoredReminderRule, failure: Failure): void {
    this.#of(stored).failure = failure;
  }

  /** Records the results of all rules that had work. */
  note(): void {
    const { stores, clock } = this.#ports;
    for (const [id, tally] of this.#tallies) {
      const stored = orNull(() => stores.reminders.rules.get(id));
      // The user removed the rule during the run.
      if (stored === null) continue;
      const isVain = tally.reminded + tally.unknown === 0;
      // A failure counts against the rule if the run sent no reminder, or if it is a failure of the
      // connection. A fault in one party's data alone does not count.
      const isWhole = tally.failure !== null && isConnectionFailure(tally.failure);
      const failure = isVain || isWhole ? tally.failure : null;
      const { reminded, failed, unknown } = tally;
      const counts = { reminded, failed, unknown };
      const run = { ...counts, ...storedFailures(tally.failures), at: clock.now(), failure };
      stores.reminders.rules.noteRun(id, run, failuresAfter(stored.failures, failure));
    }
  }

  #of({ rule }: StoredReminderRule): RuleTally {
    const known = this.#tallies.get(rule.id);
    if (known !== undefined) return known;
    const tally: RuleTally = { reminded: 0, failed: 0, unknown: 0, failure: null, failures: [] };
    this.#tallies.set(rule.id, tally);
    return tally;
  }
}
