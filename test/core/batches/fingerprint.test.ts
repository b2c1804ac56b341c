import { expect, it } from 'vitest';
import {
  addBatch,
  addLease,
  leaseV1,
  people,
  realForms,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

/** Freezes the rows of a batch; `filledWith` stands for the font and version in their PDFs. */
async function freezeRows(filledWith: string) {
  const real = realForms();
  const pdf = {
    ...real,
    async compile(...form: Parameters<typeof real.compile>) {
      const compiled = await real.compile(...form);
      return {
        ...compiled,
        async fill(values: Parameters<typeof compiled.fill>[0]) {
          const filled = await compiled.fill(values);
          return { ...filled, data: Buffer.concat([filled.data, Buffer.from(filledWith)]) };
        },
      };
    },
  };
  const started = await startBatchDesk('v1', { pdf });
  using _ = started;
  const { desk, world } = started;
  const content = { ...leaseV1, merge: 'here' as const };
  const { id, revision } = await addBatch(started, await addLease(desk, content), people(3));
  const startAt = world.clock.now() + DAY;
  const schedule = { startAt, hours: null, perHour: null };
  await desk.api['batches.setSchedule']({ id, schedule, policy: 'ask' });
  const batch = await desk.api['batches.show']({ id });
  expect(revision).toBeLessThanOrEqual(batch.revision);
  const { jobId } = await desk.api['batches.send']({ id, confirm: 3, revision: batch.revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  return world.stores.outbox.inBatch(id);
}

it('the fingerprint of a batch row depends on its values, not on the filled PDF (DL-A4)', async () => {
  const [one, other] = [await freezeRows('% font of Anna'), await freezeRows('% font of Bo')];
  const contents = one.map(({ fingerprint }) => fingerprint);
  expect(new Set(contents).size).toBe(3);
  expect(other.map(({ fingerprint }) => fingerprint)).toEqual(contents);
  const before = one.flatMap(({ formerFingerprints }) => formerFingerprints);
  expect(new Set([...before, ...contents]).size).toBe(before.length + 3);
  expect(before.length).toBeGreaterThanOrEqual(3);
});
