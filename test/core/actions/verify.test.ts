import { describe, expect, it } from 'vitest';
import type { ActionGoal, StoredAction } from '../../../electron/core/actions/ports.ts';
import { areRecipients, isActionProvedBy } from '../../../electron/core/actions/verify.ts';
import { ActionId, AgreementId, ConnectionId } from '../../../shared/model/ids.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';

const id = '00000000-0000-4000-8000-000000000001';

const action = (
  kind: StoredAction['kind'],
  goal: ActionGoal | null = null,
  partyId: string | null = null,
): StoredAction => ({
  kind,
  goal,
  partyId,
  actionId: ActionId.parse(id),
  connectionId: ConnectionId.parse(id),
  agreementId: AgreementId.parse('a'),
  state: 'unknown',
  title: 'Lease',
  notificationId: null,
  token: null,
  failure: null,
  rule: null,
  revokedAt: null,
  createdAt: 1,
  updatedAt: 1,
});

const mail = { medium: 'EMAIL', address: 'bo@example.com' } as const;
const phone = { medium: 'SMS', address: '+46701234567' } as const;

describe('the recipients of a notification', () => {
  it.each([
    {
      when: 'the same in another order',
      told: [mail, phone],
      goal: { recipients: [phone, mail] },
      is: true,
    },
    { when: 'none, as requested', told: [], goal: { recipients: [] }, is: true },
    {
      when: 'only one of the two requested',
      told: [mail],
      goal: { recipients: [mail, phone] },
      is: false,
    },
    {
      when: 'one more than requested',
      told: [mail, phone],
      goal: { recipients: [mail] },
      is: false,
    },
    {
      when: 'reached by another medium',
      told: [{ ...mail, medium: 'SMS' }],
      goal: { recipients: [mail] },
      is: false,
    },
    {
      when: 'reached at another address',
      told: [{ ...mail, address: 'eva@example.com' }],
      goal: { recipients: [mail] },
      is: false,
    },
    { when: 'one although none was requested', told: [mail], goal: { recipients: [] }, is: false },
    { when: 'none although one was requested', told: [], goal: { recipients: [mail] }, is: false },
    { when: 'unknown', told: null, goal: { recipients: [] }, is: false },
    { when: 'none, of a goal without recipients', told: [], goal: {}, is: false },
    { when: 'none, of an action without a goal', told: [], goal: null, is: false },
  ])('that are $when match the requested ones: $is', ({ told, goal, is }) => {
    expect(areRecipients(told, goal)).toBe(is);
  });
});

describe('an action whose answer was lost', () => {
  const at = 1_893_456_000_000;

  it('is proved by a missing agreement only if it was a deletion', () => {
    expect(isActionProvedBy(action('remove'), null)).toBe(true);
    for (const kind of ['revoke', 'reject', 'change', 'correct-email', 'silence'] as const) {
      expect(isActionProvedBy(action(kind, {}, 'party-1'), null)).toBe(false);
    }
  });

  it.each([
    { kind: 'revoke', state: 'revoked', is: true },
    { kind: 'revoke', state: 'rejected', is: false },
    { kind: 'reject', state: 'rejected', is: true },
    { kind: 'reject', state: 'revoked', is: false },
    { kind: 'remove', state: 'revoked', is: false },
  ] as const)('as $kind is proved by the state $state: $is', ({ kind, state, is }) => {
    expect(isActionProvedBy(action(kind), remoteOf({ id: 'a', state }))).toBe(is);
  });

  it.each([
    { goal: { expiresAt: at }, seen: { expiresAt: at + 999 }, is: true },
    { goal: { expiresAt: at }, seen: { expiresAt: at + 1000 }, is: false },
    { goal: { expiresAt: at }, seen: { expiresAt: at - 1 }, is: false },
    { goal: { expiresAt: at }, seen: { expiresAt: null }, is: false },
    { goal: { deletesAt: at }, seen: { expiresAt: null, deletesAt: at }, is: true },
    { goal: { expiresAt: at, deletesAt: at }, seen: { expiresAt: at }, is: false },
    { goal: { expiresAt: at, deletesAt: at }, seen: { deletesAt: at }, is: false },
    { goal: { expiresAt: at, deletesAt: at }, seen: { expiresAt: at, deletesAt: at }, is: true },
    { goal: null, seen: { expiresAt: at }, is: false },
  ])(
    'as a change to $goal is proved by the dates $seen, compared to the second: $is',
    ({ goal, seen, is }) => {
      const dates = { expiresAt: null, deletesAt: null, ...seen };
      expect(isActionProvedBy(action('change', goal), remoteOf({ id: 'a', ...dates }))).toBe(is);
    },
  );

  it.each([
    { partyId: 'party-1', email: 'new@example.com', is: true },
    { partyId: 'party-1', email: 'old@example.com', is: false },
    { partyId: 'party-2', email: 'new@example.com', is: false },
  ])(
    'as a correction is proved by the address $email of the party $partyId: $is',
    ({ partyId, email, is }) => {
      const parties = [partyOf({ id: 'party-1', email }), partyOf({ id: 'party-3' })];
      const correction = action('correct-email', { address: 'new@example.com' }, partyId);
      expect(isActionProvedBy(correction, remoteOf({ id: 'a', parties }))).toBe(is);
    },
  );

  it.each([
    'replace-recipients',
    'silence',
    'remind',
    'share',
    'upload-add',
    'upload-remove',
  ] as const)('is not proved by any data of the agreement if it was %s', (kind) => {
    expect(isActionProvedBy(action(kind), remoteOf({ id: 'a', state: 'revoked' }))).toBe(false);
  });
});
