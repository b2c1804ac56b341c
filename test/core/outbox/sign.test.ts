import { beforeEach, describe, expect, it } from 'vitest';
import { freezeSignature } from '../../../electron/core/outbox/sign.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { AgreementId, type ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import {
  addConnection,
  createWorld,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { createLocks, textOf } from '../../support/fakes/memory-ports.ts';
import { startOutboxWork } from '../../support/desks/outbox-work.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

const agreementId = AgreementId.parse('lease');
const signer = {
  firstName: 'Karin',
  lastName: 'Lind',
  personNumber: null,
  country: 'SE',
  email: null,
  mobile: null,
  orgNo: '5560360793',
};

let world: World;
let connectionId: ConnectionId;
let work: ReturnType<typeof startOutboxWork>;

beforeEach(async () => {
  world = createWorld();
  connectionId = (await addConnection(startMemoryDesk(world))).id;
  work = startOutboxWork(world);
});

const now = () => world.clock.now();
const row = (ref: OutboxRef) => world.stores.outbox.get(ref);

function freeze() {
  const ref = OutboxRef.parse(world.chance.uuid());
  const where = { agreementId, partyId: 'party-1', configurationId: 'click', title: 'Lease' };
  return freezeSignature(ref, { connectionId, ...where }, signer, world.services.v1, now());
}

/** Makes a signature whose answer was lost more than ten minutes ago. */
async function lose(): Promise<OutboxRef> {
  const entry = freeze();
  const { ref } = entry.item;
  world.stores.outbox.insert(entry, now());
  const failure: Failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' };
  world.services.v1.answers.push({ kind: 'unknown', failure, serverTime: now() });
  await work.worker.attempt(ref);
  expect(row(ref).state).toBe('unknown');
  world.clock.advance(10 * MINUTE);
  return ref;
}

const look = () => work.worker.reconcileConnection(connectionId);
const show = (parties: Parameters<typeof remoteOf>[0]['parties']) =>
  world.services.v1.agreements.set('lease', remoteOf({ id: 'lease', parties: parties ?? null }));

describe('a signature in the outbox', () => {
  it('is frozen with its agreement, its time and its signer', () => {
    const { item, request, uploads } = freeze();
    expect(item).toMatchObject({
      connectionId,
      kind: 'sign',
      mark: { by: 'object' },
      title: 'Lease',
      remoteId: 'lease',
      nextAt: now(),
      people: ['Karin Lind'],
    });
    const target = { agreementId, partyId: 'party-1', configurationId: 'click' };
    expect(request).toMatchObject({ target, signedAt: now() });
    expect(JSON.parse(textOf(request.body))).toEqual({ signer, signedAt: now() });
    expect(uploads).toEqual([]);
  });

  it('with unknown outcome counts as made once its party is shown as signed, which is stored', async () => {
    const ref = await lose();
    show([partyOf({ id: 'other' }), partyOf({ state: 'signed' })]);
    await look();
    expect(row(ref)).toMatchObject({ state: 'sent', remoteId: 'lease' });
    const copy = world.stores.agreements.details({ connectionId, id: agreementId });
    expect(copy.parties).toHaveLength(2);
  });

  it('with unknown outcome that two scans do not show is left to a person, and never repeated', async () => {
    const ref = await lose();
    show([partyOf({ id: 'other', state: 'signed' }), partyOf({})]);
    await look();
    const reason = {
      code: 'conflict',
      reason: 'outcome-unknown',
      message: 'The service does not show the signature. It may still appear',
    };
    expect(row(ref)).toMatchObject({ state: 'unknown', track: { cleanPasses: 1 }, reason });
    world.clock.advance(2 * MINUTE);
    await look();
    expect(row(ref)).toMatchObject({ state: 'human', reason });
    const journal = world.stores.outbox.journal(ref).slice(-2);
    expect(journal).toMatchObject([
      { to: 'absent', cause: 'look' },
      { from: 'absent', to: 'human', cause: 'policy' },
    ]);
    expect(world.services.v1.signed).toHaveLength(1);
  });

  it('that waits for a person’s decision cannot be sent again, since it would wait forever', async () => {
    const ref = await lose();
    show([partyOf({})]);
    await look();
    world.clock.advance(2 * MINUTE);
    await look();
    const { api } = startMemoryDesk({ ...world, locks: createLocks() });
    const resend = api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await expect(resend).rejects.toMatchObject({
      failure: { code: 'conflict', message: expect.stringContaining('never sent again') },
    });
    expect(row(ref).state).toBe('human');
    await api['outbox.settle']({ ref, decision: { as: 'abandon' } });
    expect(row(ref).state).toBe('abandoned');
  });

  it('that the service refused keeps the reason of the refusal after its agreement was read', async () => {
    const entry = freeze();
    const { ref } = entry.item;
    world.stores.outbox.insert(entry, now());
    const failure: Failure = { code: 'invalid', message: 'No', said: 'Not your turn' };
    world.services.v1.answers.push({ kind: 'refused', failure, serverTime: now() });
    await work.worker.attempt(ref);
    show([partyOf({})]);
    await look();
    expect(row(ref)).toMatchObject({ state: 'rejected', verify: false, reason: failure });
  });

  it('with unknown outcome stays unknown, with a reason, if its agreement cannot be read', async () => {
    const ref = await lose();
    world.services.v1.agreements.set('lease', new AppError('service', 'Not today'));
    await look();
    expect(row(ref)).toMatchObject({
      state: 'unknown',
      track: { cleanPasses: 0, inconclusiveScans: 1 },
      reason: { code: 'service', message: 'Not today', reason: 'outcome-unknown' },
    });
  });

  it.each([null, []])(
    'does not count as made if its agreement shows no parties (%j)',
    async (none) => {
      const ref = await lose();
      show(none);
      await look();
      expect(row(ref).state).toBe('unknown');
    },
  );
});
