import type { ReminderReason, ReminderRule } from '../../contract/reminders.ts';
import type { Party } from '../../model/agreement.ts';
import { dayNumber, instantsOf, dayFromNumber } from '../time/days.ts';
import { hasHolidays, isHoliday, isWeekend, zoneOfCountry } from '../time/holidays.ts';
import { HOUR } from '../time/units.ts';

/*
 * Decides when a party may be reminded: a pure function of the party's data, past reminders, the
 * rule and the time. Waiting periods are calendar days of the office, so the hour of a message and
 * clock changes do not affect them.
 */

/**
 * Minimum milliseconds between two reminders of a party, by a rule or manually, so that there is
 * time to read the previous one.
 */
export const REMINDER_COOLDOWN_MS = HOUR;
/** Number of failures after which a rule stops and only the user can continue. */
const MAX_RULE_FAILURES = 3;
/** Number of days searched for a working day: more than the consecutive days off in any country. */
const MAX_DAYS_AHEAD = 60;

export type RuleTerms = Pick<
  ReminderRule,
  'firstAfterDays' | 'everyDays' | 'most' | 'hours' | 'country'
>;

/** Party of an open agreement, with all its reminders; times are epoch milliseconds. */
export interface Remindable {
  readonly party: Pick<Party, 'kind' | 'state' | 'email' | 'mobile' | 'country'>;
  /** Start of the party's turn, see `turnStartedAt`; null if the service did not return it. */
  readonly since: number | null;
  readonly expiresAt: number | null;
  /**
   * Times of all reminders that may have been sent, by a rule or manually, even with an unknown
   * outcome.
   */
  readonly past: readonly number[];
  /** Times of the service's own reminders, past and future. */
  readonly service: readonly number[];
  /** Failures since the last reminder; null if none failed. */
  readonly tries: { readonly at: number; readonly times: number } | null;
  readonly hold: 'switched-off' | 'bounced' | null;
  /** Time from which to wait as after a reminder, if earlier reminders are not known; else null. */
  readonly countsFrom: number | null;
}

export type ReminderDecision =
  | { readonly isDue: true; readonly count: number }
  | {
      readonly isDue: false;
      readonly because: ReminderReason;
      /**
       * Earliest time for a reminder if nothing changes; null if only the user or the service can
       * remove the obstacle.
       */
      readonly nextAt: number | null;
    };

/**
 * Start of a party's turn: the agreement was sent, and all parties before this one have signed (API
 * v1, "Party"). The service returns the time of the last signature, but not who signed, so the turn
 * may have started earlier than the result.
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
export function reminderDecision(one: Remindable, rule: RuleTerms, now: number): ReminderDecision {
  const barred = reminderObstacle(one, now);
  if (barred !== null) return { isDue: false, because: barred, nextAt: null };
  const { zone } = rule.hours;
  const days = new Set(one.past.map((at) => dayNumber(at, zone)));
  if (days.size >= rule.most) return { isDue: false, because: 'enough', nextAt: null };
  const { day, because } = earliestDay(one, rule, now);
  const today = dayNumber(now, zone);
  // The cooldown also applies across midnight.
  const from = Math.max(now, ...one.past.map((past) => past + REMINDER_COOLDOWN_MS));
  const at = firstOpening(one, rule, Math.max(day, today), from);
  if (day <= today && at === now) {
    return { isDue: true, count: days.size + 1 };
  }
  const why = day > today ? because : reasonToWait(one, rule, now);
  return { isDue: false, because: why, nextAt: beforeExpiry(at, one.expiresAt) };
}

/** Reason against a reminder that does not end as time passes; null if there is none. */
function reminderObstacle(one: Remindable, now: number): ReminderReason | null {
  const { party, hold, tries, expiresAt } = one;
  if (party.state !== 'turn') return 'not-turn';
  if (party.kind === 'my-company') return 'ours';
  if (hold !== null) return hold;
  if (expiresAt !== null && expiresAt <= now) return 'expired';
  if (party.email === null && party.mobile === null) return 'no-address';
  if (tries !== null && tries.times >= MAX_RULE_FAILURES) return 'refused';
  return one.since === null ? 'unknown-start' : null;
}

/** First day after the rule's waiting periods, and the period that ended last. */
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
    notBefore(
      dayNumber(at, zone) + everyDays,
      at > now + REMINDER_COOLDOWN_MS ? 'clock' : 'lately',
    );
  }
  if (countsFrom !== null) notBefore(dayNumber(countsFrom, zone) + everyDays, 'lately');
  if (tries !== null) notBefore(dayNumber(tries.at, zone) + 1, 'lately');
  return { day, because };
}

/** First time from a day on, and not before `now`, when the office may remind the party. */
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
    if (isDayOff(on, own)) continue;
    const at = Math.max(now, instantOn(on, hours.from, hours.zone));
    if (at >= instantOn(on, hours.to, hours.zone)) continue;
    // If the office is far away, it may be another day where the party is.
    if (isDayOff(dayNumber(at, zoneOfCountry(own) ?? hours.zone), own)) continue;
    return at;
  }
  return null;
}

/** First of `days` that is less than `within` days from `day`; null if there is none. */
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
    now >= instantOn(today, hours.from, hours.zone) && now < instantOn(today, hours.to, hours.zone);
  return isOpen ? 'lately' : 'hours';
}

const beforeExpiry = (at: number | null, expiresAt: number | null): number | null =>
  at !== null && expiresAt !== null && at >= expiresAt ? null : at;

const isDayOff = (day: number, country: string): boolean =>
  isWeekend(day) || isHoliday(day, country);

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
 * Country whose holidays apply: the party's, its mobile number's, or the rule's. @internal
 */
export function countryOf(
  { country, mobile }: Pick<Party, 'country' | 'mobile'>,
  otherwise: string,
): string {
  if (country !== null && hasHolidays(country)) return country;
  const digits = Object.keys(callingCodes).find((code) => mobile?.startsWith(`+${code}`) === true);
  return callingCodes[digits ?? ''] ?? otherwise;
}

const cachedInstants = new Map<string, number>();
/** Maximum size of the cache: enough for some years of days with two times each. */
const MAX_CACHED_INSTANTS = 4_000;

/** Instant of a local time on a day; if a clock change skips the hour, that of the next hour. */
function instantOn(day: number, time: string, zone: string): number {
  const name = `${String(day)} ${time} ${zone}`;
  const known = cachedInstants.get(name);
  if (known !== undefined) return known;
  if (cachedInstants.size >= MAX_CACHED_INSTANTS) cachedInstants.clear();
  const date = dayFromNumber(day);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  let at: number | undefined;
  for (let later = hour; at === undefined && later < 24; later += 1) {
    const wall = [later, later === hour ? minute : 0].map((two) => String(two).padStart(2, '0'));
    [at] = instantsOf(`${date} ${wall.join(':')}`, zone);
  }
  const found = at ?? day * 24 * HOUR;
  cachedInstants.set(name, found);
  return found;
}
