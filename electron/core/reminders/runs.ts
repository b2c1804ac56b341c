import type { ReminderRuleId } from '../../../shared/contract/reminders.ts';
import { type Failure, isOfConnection } from '../../../shared/errors.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import type { Clock, Stores } from '../ports.ts';
import type { StoredReminderRule } from './ports.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

/** After a failure, so that three in a row take hours, and not seconds. */
const REST_MS = HOUR;

interface Tally {
  reminded: number;
  failed: number;
  unknown: number;
  failure: Failure | null;
}

/** A rule that failed so often asks for a person. */
export const isPaused = ({ failures }: StoredReminderRule): boolean => isPausedAfter(failures);

/** A clock that was put back must not keep it resting. */
export function isResting({ last }: StoredReminderRule, now: number): boolean {
  return last !== null && last.failure !== null && Math.abs(now - last.at) < REST_MS;
}

/** When it may try again; null where it may at once. */
export const restedAt = ({ last }: StoredReminderRule): number | null =>
  last === null ? null : last.at + REST_MS;

/** What one run did, rule by rule. */
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

  /** Nothing could be tried any more. */
  stopped(stored: StoredReminderRule, failure: Failure): void {
    this.#of(stored).failure = failure;
  }

  /** Writes down how it went, of the rules that had anything to do. */
  note(): void {
    const { stores, clock } = this.#ports;
    for (const [id, tally] of this.#tallies) {
      const { failures } = stores.reminders.rules.get(id);
      const isVain = tally.reminded + tally.unknown === 0;
      // What one party's data is to blame for does not speak against the rule.
      const isWhole = tally.failure !== null && isOfConnection(tally.failure);
      const failure = isVain || isWhole ? tally.failure : null;
      const run = { ...tally, at: clock.now(), failure };
      stores.reminders.rules.noteRun(id, run, failuresAfter(failures, failure));
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
