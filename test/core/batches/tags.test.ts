import { expect, it } from 'vitest';
import * as z from 'zod';
import {
  addBatch,
  addLease,
  leaseV1,
  people,
  problemsOf,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

/** Maximum number of tags that the service accepts. */
const MAX_TAGS = 100;
/** Tags that the program adds, besides the send reference of the request. */
const OURS = ['desk.key', 'desk.src'];
const Sent = z.object({ body: z.object({ tags: z.record(z.string(), z.string()) }) });

/** A lease with this number of user tags. */
function tagged(count: number): typeof leaseV1 {
  const tags = Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, 'value']));
  return { ...leaseV1, body: { ...leaseV1.body, rest: { tags } } as typeof leaseV1.body };
}

it('a row with 97 tags is sent with the 100 that the service accepts, three of them added by the program (FE-D11)', async () => {
  using started = await startBatchDesk();
  const { desk, world } = started;
  const { id } = await addBatch(started, await addLease(desk, tagged(MAX_TAGS - 3)), people(1));
  const { revision } = await desk.api['batches.show']({ id });
  const { jobId } = await desk.api['batches.send']({ id, confirm: 1, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  const [only] = await desk.api['outbox.list']({ batchId: id });
  if (only === undefined) throw new Error('No row');
  const text = new TextDecoder().decode(world.stores.outbox.request(only.ref).body);
  const keys = Object.keys(Sent.parse(JSON.parse(text)).body.tags);
  expect(keys).toHaveLength(MAX_TAGS - 1);
  expect(keys.filter((key) => key.startsWith('desk.')).toSorted()).toEqual(OURS);
});

it.each([98, 99, 100])(
  'a row with %i tags leaves no room for the batch marks, and is not sent (FE-D11)',
  async (count) => {
    using started = await startBatchDesk();
    const { desk } = started;
    const batch = await addBatch(started, await addLease(desk, tagged(count)), people(1));
    expect(await desk.api['batches.check']({ id: batch.id })).toMatchObject({ ready: 0 });
    expect(await problemsOf(desk, batch)).toContain('2::too-many');
  },
);
