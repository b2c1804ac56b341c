import { describe, expect, it } from 'vitest';
import { refusalText } from '../../../renderer/features/actions/words.ts';
import { badgeOf, partyBadgeOf } from '../../../renderer/ui/agreement-words.ts';
import { m } from '../../../renderer/ui/language.svelte.ts';
import { partyOf } from '../../support/fakes/fake-service.ts';

const badge = (change: Partial<Parameters<typeof badgeOf>[0]>) =>
  badgeOf({
    state: 'rejected',
    nativeState: 'REJECTED',
    perhapsExpired: false,
    signedCount: 0,
    partyCount: 2,
    ...change,
  });

describe('the badge of an agreement', () => {
  it('states that a rejected agreement may have expired, if no party is known to have rejected (T2-27)', () => {
    expect(badge({ perhapsExpired: true }).word).toBe(m.state_rejected_or_expired());
    expect(badge({ perhapsExpired: false }).word).toBe(m.state_rejected());
  });

  it('shows an unknown status in the service’s own word (T1-26)', () => {
    const { tone, word } = badge({ state: 'unknown', nativeState: 'ON_HOLD' });
    expect(word).toContain('ON_HOLD');
    expect(tone).toBe('attention');
  });

  it('counts the parties who signed, if known', () => {
    const part = { state: 'part-signed', nativeState: 'SIGNED' } as const;
    expect(badge({ ...part, signedCount: 1 }).word).toBe(
      m.state_part_signed_of({ signed: 1, parties: 2 }),
    );
    expect(badge({ ...part, signedCount: null }).word).toBe(m.state_part_signed());
  });
});

describe('the badge of an open agreement', () => {
  const more = {
    tags: null,
    people: null,
    sentBy: null,
    batch: null,
    batchRow: null,
    template: null,
  };
  const open = { state: 'waiting', nativeState: 'READY_TO_SIGN' } as const;
  const word = (awaited: string[], change: Partial<Parameters<typeof badgeOf>[0]> = {}) =>
    badge({ ...open, more: { ...more, awaited }, ...change }).word;

  it('names the only person who can sign now, and counts several', () => {
    expect(word(['Åsa Öberg'])).toBe(m.state_waiting_for({ name: 'Åsa Öberg' }));
    expect(word(['Åsa Öberg', 'Bo', 'Eva'])).toBe(m.state_waiting_for_people({ count: 3 }));
  });

  it('shows the awaited person before the number of signatures', () => {
    const part = { state: 'part-signed', nativeState: 'SIGNED', signedCount: 1 } as const;
    const signed = m.state_part_signed_of({ signed: 1, parties: 2 });
    expect(word(['Bo'], part)).toBe(`${m.state_waiting_for({ name: 'Bo' })} · ${signed}`);
  });

  it('shows the plain status if no name is known', () => {
    expect(word([])).toBe(m.state_waiting());
    expect(word([''])).toBe(m.state_waiting());
  });
});

describe('the badge of a party', () => {
  it('states that the party did not sign, once signing is impossible', () => {
    for (const state of ['turn', 'waiting'] as const) {
      expect(partyBadgeOf(partyOf({ state }), false).word).toBe(m.party_unsigned());
      expect(partyBadgeOf(partyOf({ state }), true).word).not.toBe(m.party_unsigned());
    }
    expect(partyBadgeOf(partyOf({ state: 'signed' }), false).word).toBe(m.party_signed());
  });
});

describe('the reason of a refusal by the service', () => {
  it('is quoted if the service gives one, and never shown as marked fields', () => {
    const failure = { code: 'invalid', message: 'HTTP 400' } as const;
    expect(refusalText(failure)).toBe(m.result_refused());
    const fields = { expireOn: 'Must be in the future.' };
    expect(refusalText({ ...failure, fields })).toBe(
      m.result_refused_because({ why: 'Must be in the future.' }),
    );
  });
});
