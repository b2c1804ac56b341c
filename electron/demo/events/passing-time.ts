import {
  performCounterpartAct,
  performLegacyCounterpartAct,
  readyLegacyCounterparts,
  readyCounterparts,
} from './counterpart.ts';
import type { Service } from '../state/service.ts';
import { expire, isOpen } from '../state/life-v1.ts';
import type { Agreement } from '../state/record-v1.ts';
import { isPosted, rejectByTime } from '../state/life-v2.ts';
import type { LegacyAgreement } from '../state/record-v2.ts';

/** Maximum delay of a Node timer (ms). */
const MAX_TIMER_MS = 2 ** 31 - 1;
/** Time added to a timer (ms): timers may fire slightly early, and then nothing is due yet. */
const TIMER_SLACK_MS = 5;

/**
 * Processes events that have no request: deadlines pass, agreements are deleted, other parties act.
 * Due events are processed before every request, and by one timer in between.
 */
export class DueEventProcessor {
  readonly #service: Service;
  #timer: NodeJS.Timeout | null = null;
  #nextDue = 0;

  constructor(service: Service) {
    this.#service = service;
    service.store.onChange(() => {
      this.#plan();
    });
    this.#plan();
  }

  /** Processes all due events, in the order of their due times. */
  catchUp(): void {
    const { store, now } = this.#service;
    if (this.#nextDue > now()) return;
    let acted = false;
    for (const one of store.agreements.values()) acted = this.#catchUpOne(one) || acted;
    for (const one of store.legacy.values()) acted = this.#catchUpLegacy(one) || acted;
    if (acted) store.changed();
    else this.#plan();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #catchUpOne(agreement: Agreement): boolean {
    const { store, now } = this.#service;
    const before = agreement.version;
    for (let due = dueAt(agreement); due !== null && due <= now(); due = dueAt(agreement)) {
      if (agreement.deleteOn === due) {
        store.agreements.delete(agreement.id);
        return true;
      }
      if (agreement.expireOn === due) expire(agreement, due);
      else performCounterpartAct(agreement, due);
      planCounterpartAct(agreement, this.#service, due);
    }
    return agreement.version !== before;
  }

  #catchUpLegacy(agreement: LegacyAgreement): boolean {
    const before = agreement.version;
    for (
      let due = legacyDueAt(agreement);
      due !== null && due <= this.#service.now();
      due = legacyDueAt(agreement)
    ) {
      if (agreement.expireOn === due) rejectByTime(agreement, due);
      else performLegacyCounterpartAct(agreement, due);
      planLegacyCounterpartAct(agreement, this.#service, due);
    }
    return agreement.version !== before;
  }

  #plan(): void {
    const { store, now } = this.#service;
    const dues: number[] = [Number.POSITIVE_INFINITY];
    for (const one of store.agreements.values()) dues.push(dueAt(one) ?? Number.POSITIVE_INFINITY);
    for (const one of store.legacy.values())
      dues.push(legacyDueAt(one) ?? Number.POSITIVE_INFINITY);
    this.#nextDue = dues.reduce((least, due) => Math.min(least, due));
    this.stop();
    if (this.#nextDue === Number.POSITIVE_INFINITY) return;
    const wait = Math.min(Math.max(this.#nextDue - now(), 0) + TIMER_SLACK_MS, MAX_TIMER_MS);
    this.#timer = setTimeout(() => {
      this.catchUp();
    }, wait).unref();
  }
}

/** Sets the time at which the next of the other parties acts automatically. */
export function planCounterpartAct(agreement: Agreement, service: Service, from: number): void {
  const delay = service.counterpartDelayMs;
  agreement.actAt =
    delay === null || readyCounterparts(agreement).length === 0 ? null : from + delay;
}

export function planLegacyCounterpartAct(
  agreement: LegacyAgreement,
  service: Service,
  from: number,
): void {
  const delay = service.counterpartDelayMs;
  agreement.actAt =
    delay === null || readyLegacyCounterparts(agreement).length === 0 ? null : from + delay;
}

function dueAt(agreement: Agreement): number | null {
  return isOpen(agreement)
    ? earliestInstant(agreement.deleteOn, agreement.expireOn, agreement.actAt)
    : agreement.deleteOn;
}

function legacyDueAt(agreement: LegacyAgreement): number | null {
  return isPosted(agreement) ? earliestInstant(agreement.expireOn, agreement.actAt) : null;
}

function earliestInstant(...instants: readonly (number | null)[]): number | null {
  const set = instants.filter((at) => at !== null);
  return set.length === 0 ? null : Math.min(...set);
}
