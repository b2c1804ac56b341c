import type { ReminderReason, ReminderRule } from '../../contract/reminders.ts';
import type { Party } from '../../model/agreement.ts';
import { dayNumber, instantsOf, numberedDay } from '../time/days.ts';
import { hasHolidays, isHoliday, isWeekend, zoneOfCountry } from '../time/holidays.ts';
import { HOUR } from '../time/units.ts';

/*
 * Decides when a party may be reminded: a pure function of its data, past reminders, the rule and
 * the time. Days are those of the office's calendar, so the hour of a message and clock changes do
 * not affect their length.
 */

/**
 * Minimum milliseconds between two reminders of a party, by a rule or manually, so that there is
 * time to read the previous one.
 */
export const COOLDOWN = HOUR;
/** Failures after which only the user can continue. */
const MAX_TRIES = 3;
/** More than the consecutive days off in any country. */
const MAX_DAYS_AHEAD = 60;

export type RuleTerms = Pick<
  ReminderRule,
  'firstAfterDays' | 'everyDays' | 'most' | 'hours' | 'country'
>;

/** A party of an open agreement, with all its reminders. Epoch milliseconds. */
export interface Remindable {
  readonly party: Pick<Party, 'kind' | 'state' | 'email' | 'mobile' | 'country'>;
  /** Start of its turn, see `turnStartedAt`; null if the service did not return it. */
  readonly since: number | null;
  readonly expiresAt: number | null;
  /**
   * Times of all reminders that may have been sent, by a rule or manually, even with an unknown
   * outcome.
   */
  readonly past: readonly number[];
  /** Times of the service's own reminders, past and future. */
  readonly service: readonly number[];
  /** Failures since the last reminder. */
  readonly tries: { readonly at: number; readonly times: number } | null;
  readonly hold: 'switched-off' | 'bounced' | null;
  /** Counts as reminded at this time, because earlier reminders are not known; otherwise null. */
  readonly countsFrom: number | null;
}

export type Judgement =
  | { readonly isDue: true; readonly count: number }
  | {
      readonly isDue: false;
      readonly because: ReminderReason;
      /**
       * The earliest time, if nothing else happens; null if only the user or the service can change
       * it.
       */
      readonly nextAt: number | null;
    };

/**
 * Start of a party's turn: it was sent, and all parties before it have signed (API v1, "Party").
 * The service returns the time of the last signature, but not its party: the turn started then, or
 * earlier.
 */
export function turnStartedAt(
  {
    sentAt,
    createdAt,
    lastSignedAt,
  }: Readonly<Record<'sentAt' | 'createdAt' | 'lastSignedAt', number | null>>,
  parties: readonly Pick<Party, 'order'>[],
  { order }: Pick<Party, 'order'>,
): number | null {
  const sent = sentAt ?? createdAt;
  if (sent === null || lastSignedAt === null) return sent;
  return parties.some((before) => before.order < order) ? Math.max(sent, lastSignedAt) : sent;
}

/** Whether a rule may remind a party at `now`; if not, the reason and the next time. */
export function reminderDecision(one: Remindable, rule: RuleTerms, now: number): Judgement {
  const barred = reminderObstacle(one, now);
  if (barred !== null) return { isDue: false, because: barred, nextAt: null };
  const { zone } = rule.hours;
  const days = new Set(one.past.map((at) => dayNumber(at, zone)));
  if (days.size >= rule.most) return { isDue: false, because: 'enough', nextAt: null };
  const { day, because } = earliestDay(one, rule, now);
  const today = dayNumber(now, zone);
  // Also applies across midnight.
  const from = Math.max(now, ...one.past.map((past) => past + COOLDOWN));
  const at = firstOpening(one, rule, Math.max(day, today), from);
  if (day <= today && at === now) {
    return { isDue: true, count: days.size + 1 };
  }
  const why = day > today ? because : reasonToWait(one, rule, now);
  return { isDue: false, because: why, nextAt: beforeExpiry(at, one.expiresAt) };
}

/** Reasons that do not depend on the time. */
function reminderObstacle(one: Remindable, now: number): ReminderReason | null {
  const { party, hold, tries, expiresAt } = one;
  if (party.state !== 'turn') return 'not-turn';
  if (party.kind === 'my-company') return 'ours';
  if (hold !== null) return hold;
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  if (party.email === null && party.mobile === null) return 'no-address';
  if (tries !== null && tries.times >= MAX_TRIES) return 'refused';
  return one.since === null ? 'unknown-start' : null;
}

/** The first day after the rule's waiting periods, and the period that ended last. */
function earliestDay(
  { since, past, tries, countsFrom }: Remindable,
  { firstAfterDays, everyDays, hours: { zone } }: RuleTerms,
  now: number,
): { readonly day: number; readonly because: ReminderReason } {
  let day = dayNumber(since ?? now, zone) + firstAfterDays;
  let because: ReminderReason = 'too-early';
  const notBefore = (earliest: number, why: ReminderReason): void => {
    if (earliest > day) [day, because] = [earliest, why];
  };
  for (const at of past) {
    notBefore(dayNumber(at, zone) + everyDays, at > now + COOLDOWN ? 'clock' : 'lately');
  }
  if (countsFrom !== null) notBefore(dayNumber(countsFrom, zone) + everyDays, 'lately');
  if (tries !== null) notBefore(dayNumber(tries.at, zone) + 1, 'lately');
  return { day, because };
}

/** The first time from that day on, and not before `now`, when the office may write. */
function firstOpening(
  { party, service }: Remindable,
  { hours, country, everyDays }: RuleTerms,
  day: number,
  now: number,
): number | null {
  const own = countryOf(party, country);
  const theirs = service.map((at) => dayNumber(at, hours.zone));
  for (let on = day, free = 0; free < MAX_DAYS_AHEAD; on += 1) {
    const near = nearestDay(theirs, on, everyDays);
    if (near !== null) {
      on = near + everyDays - 1;
      continue;
    }
    free += 1;
    if (isFree(on, own)) continue;
    const at = Math.max(now, timeOn(on, hours.from, hours.zone));
    if (at >= timeOn(on, hours.to, hours.zone)) continue;
    // If the office is far away, the party may have another day.
    if (isFree(dayNumber(at, zoneOfCountry(own) ?? hours.zone), own)) continue;
    return at;
  }
  return null;
}

/** The first of these days that is less than `within` days away; null if there is none. */
function nearestDay(days: readonly number[], day: number, within: number): number | null {
  return days.find((one) => Math.abs(one - day) < within) ?? null;
}

function reasonToWait(
  { party, service }: Remindable,
  { hours, country, everyDays }: RuleTerms,
  now: number,
): ReminderReason {
  const own = countryOf(party, country);
  const today = dayNumber(now, hours.zone);
  const theirs = service.map((at) => dayNumber(at, hours.zone));
  if (nearestDay(theirs, today, everyDays) !== null) return 'service-reminds';
  for (const day of [today, dayNumber(now, zoneOfCountry(own) ?? hours.zone)]) {
    if (isWeekend(day)) return 'weekend';
    if (isHoliday(day, own)) return 'holiday';
  }
  const isOpen =
    now >= timeOn(today, hours.from, hours.zone) && now < timeOn(today, hours.to, hours.zone);
  return isOpen ? 'lately' : 'hours';
}

const beforeExpiry = (at: number | null, expiresAt: number | null): number | null =>
  at !== null && expiresAt !== null && at >= expiresAt ? null : at;

const isFree = (day: number, country: string): boolean => isWeekend(day) || isHoliday(day, country);

/** Calling codes of the countries with known holidays (ITU-T E.164). */
const callingCodes: Readonly<Record<string, string>> = {
  '31': 'NL',
  '33': 'FR',
  '34': 'ES',
  '39': 'IT',
  '44': 'GB',
  '45': 'DK',
  '46': 'SE',
  '47': 'NO',
  '48': 'PL',
  '49': 'DE',
  '358': 'FI',
};

/**
 * Country for the holidays: the party's own, that of its mobile number, or the rule's. @internal
 */
export function countryOf(
  { country, mobile }: Pick<Party, 'country' | 'mobile'>,
  otherwise: string,
): string {
  if (country !== null && hasHolidays(country)) return country;
  const digits = Object.keys(callingCodes).find((code) => mobile?.startsWith(`+${code}`) === true);
  return callingCodes[digits ?? ''] ?? otherwise;
}

const times = new Map<string, number>();
/** Enough for some years of days with two times each. */
const MAX_TIMES = 4_000;

/** The instant of this local time on that day; if a clock change skips the hour, the next one. */
function timeOn(day: number, time: string, zone: string): number {
  const name = `${String(day)} ${time} ${zone}`;
  const known = times.get(name);
  if (known !== undefined) return known;
  if (times.size >= MAX_TIMES) times.clear();
  const date = numberedDay(day);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  let at: number | undefined;
  for (let later = hour; at === undefined && later < 24; later += 1) {
    const wall = [later, later === hour ? minute : 0].map((two) => String(two).padStart(2, '0'));
    [at] = instantsOf(`${date} ${wall.join(':')}`, zone);
  }
  const found = at ?? day * 24 * HOUR;
  times.set(name, found);
  return found;
}
