import { describe, expect, it } from 'vitest';
import { badgeOf } from '../../renderer/agreement-text.ts';
import { m } from '../../renderer/language.svelte.ts';
import { partyOf } from '../support/fake-service.ts';

const rejected = (api: 'v1' | 'v2', parties: Parameters<typeof badgeOf>[0]['parties']) =>
  badgeOf({
    ...{ api, state: 'rejected', nativeState: 'REJECTED', parties },
    ...{ signedCount: 0, partyCount: parties?.length ?? null },
  }).word;

describe('a rejected agreement', () => {
  it('of v2 may have run out when none of its parties rejected it (T2-27)', () => {
    expect(rejected('v2', [partyOf({ state: 'waiting' })])).toBe(m.state_rejected_or_expired());
    expect(rejected('v2', [partyOf({ state: 'rejected' })])).toBe(m.state_rejected());
  });

  it('of v2 keeps the word of the service where only the names of its parties are known', () => {
    expect(rejected('v2', ['Åsa Öberg'])).toBe(m.state_rejected());
    expect(rejected('v2', null)).toBe(m.state_rejected());
  });

  it('of v1 was rejected, since v1 has a word of its own for what ran out (T2-27)', () => {
    expect(rejected('v1', [partyOf({ state: 'waiting' })])).toBe(m.state_rejected());
  });
});
