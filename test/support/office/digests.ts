import type { Digest, DigestKind } from '../../../shared/contract/digest.ts';
import { dayAfter, instantOf, isWeekendDay, wallOf } from './calendar.ts';

import type { Truth } from './truth.ts';
import { DAY, HOUR } from '../../../shared/rules/time/units.ts';

const ZONE = 'Europe/Stockholm';
const TIME = '08:00';
const LEAST = 6 * HOUR;

/** Expected content of a computer's daily summaries, recorded independently of the program. */
export class ExpectedDigests {
  readonly #truth: Truth;
  readonly #desk: number;
  readonly #told = new Set<string>();
  #takenAt: number | null = null;
  /** True time up to which the computer has read changes. */
  readAt = Number.NEGATIVE_INFINITY;
  /** Times of refusal of sends that need the user. */
  readonly refused: number[] = [];
  given = 0;

  constructor(truth: Truth, desk: number) {
    this.#truth = truth;
    this.#desk = desk;
  }

  /** Returns the faults of a summary that was shown at this time of the computer's clock. */
  judge(now: number, given: Digest | null): readonly string[] {
    const day = wallOf(now, ZONE).day;
    const at = (what: string) => `digest of desk ${this.#desk} on ${day}: ${what}`;
    if (!this.#isDue(now)) return given === null ? [] : [at('it was not due')];
    const expected = this.#expected(now);
    const isEmpty = [...expected.values()].every(({ size }) => size === 0);
    if (given === null) {
      return isEmpty && this.#decisions(now) === 0 ? [] : [at('it was not given')];
    }
    this.given += 1;
    const wrong: string[] = [];
    for (const [kind, ids] of expected) {
      const named = given.entries.filter((entry) => entry.kind === kind);
      const found = named.map(({ id }) => this.#titleOf(id));
      const wanted = [...ids].map((id) => this.#titleOf(id));
      if (given.counts[kind] !== ids.size) {
        wrong.push(at(`${kind}: ${given.counts[kind]} instead of ${ids.size}`));
      }
      const missing = wanted.filter((title) => !found.includes(title));
      const foreign = found.filter((title) => !wanted.includes(title));
      if (missing.length > 0) wrong.push(at(`${kind} lacks ${missing.join(', ')}`));
      if (foreign.length > 0) wrong.push(at(`${kind} has ${foreign.join(', ')}`));
    }
    if (given.decisions !== this.#decisions(now)) {
      wrong.push(at(`decisions: ${given.decisions} instead of ${this.#decisions(now)}`));
    }
    for (const { id, kind, reason } of given.entries) {
      const said = this.#truth.agreements.get(id)?.parties.find((party) => party.reason !== null);
      if (kind === 'rejected' && reason !== said?.reason) wrong.push(at(`${id} gives no reason`));
    }
    return wrong;
  }

  #isDue(now: number): boolean {
    const last = this.#takenAt;
    const isDue =
      last !== null && (last - now > DAY || (last < timeBefore(now) && now - last >= LEAST));
    if (last === null || isDue) this.#takenAt = now;
    return isDue;
  }

  #expected(now: number): ReadonlyMap<DigestKind, ReadonlySet<string>> {
    const found = new Map<DigestKind, Set<string>>(
      (['signed', 'rejected', 'expired', 'revoked', 'expiring', 'bounced'] as const).map((kind) => [
        kind,
        new Set<string>(),
      ]),
    );
    for (const { id, sentAt, ended, expiresAt } of this.#truth.agreements.values()) {
      if (sentAt > this.readAt) continue;
      if (ended !== null && ended.at <= this.readAt) {
        if (!this.#told.has(id)) found.get(ended.as)?.add(id);
        this.#told.add(id);
      } else if (expiresAt !== null && expiresAt >= now && expiresAt < now + 3 * DAY) {
        found.get('expiring')?.add(id);
      }
    }
    for (const { id } of this.#truth.bounced(this.#desk)) found.get('bounced')?.add(id);
    return found;
  }

  #decisions(now: number): number {
    return this.refused.filter((at) => now - at <= 30 * DAY).length;
  }

  #titleOf(id: string): string {
    return this.#truth.agreements.get(id)?.life.title ?? id;
  }
}

/** The last due time of a summary, on a working day. */
function timeBefore(now: number): number {
  for (let day = wallOf(now, ZONE).day; ; day = dayAfter(day, -1)) {
    if (isWeekendDay(day)) continue;
    const at = instantOf(day, TIME, ZONE);
    if (at <= now) return at;
  }
}
