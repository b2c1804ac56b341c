import { beforeEach, describe, expect, it } from 'vitest';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { addBatch, addLease, people, startBatchDesk } from '../../support/desks/batch-desk.ts';
import { partyOf, remoteOf } from '../../support/fakes/fake-service.ts';
import { bytesOf } from '../../support/fakes/memory-ports.ts';
import {
  addConnection,
  addDraftV1,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';

let world: World;
let desk: MemoryDesk;
let connectionId: ConnectionId;

beforeEach(async () => {
  world = createWorld();
  encodePlainly(world);
  desk = startMemoryDesk(world);
  connectionId = (await addConnection(desk)).id;
});

const allow = (...allowed: readonly string[]) =>
  desk.api['connections.allow']({ id: connectionId, allowed: [...allowed] });
const created = () => world.services.v1.created;

/** Makes the fake service encode requests in the form of API v1, without wrapping the body. */
function encodePlainly({ services }: World): void {
  services.v1.encodeCreate = ({ body }) => bytesOf(JSON.stringify(body));
}

describe('a trial connection', () => {
  it('stores its allowed recipients, and rejects a list without any', async () => {
    expect(await allow('@Ours.test', '@ours.test')).toMatchObject({ allowed: ['@ours.test'] });
    expect(await desk.api['connections.list']({})).toMatchObject([{ allowed: ['@ours.test'] }]);
    await expect(allow('everybody')).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { allowed: expect.any(String) } },
    });
    await desk.api['connections.allow']({ id: connectionId, allowed: null });
    expect(await desk.api['connections.list']({})).toMatchObject([{ allowed: null }]);
  });

  it('sends no draft with a disallowed recipient, and names the field', async () => {
    const { id } = await addDraftV1(desk, 'Lease');
    await allow('@ours.test');
    const order = { id, connectionId, holdSeconds: 0, confirm: 1 };
    await expect(desk.api['drafts.send'](order)).rejects.toMatchObject({
      failure: { reason: 'problems-left', fields: { 'parties.0.email': expect.any(String) } },
    });
    await desk.api['outbox.run']({});
    expect(created()).toEqual([]);
    await allow('@ours.test', '@example.com');
    await desk.api['drafts.send'](order);
    await desk.api['outbox.run']({});
    expect(created()).toHaveLength(1);
  });

  it('sends no draft to a disallowed recipient, even if the draft was written for another connection', async () => {
    const { id } = await addDraftV1(desk, 'Lease');
    const other = await desk.api['connections.add']({
      name: 'Trial',
      api: 'v1',
      url: 'https://trial.example.com',
      environment: 'test',
      accountId: null,
      secret: 'x',
      allowed: ['@ours.test'],
    });
    await expect(
      desk.api['drafts.send']({ id, connectionId: other.id, holdSeconds: 0, confirm: 1 }),
    ).rejects.toMatchObject({ failure: { reason: 'problems-left' } });
  });

  it('rejects a correction to a disallowed address, and the addition of a disallowed recipient', async () => {
    const parties = [partyOf({ email: 'old@example.com' })];
    const remote = remoteOf({ id: 'a', parties, etag: '"9"' });
    world.services.v1.agreements.set('a', remote);
    world.stores.agreements.put(connectionId, 'v1', [remote], world.clock.now());
    await allow('@ours.test');
    const at = { key: { connectionId, id: AgreementId.parse('a') }, partyId: 'party-1' };
    await expect(
      desk.api['actions.correctEmail']({ ...at, address: 'new@example.com', notify: false }),
    ).rejects.toMatchObject({ failure: { reason: 'stranger' } });
    await expect(
      desk.api['actions.replaceRecipients']({
        ...at,
        notificationId: 'n',
        etag: '"1"',
        nobody: false,
        recipients: [{ medium: 'SMS', address: '+46701234567' }],
      }),
    ).rejects.toMatchObject({ failure: { reason: 'stranger' } });
    expect(world.actions.v1.sent).toEqual([]);
  });

  it('blocks batch rows with a disallowed recipient, and sends the others', async () => {
    using started = await startBatchDesk();
    encodePlainly(started.world);
    const [first = '', second = ''] = people(2);
    const rows = [first, second.replace('@example.com', '@ours.test')];
    const batch = await addBatch(started, await addLease(started.desk), rows);
    const { api } = started.desk;
    expect(await api['batches.check']({ id: batch.id })).toMatchObject({ ready: 2 });
    await api['connections.allow']({ id: started.connectionId, allowed: ['@ours.test'] });
    expect(await api['batches.check']({ id: batch.id })).toMatchObject({ ready: 1 });
    const { id, revision } = batch;
    const { jobId } = await api['batches.send']({ id, confirm: 1, revision });
    await started.desk.finish(jobId);
    await api['outbox.run']({});
    expect(started.world.services.v1.created).toHaveLength(1);
    expect(started.world.services.v1.created[0]).toContain('@ours.test');
  });
});
