import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TemplateContent } from '../../../shared/model/template.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  leaseV1,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

const leaseV2: TemplateContent = {
  ...leaseV1,
  body: {
    api: 'v2',
    title: 'Lease {Tenant}',
    expireDays: 30,
    rest: {},
    roles: [{ id: 'tenant', name: 'Tenant', kind: 'private', party: {} }],
  },
};

let started: BatchDesk;
beforeEach(async () => {
  started = await startBatchDesk('v2');
});
afterEach(() => {
  started[Symbol.dispose]();
});

describe('a batch of API v2', () => {
  it('sends each row once, with its people as private parties and its PDF merged locally', async () => {
    const { desk, world } = started;
    const batch = await addBatch(started, await addLease(desk, leaseV2), people(3));
    const { id, revision } = batch;
    expect(await problemsOf(desk, batch)).toEqual([]);
    const { jobId } = await desk.api['batches.send']({ id, confirm: 3, revision });
    expect((await desk.finish(jobId)).state).toBe('done');
    await desk.api['outbox.run']({});
    expect(await desk.api['batches.progress']({ id })).toMatchObject({ sent: 3, waiting: 0 });
    const bodies = world.services.v2.created.map((text) => JSON.parse(text) as object);
    expect(bodies).toHaveLength(3);
    expect(bodies[0]).toMatchObject({
      body: {
        type: 'ATTACHED',
        parties: { privates: [{ firstName: 'Åsa 0', lastName: 'Öberg' }] },
      },
      attached: [{ name: 'Hyresavtal.pdf' }],
    });
  });

  it('rejects a mapping of the other API, and keeps its own', async () => {
    const { desk } = started;
    const { id } = await addBatch(started, await addLease(desk, leaseV2), people(1));
    const other = await addBatch(started, await addLease(desk, leaseV1, 'Other'), people(1));
    const { mapping } = await desk.api['batches.show']({ id });
    if (other.mapping === null) throw new Error('It has no mapping');
    const refused = desk.api['batches.setMapping']({ id, mapping: other.mapping });
    await expect(refused).rejects.toMatchObject({ failure: { reason: 'mapping-form' } });
    expect(await desk.api['batches.show']({ id })).toMatchObject({ mapping });
  });

  it('reports, before anything is sent, data that the API does not accept', async () => {
    const { desk } = started;
    const [row = ''] = people(1);
    const rows = [row.replace('asa0@example.com', 'no address'), row.replace(/\d{12}/, '123')];
    const batch = await addBatch(started, await addLease(desk, leaseV2), rows);
    expect(await problemsOf(desk, batch)).toEqual(
      expect.arrayContaining(['2:E-post:format', '3:Personnummer:format']),
    );
    expect(await desk.api['batches.check']({ id: batch.id })).toMatchObject({ ready: 0 });
  });
});
