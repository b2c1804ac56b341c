import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countryOf,
  reminderDecision,
  type Remindable,
  type RuleTerms,
} from '../../shared/rules/reminders/judge.ts';
import { dayNumber, wallTime } from '../../shared/rules/time/days.ts';
import { holidayCountries, isHoliday, isWeekend } from '../../shared/rules/time/holidays.ts';
import { TIMEOUT_MS, settings } from './runs.ts';
import { DAY, MINUTE } from '../../shared/rules/time/units.ts';

const FIRST = Date.UTC(2026, 0, 1);
/**
 * Length of the tested time (ms): fifteen months, with six changes of the clocks in the zones
 * below.
 */
const SPAN = 450 * DAY;

const instant = fc.integer({ min: 0, max: SPAN / MINUTE }).map((after) => FIRST + after * MINUTE);
const time = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map((at) => [Math.floor(at / 60), at % 60].map((two) => String(two).padStart(2, '0')).join(':'));
const zone = fc.constantFrom(
  'Europe/Stockholm',
  'Europe/London',
  'America/St_Johns',
  'Pacific/Auckland',
  'Asia/Kolkata',
  'Africa/Cairo',
);
const hours = fc
  .tuple(time, time, zone)
  .filter(([one, other]) => one !== other)
  .map(([one, other, of]) => {
    const [from = one, to = other] = [one, other].toSorted();
    return { zone: of, from, to };
  });
const country = fc.constantFrom(...holidayCountries);
const rules: fc.Arbitrary<RuleTerms> = fc.record({
  firstAfterDays: fc.integer({ min: 1, max: 12 }),
  everyDays: fc.integer({ min: 1, max: 12 }),
  most: fc.integer({ min: 1, max: 8 }),
  hours,
  country,
});

const subjects: fc.Arbitrary<Remindable> = fc.record({
  party: fc.record({
    kind: fc.constantFrom('person' as const, 'company' as const),
    state: fc.constant('turn' as const),
    email: fc.constant('a@example.com'),
    mobile: fc.constantFrom(null, '+46701234567', '+4512345678'),
    country: fc.option(country),
  }),
  since: instant,
  expiresAt: fc.constant(null),
  past: fc.array(instant, { maxLength: 6 }),
  service: fc.array(instant, { maxLength: 3 }),
  tries: fc.option(fc.record({ at: instant, times: fc.integer({ min: 1, max: 2 }) })),
  hold: fc.constant(null),
  countsFrom: fc.option(instant),
});

/**
 * Whether the office may contact this party at this time, calculated from the wall time as text.
 */
function isAllowed(one: Remindable, rule: RuleTerms, at: number): boolean {
  const { zone: of, from, to } = rule.hours;
  const clock = wallTime(at, of).slice(11, 16);
  const day = dayNumber(at, of);
  const own = countryOf(one.party, rule.country);
  return clock >= from && clock < to && !isWeekend(day) && !isHoliday(day, own);
}

describe('a reminder from a rule', () => {
  it(
    'is due at the forecast time, and not before',
    () => {
      fc.assert(
        fc.property(
          subjects,
          rules,
          instant,
          fc.double({ min: 0, max: 1, noNaN: true }),
          (...of) => {
            const [one, rule, now, share] = of;
            const found = reminderDecision(one, rule, now);
            if (found.isDue) {
              expect(isAllowed(one, rule, now)).toBe(true);
              return;
            }
            if (found.nextAt === null) return;
            expect(reminderDecision(one, rule, found.nextAt)).toMatchObject({ isDue: true });
            const between = Math.floor(now + share * (found.nextAt - 1 - now));
            expect(reminderDecision(one, rule, between).isDue).toBe(false);
          },
        ),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it('is not due before the rule’s interval after each earlier reminder, in any order of detection', () => {
    fc.assert(
      fc.property(subjects, rules, instant, fc.integer(), (one, rule, now, turn) => {
        const turned = [...one.past].toSorted((a, b) => ((a ^ turn) >>> 0) - ((b ^ turn) >>> 0));
        const found = reminderDecision(one, rule, now);
        expect(reminderDecision({ ...one, past: turned }, rule, now)).toEqual(found);
        if (!found.isDue) return;
        const today = dayNumber(now, rule.hours.zone);
        for (const at of [...one.past, ...one.service]) {
          const away = Math.abs(today - dayNumber(at, rule.hours.zone));
          expect(away).toBeGreaterThanOrEqual(rule.everyDays);
        }
      }),
      settings,
    );
  });

  it('is never due for a party that no longer has to act', () => {
    const barred = fc.oneof(
      fc
        .constantFrom('signed' as const, 'rejected' as const, 'waiting' as const, 'draft' as const)
        .map((state) => (one: Remindable) => ({ ...one, party: { ...one.party, state } })),
      fc
        .constantFrom('bounced' as const, 'switched-off' as const)
        .map((hold) => (one: Remindable) => ({ ...one, hold })),
      fc.constant((one: Remindable) => ({ ...one, expiresAt: FIRST })),
      fc.constant((one: Remindable) => ({ ...one, tries: { at: FIRST, times: 3 } })),
    );
    fc.assert(
      fc.property(subjects, rules, instant, barred, (one, rule, now, bar) => {
        expect(reminderDecision(bar(one), rule, now)).toMatchObject({ isDue: false, nextAt: null });
      }),
      settings,
    );
  });
});

/** Event between two checks of the reminders by a computer. */
type Event =
  | { readonly kind: 'time'; readonly minutes: number }
  | { readonly kind: 'clock'; readonly minutes: number }
  /** Sets the outcome of the next request: answered, answer lost, or not sent. */
  | { readonly kind: 'ending'; readonly as: 'done' | 'unknown' | 'not-sent' }
  | { readonly kind: 'by-hand' }
  | { readonly kind: 'signed' };

const events: fc.Arbitrary<readonly Event[]> = fc.array(
  fc.oneof(
    {
      arbitrary: fc.record({
        kind: fc.constant('time' as const),
        minutes: fc.integer({ min: 1, max: 3 * 24 * 60 }),
      }),
      weight: 12,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('clock' as const),
        minutes: fc.integer({ min: -20 * 24 * 60, max: 20 * 24 * 60 }),
      }),
      weight: 1,
    },
    {
      arbitrary: fc.record({
        kind: fc.constant('ending' as const),
        as: fc.constantFrom('done' as const, 'unknown' as const, 'not-sent' as const),
      }),
      weight: 2,
    },
    { arbitrary: fc.constant({ kind: 'by-hand' as const }), weight: 1 },
    { arbitrary: fc.constant({ kind: 'signed' as const }), weight: 1 },
  ),
  { maxLength: 80 },
);

/** Model of one party, the record of the party's reminders, and the requests to the service. */
class Months {
  readonly sent: number[] = [];
  #one: Remindable;
  readonly #rule: RuleTerms;
  #now: number;
  #ending: 'done' | 'unknown' | 'not-sent' = 'done';

  constructor(one: Remindable, rule: RuleTerms, now: number) {
    this.#one = one;
    this.#rule = rule;
    this.#now = now;
  }

  take(event: Event): void {
    switch (event.kind) {
      case 'time':
      case 'clock':
        this.#now += event.minutes * MINUTE;
        break;
      case 'ending':
        this.#ending = event.as;
        break;
      case 'by-hand':
        this.#write();
        break;
      case 'signed':
        this.#one = { ...this.#one, party: { ...this.#one.party, state: 'signed' } };
        break;
    }
  }

  /** Checks the reminders twice, as after a crash, and sends those that are due. */
  look(): void {
    for (const _ of [1, 2]) {
      if (!reminderDecision(this.#one, this.#rule, this.#now).isDue) continue;
      expect(this.#one.party.state).toBe('turn');
      expect(isAllowed(this.#one, this.#rule, this.#now)).toBe(true);
      const today = this.#dayOf(this.#now);
      for (const at of this.#one.past) {
        expect(Math.abs(today - this.#dayOf(at))).toBeGreaterThanOrEqual(this.#rule.everyDays);
      }
      const ending = this.#ending;
      this.#ending = 'done';
      if (ending === 'not-sent') continue;
      this.sent.push(this.#now);
      this.#write();
    }
  }

  get days(): number {
    return new Set(this.sent.map((at) => this.#dayOf(at))).size;
  }

  #write(): void {
    this.#one = { ...this.#one, past: [...this.#one.past, this.#now] };
  }

  #dayOf(at: number): number {
    return dayNumber(at, this.#rule.hours.zone);
  }
}

describe('a party, through months of checks, crashes and clock corrections', () => {
  it(
    'is reminded at most as often as the rule allows, once a day, with the rule’s days between',
    () => {
      fc.assert(
        fc.property(subjects, rules, instant, events, (one, rule, now, all) => {
          const months = new Months(one, rule, now);
          for (const event of all) {
            months.take(event);
            months.look();
          }
          expect(months.days).toBe(months.sent.length);
          expect(months.days).toBeLessThanOrEqual(rule.most);
        }),
        settings,
      );
    },
    TIMEOUT_MS,
  );

  it('is reminded as often as the rule requires if nothing else happens', () => {
    const quiet = subjects.map((one) => ({ ...one, past: [], service: [], tries: null }));
    fc.assert(
      fc.property(quiet, rules, instant, (one, rule, now) => {
        let known: Remindable = one;
        let at: number | null = now;
        for (let looks = 0; at !== null && looks < 3 * rule.most + 3; looks += 1) {
          const found = reminderDecision(known, rule, at);
          if (found.isDue) known = { ...known, past: [...known.past, at] };
          else at = found.nextAt;
        }
        expect(known.past).toHaveLength(rule.most);
      }),
      settings,
    );
  });
});
