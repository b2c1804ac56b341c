import { beforeEach, describe, expect, it } from 'vitest';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { lost } from '../../support/fakes/fake-actions.ts';
import { addConnection } from '../../support/fakes/memory-desk.ts';
import {
  plant,
  sign,
  type SigningDesk,
  startSigningDesk,
} from '../../support/desks/signing-desk.ts';

let desk: SigningDesk;

beforeEach(async () => {
  desk = await startSigningDesk();
  await plant(desk, 'a', 'b');
});

/** Adds a signature of `a` in this state, after its answer was lost. */
async function leaveTry(to: OutboxState): Promise<void> {
  desk.services.v1.answers.push({ kind: 'unknown', failure: lost });
  await sign(desk, 'a');
  const { outbox } = desk.stores;
  const [row] = outbox.inState('unknown');
  if (row === undefined) throw new Error('No row');
  const at = desk.clock.now();
  const next = to === 'sending' ? 'queued' : to;
  outbox.move(row.ref, ['unknown'], { to: next, cause: 'look', nextAt: null }, at);
  if (to === 'sending') outbox.claim(row.ref, { at, floor: at, credential: 'credential-1' });
}

const mayBeDone = {
  code: 'conflict',
  reason: 'outcome-unknown',
  message: 'An earlier attempt may have signed the agreement, so it was not signed again',
};
const underWay = {
  code: 'conflict',
  reason: 'already-under-way',
  message: 'The agreement is already being signed',
};

describe('an earlier attempt at the same signature', () => {
  it.each([
    { state: 'queued', failure: underWay },
    { state: 'sending', failure: underWay },
    { state: 'unknown', failure: mayBeDone },
    { state: 'absent', failure: mayBeDone },
    { state: 'human', failure: mayBeDone },
  ] as const)('that is $state prevents a second signature', async ({ state, failure }) => {
    await leaveTry(state);
    expect((await sign(desk, 'a')).failed).toMatchObject([{ id: 'a', failure }]);
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it('prevents a signature through another connection to the service (DL-P9)', async () => {
    await leaveTry('unknown');
    const other = await addConnection(desk, 'v1', 'Second');
    const again = { ...desk, connectionId: other.id };
    await plant(again, 'a');
    expect((await sign(again, 'a')).failed).toMatchObject([{ id: 'a', failure: mayBeDone }]);
    expect(desk.services.v1.signed).toHaveLength(1);
  });

  it.each(['rejected', 'abandoned', 'cancelled'] as const)(
    'that is %s does not prevent a signature',
    async (state) => {
      await leaveTry(state);
      expect((await sign(desk, 'a')).signed).toMatchObject([{ id: 'a' }]);
    },
  );

  it('does not prevent the signature of another agreement', async () => {
    await leaveTry('human');
    expect((await sign(desk, 'b')).signed).toMatchObject([{ id: 'b' }]);
  });
});

describe('two orders for the same signature at the same time, as after a double click', () => {
  it('sign once, and the second order fails with the reason', async () => {
    const results = await Promise.all([sign(desk, 'a'), sign(desk, 'a')]);
    expect(results.flatMap(({ signed }) => signed)).toMatchObject([{ id: 'a' }]);
    expect(results.flatMap(({ failed }) => failed)).toMatchObject([
      { id: 'a', failure: { code: 'conflict' } },
    ]);
    expect(desk.services.v1.signed).toHaveLength(1);
  });
});
