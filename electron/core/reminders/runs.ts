import type { ReminderRuleId } from '../../../shared/contract/reminders.ts';
import { type Failure, isConnectionFailure } from '../../../shared/errors.ts';
import { orNull } from '../app-error.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import type { Clock, Stores } from '../ports.ts';
import type { StoredReminderRule } from './ports.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** Delay after a failure, so that three in a row take hours, not seconds. */
const RULE_RETRY_DELAY_MS = HOUR;

interface Tally {
  reminded: number;
  failed: number;
  unknown: number;
  failure: Failure | null;
}

/** After this many failures, the rule needs the user's attention. */
export const isPaused = ({ failures }: StoredReminderRule): boolean => isPausedAfter(failures);

/** If the clock was set back, do not wait longer. */
export function isResting({ last }: StoredReminderRule, now: number): boolean {
  return last !== null && last.failure !== null && Math.abs(now - last.at) < RULE_RETRY_DELAY_MS;
}

/** Time of the next allowed attempt; null if allowed now. */
export const nextAttemptAt = ({ last }: StoredReminderRule): number | null =>
  last === null ? null : last.at + RULE_RETRY_DELAY_MS;

export class Tallies {
  readonly #ports: { readonly stores: Pick<Stores, 'reminders'>; readonly clock: Clock };
  readonly #tallies = new Map<ReminderRuleId, Tally>();

  constructor(ports: { readonly stores: Pick<Stores, 'reminders'>; readonly clock: Clock }) {
    this.#ports = ports;
  }

  reminded(stored: StoredReminderRule, isKnown: boolean): void {
    const tally = this.#of(stored);
    if (isKnown) tally.reminded += 1;
    else tally.unknown += 1;
  }

  /** One party could not be reminded. */
  failed(stored: StoredReminderRule, failure: Failure): void {
    const tally = this.#of(stored);
    tally.failed += 1;
    tally.failure ??= failure;
  }

  /** No further reminder could be tried. */
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
      // A fault in one party's data does not count against the rule.
      const isWhole = tally.failure !== null && isConnectionFailure(tally.failure);
      const failure = isVain || isWhole ? tally.failure : null;
      const run = { ...tally, at: clock.now(), failure };
      stores.reminders.rules.noteRun(id, run, failuresAfter(stored.failures, failure));
    }
  }

  #of({ rule }: StoredReminderRule): Tally {
    const known = this.#tallies.get(rule.id);
    if (known !== undefined) return known;
    const tally: Tally = { reminded: 0, failed: 0, unknown: 0, failure: null };
    this.#tallies.set(rule.id, tally);
    return tally;
  }
}
