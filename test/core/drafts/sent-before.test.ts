import { beforeEach, describe, expect, it } from 'vitest';
import type { Draft } from '../../../shared/contract/drafts.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import { formatV1Time } from '../../../shared/rules/time/wire-time.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

async function send(draft: Draft, again: OutboxRef[] = []): Promise<OutboxRef> {
  const order = { id: draft.id, connectionId, holdSeconds: 0, confirm: 1, again };
  const { ref } = await desk.api['drafts.send'](order);
  await desk.api['outbox.run']({});
  return ref;
}

/** Sets a later expiry, since a past day is an error; the comparison ignores the expiry. */
async function expiringLater({ id }: Draft): Promise<Draft> {
  const { revision, content } = await desk.api['drafts.show']({ id });
  if (content.api !== 'v1') throw new Error('It is of the other API');
  const expireOn = formatV1Time(world.clock.now() + 30 * DAY);
  const body = { ...content.body, expireOn };
  const saved = { id, revision, connectionId: null, content: { api: 'v1' as const, body } };
  return desk.api['drafts.save'](saved);
}

const before = async ({ id }: Draft) => (await desk.api['drafts.check']({ id })).sentBefore;

describe('a draft with the content of an earlier send', () => {
  it('shows the time, title and recipients of the earlier send (FE-D8)', async () => {
    const ref = await send(await addDraftV1(desk, 'Lease'));
    const [found, ...more] = await before(await addDraftV1(desk, 'Lease'));
    expect(more).toEqual([]);
    expect(found).toMatchObject({ ref, title: 'Lease', isSent: true, at: world.clock.now() });
    expect(found?.people).toEqual((await desk.api['outbox.show']({ ref })).people);
    expect(await before(await addDraftV1(desk, 'Another'))).toEqual([]);
  });

  it('is not sent before a person confirms it, and the confirmation is recorded (FE-D8)', async () => {
    const first = await send(await addDraftV1(desk, 'Lease'));
    const draft = await addDraftV1(desk, 'Lease');
    await expect(send(draft)).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'sent-before' },
    });
    expect(world.services.v1.created).toHaveLength(1);
    const second = await send(draft, [first]);
    expect(world.services.v1.created).toHaveLength(2);
    const { journal } = await desk.api['outbox.history']({ ref: second });
    const decision = { from: null, to: 'queued', cause: 'again', actor: 'person' } as const;
    expect(journal[0]).toMatchObject(decision);
    // Confirming one earlier send does not confirm another.
    await expect(send(await addDraftV1(desk, 'Lease'), [first])).rejects.toMatchObject({
      failure: { reason: 'sent-before' },
    });
  });

  it('shows the latest earlier send first', async () => {
    const first = await send(await addDraftV1(desk, 'Lease'));
    world.clock.advance(DAY);
    const second = await send(await addDraftV1(desk, 'Lease'), [first]);
    const found = await before(await addDraftV1(desk, 'Lease'));
    expect(found.map(({ ref }) => ref)).toEqual([second, first]);
  });

  it('is still detected after a restart and after a sync, for 90 days (FE-D8)', async () => {
    await send(await addDraftV1(desk, 'Lease'));
    desk = startMemoryDesk({ ...world, locks: createWorld().locks });
    const { jobId } = await desk.api['agreements.sync']({});
    await desk.finish(jobId);
    const draft = await addDraftV1(desk, 'Lease');
    expect(await before(draft)).toHaveLength(1);
    world.clock.advance(89 * DAY);
    expect(await before(await expiringLater(draft))).toHaveLength(1);
    world.clock.advance(2 * DAY);
    expect(await before(draft)).toEqual([]);
  });

  it('is detected with any tags, but not with another value (FE-D8)', async () => {
    await send(await addDraftV1(desk, 'Lease'));
    const draft = await addDraftV1(desk, 'Lease');
    if (draft.content.api !== 'v1') throw new Error('It is of the other API');
    const { body } = draft.content;
    const save = async (change: Partial<typeof body>, { revision, id }: Draft) =>
      desk.api['drafts.save']({
        id,
        revision,
        connectionId: null,
        content: { api: 'v1', body: { ...body, ...change } },
      });
    const tagged = await save({ tags: { office: 'north' } }, draft);
    expect(await before(tagged)).toHaveLength(1);
    const [party, ...others] = body.parties;
    if (party === undefined) throw new Error('It has no party');
    const changed = await save(
      { parties: [{ ...party, email: 'other@example.com' }, ...others] },
      tagged,
    );
    expect(await before(changed)).toEqual([]);
  });

  it('is detected when the earlier send was refused after an attempt with unknown outcome (DL-A5)', async () => {
    const failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' } as const;
    const no = { code: 'invalid', message: 'The token is used' } as const;
    world.services.v1.answers.push({ kind: 'unknown', failure }, { kind: 'refused', failure: no });
    const ref = await send(await addDraftV1(desk, 'Lease'));
    const { outbox } = world.stores;
    outbox.move(ref, ['unknown'], { to: 'human', cause: 'look' }, world.clock.now());
    await desk.api['outbox.settle']({ ref, decision: { as: 'resend' } });
    await desk.api['outbox.run']({});
    expect(await desk.api['outbox.show']({ ref })).toMatchObject({
      state: 'rejected',
      attempts: 2,
    });
    expect(await before(await addDraftV1(desk, 'Lease'))).toMatchObject([{ ref, isSent: false }]);
  });

  it('is detected while the earlier send waits or is unknown, but not after it was refused or cancelled (FE-D8)', async () => {
    const failure = { code: 'offline', message: 'Lost', reason: 'connection-lost' } as const;
    world.services.v1.answers.push({ kind: 'unknown', failure });
    await send(await addDraftV1(desk, 'Lost'));
    expect(await before(await addDraftV1(desk, 'Lost'))).toMatchObject([{ isSent: false }]);
    world.services.v1.answers.push({
      kind: 'refused',
      failure: { code: 'invalid', message: 'No' },
    });
    const refused = await addDraftV1(desk, 'Refused');
    const ref = await send(refused);
    expect(await before(await addDraftV1(desk, 'Refused'))).toEqual([]);
    await desk.api['outbox.undo']({ ref });
    expect(await before(await desk.api['drafts.show']({ id: refused.id }))).toEqual([]);
  });
});
