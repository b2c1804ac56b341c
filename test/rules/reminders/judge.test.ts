import { describe, expect, it } from 'vitest';
import {
  countryOf,
  reminderDecision,
  type Remindable,
  type RuleTerms,
  turnStartedAt,
} from '../../../shared/rules/reminders/judge.ts';
import { instantsOf } from '../../../shared/rules/time/days.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const ZONE = 'Europe/Stockholm';
const at = (wall: string): number => instantsOf(wall, ZONE)[0] ?? Number.NaN;

const rule: RuleTerms = {
  firstAfterDays: 3,
  everyDays: 2,
  most: 3,
  hours: { zone: ZONE, from: '09:00', to: '16:00' },
  country: 'SE',
};

/**
 * Returns an agreement that was sent on Monday 16 November 2026, and whose party has not been
 * contacted since.
 */
const remindable = (change: Partial<Remindable> = {}): Remindable => ({
  party: { kind: 'person', state: 'turn', email: 'a@example.com', mobile: null, country: null },
  since: at('2026-11-16 15:00'),
  expiresAt: null,
  past: [],
  service: [],
  tries: null,
  hold: null,
  countsFrom: null,
  ...change,
});

const judged = (change: Partial<Remindable>, wall: string, terms: Partial<RuleTerms> = {}) =>
  reminderDecision(remindable(change), { ...rule, ...terms }, at(wall));
const held = (because: string, next: string | null) => ({
  isDue: false,
  because,
  nextAt: next === null ? null : at(next),
});

describe('an automatic reminder', () => {
  it('is due the rule’s number of calendar days after the agreement was sent, when the office opens', () => {
    expect(judged({}, '2026-11-18 23:59')).toEqual(held('too-early', '2026-11-19 09:00'));
    expect(judged({}, '2026-11-19 08:59')).toEqual(held('hours', '2026-11-19 09:00'));
    expect(judged({}, '2026-11-19 09:00')).toEqual({ isDue: true, count: 1 });
    expect(judged({}, '2026-11-19 15:59')).toEqual({ isDue: true, count: 1 });
    expect(judged({}, '2026-11-19 16:00')).toEqual(held('hours', '2026-11-20 09:00'));
  });

  it('repeats after the rule’s days, also after a manual reminder, up to its maximum', () => {
    const past = [at('2026-11-19 10:00')];
    expect(judged({ past }, '2026-11-20 10:00')).toEqual(held('lately', '2026-11-23 09:00'));
    expect(judged({ past }, '2026-11-23 09:00')).toEqual({ isDue: true, count: 2 });
    const three = [...past, at('2026-11-23 09:00'), at('2026-11-25 09:00')];
    expect(judged({ past: three }, '2026-12-09 10:00')).toEqual(held('enough', null));
  });

  it('waits an hour after the last reminder, even when a day begins in between', () => {
    const hours = { zone: ZONE, from: '00:00', to: '23:59' };
    const past = [at('2026-11-23 23:50')];
    const daily = { hours, everyDays: 1 };
    expect(judged({ past }, '2026-11-24 00:10', daily)).toEqual(held('lately', '2026-11-24 00:50'));
    expect(judged({ past }, '2026-11-24 00:50', daily)).toEqual({ isDue: true, count: 2 });
  });

  it('counts an email and a text message on the same day as one reminder', () => {
    const past = [at('2026-11-19 10:00'), at('2026-11-19 10:01'), at('2026-11-23 09:00')];
    expect(judged({ past }, '2026-11-25 09:00')).toEqual({ isDue: true, count: 3 });
  });

  it('is postponed over weekends and holidays of the party’s country', () => {
    const sent = { since: at('2026-12-02 12:00') };
    expect(judged(sent, '2026-12-05 10:00')).toEqual(held('weekend', '2026-12-07 09:00'));
    // 8 December is a holiday in Spain, but not in Sweden.
    const party = { ...remindable().party, country: 'ES' };
    expect(judged({ ...sent, party }, '2026-12-08 10:00')).toEqual(
      held('holiday', '2026-12-09 09:00'),
    );
    expect(judged(sent, '2026-12-08 10:00')).toEqual({ isDue: true, count: 1 });
    // The reminder waits over Christmas Eve, the two days of Christmas, and the weekend.
    expect(judged(sent, '2026-12-24 10:00')).toEqual(held('holiday', '2026-12-28 09:00'));
  });

  it('uses the party’s local day when the office is far away', () => {
    const party = { ...remindable().party, country: 'FI' };
    const hours = { zone: 'Pacific/Honolulu', from: '09:00', to: '16:00' };
    // The time is Friday 13:00 in Honolulu, which is Saturday in Helsinki.
    const friday = Date.UTC(2026, 10, 20, 23);
    const found = reminderDecision(remindable({ party }), { ...rule, hours }, friday);
    expect(found).toMatchObject({ isDue: false, because: 'weekend' });
  });

  it('is postponed while a reminder of the service itself was recent or is near', () => {
    const service = [at('2026-11-20 12:00')];
    const soon = judged({ service }, '2026-11-19 10:00');
    expect(soon).toEqual(held('service-reminds', '2026-11-23 09:00'));
    expect(judged({ service }, '2026-11-23 10:00')).toEqual({ isDue: true, count: 1 });
    // The service's reminder is far enough ahead for one of our reminders before it.
    const later = [at('2026-11-25 12:00')];
    expect(judged({ service: later }, '2026-11-19 10:00')).toEqual({ isDue: true, count: 1 });
    expect(judged({ service: later }, '2026-11-24 10:00')).toEqual(
      held('service-reminds', '2026-11-27 09:00'),
    );
  });

  it('is never due while a permanent obstacle exists', () => {
    const { party } = remindable();
    const cases: readonly [Partial<Remindable>, string][] = [
      [{ party: { ...party, state: 'signed' } }, 'not-turn'],
      [{ party: { ...party, state: 'waiting' } }, 'not-turn'],
      [{ party: { ...party, kind: 'my-company' } }, 'ours'],
      [{ party: { ...party, email: null } }, 'no-address'],
      [{ hold: 'switched-off' }, 'switched-off'],
      [{ hold: 'bounced' }, 'bounced'],
      [{ expiresAt: at('2026-11-30 10:00') }, 'expired'],
      [{ since: null }, 'unknown-start'],
      [{ tries: { at: at('2026-11-26 10:00'), times: 3 } }, 'refused'],
    ];
    for (const [change, because] of cases) {
      expect(judged(change, '2026-11-30 10:00')).toEqual(held(because, null));
    }
  });

  it('that failed is tried again on another day', () => {
    const tries = { at: at('2026-11-19 09:00'), times: 1 };
    expect(judged({ tries }, '2026-11-19 09:15')).toEqual(held('lately', '2026-11-20 09:00'));
    expect(judged({ tries }, '2026-11-20 09:00')).toEqual({ isDue: true, count: 1 });
  });

  it('is paused while the last reminder lies in the future, because the clock was set back', () => {
    const past = [at('2026-11-25 10:00')];
    expect(judged({ past }, '2026-11-20 10:00')).toEqual(held('clock', '2026-11-27 09:00'));
  });

  it('counts actions before a restore as done when the user continued', () => {
    const countsFrom = at('2026-11-19 12:00');
    expect(judged({ countsFrom }, '2026-11-19 13:00')).toEqual(held('lately', '2026-11-23 09:00'));
  });

  it('is not predicted after the day on which the agreement expires', () => {
    const expiresAt = at('2026-11-19 08:00');
    expect(judged({ expiresAt }, '2026-11-18 10:00')).toEqual(held('too-early', null));
  });

  it('is due at the first existing hour in the night that skips an hour', () => {
    // Most zones skip an hour on a Sunday, but Cairo on a Friday.
    const cairo = { zone: 'Africa/Cairo', from: '00:30', to: '08:00' };
    const thursday = instantsOf('2026-04-23 12:00', 'Africa/Cairo')[0] ?? 0;
    const found = reminderDecision(
      remindable({ since: thursday - 2 * DAY }),
      { ...rule, hours: cairo },
      thursday,
    );
    const opening = instantsOf('2026-04-24 01:00', 'Africa/Cairo')[0];
    expect(found).toEqual({ isDue: false, because: 'too-early', nextAt: opening });
  });
});

describe('a party’s turn', () => {
  it('begins when the agreement is sent, or with the last signature of the earlier parties', () => {
    const sent = { sentAt: 10, createdAt: 5, lastSignedAt: 30 };
    const parties = [{ order: 1 }, { order: 1 }, { order: 2 }];
    expect(turnStartedAt(sent, parties, { order: 1 })).toBe(10);
    expect(turnStartedAt(sent, parties, { order: 2 })).toBe(30);
    expect(turnStartedAt({ ...sent, lastSignedAt: null }, parties, { order: 2 })).toBe(10);
    expect(turnStartedAt({ ...sent, sentAt: null, lastSignedAt: null }, [], { order: 1 })).toBe(5);
    const nothing = { sentAt: null, createdAt: null, lastSignedAt: 30 };
    expect(turnStartedAt(nothing, parties, { order: 2 })).toBeNull();
  });
});

describe('the country used for holidays', () => {
  it('is the country from the service, from the mobile number, or from the rule', () => {
    expect(countryOf({ country: 'FI', mobile: '+46701234567' }, 'DE')).toBe('FI');
    expect(countryOf({ country: null, mobile: '+46701234567' }, 'DE')).toBe('SE');
    expect(countryOf({ country: 'US', mobile: '+358 401234567' }, 'DE')).toBe('FI');
    expect(countryOf({ country: 'US', mobile: null }, 'DE')).toBe('DE');
  });
});
