import { describe, expect, it } from 'vitest';
import {
  addressesText,
  daysWaiting,
  moreFor,
  partyStatesText,
  tagsText,
} from '../../../shared/rules/agreements/columns.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const NOON = new Date(2026, 10, 21, 12).getTime();
const LATE = new Date(2026, 10, 20, 23, 59).getTime();

describe('days waiting', () => {
  const waiting = { state: 'waiting', gone: null, sentAt: LATE } as const;

  it('are days of the calendar since it was sent', () => {
    expect(daysWaiting(waiting, NOON)).toBe(1);
    expect(daysWaiting({ ...waiting, sentAt: NOON - HOUR }, NOON)).toBe(0);
    const inMarch = new Date(2026, 2, 28, 12).getTime();
    expect(daysWaiting({ ...waiting, sentAt: inMarch }, new Date(2026, 2, 30, 1).getTime())).toBe(
      2,
    );
  });

  it('are none where nobody is waited for, or nobody knows since when', () => {
    expect(daysWaiting({ ...waiting, state: 'signed' }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, state: 'draft' }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, gone: 'deleted' }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, sentAt: null }, NOON)).toBeNull();
    expect(daysWaiting({ ...waiting, state: 'unknown' }, NOON)).toBe(1);
  });

  it('are never below none, when the clock of the service is ahead', () => {
    expect(daysWaiting({ ...waiting, sentAt: NOON + 48 * HOUR }, NOON)).toBe(0);
  });
});

describe('what columns say', () => {
  const person = { name: 'Åsa', nativeState: 'HELD', email: null, mobile: null };
  const words = {
    unsigned: 'not signed',
    partyStates: {
      draft: 'draft',
      waiting: 'waiting',
      turn: 'to sign',
      signed: 'signed',
      rejected: 'rejected',
      unknown: '?',
    },
  };

  it('asks for no more than the columns need', () => {
    expect(moreFor(['title', 'sent', 'daysWaiting'])).toEqual([]);
    expect(moreFor(['tags', 'title', 'sentBy'])).toEqual(['remote']);
    expect(moreFor(['batch', 'addresses'])).toEqual(['remote', 'sending']);
  });

  it('names each party with its state, and what was left open when it ended as not signed', () => {
    const people = [
      { ...person, state: 'signed' as const },
      { ...person, state: 'turn' as const },
    ];
    const open = partyStatesText(people, { state: 'waiting' }, words);
    expect(open).toBe('Åsa: signed, Åsa: to sign');
    const over = partyStatesText(people, { state: 'expired' }, words);
    expect(over).toBe('Åsa: signed, Åsa: not signed');
    const unknown = [{ ...person, state: 'unknown' as const }];
    expect(partyStatesText(unknown, { state: 'waiting' }, words)).toBe('Åsa: HELD');
  });

  it('names where each is written to, the e-mail address first', () => {
    const people = [
      { ...person, state: 'turn' as const, email: 'a@example.com', mobile: '+46701' },
      { ...person, state: 'turn' as const, mobile: '+46702' },
      { ...person, state: 'turn' as const },
    ];
    expect(addressesText(people)).toBe('a@example.com, +46702');
  });

  it('says nothing of what is not known', () => {
    expect([tagsText(null), addressesText(null), partyStatesText(null, { state: 'waiting' }, words)])
      .toEqual(['', '', '']); // oxfmt-ignore
    expect(tagsText({ case: 'K-1', urgent: '' })).toBe('case: K-1, urgent');
  });
});
