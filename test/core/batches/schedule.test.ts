import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mappingFrom } from '../../../shared/rules/batches/mapping-file.ts';
import { OutboxRef } from '../../../shared/model/ids.ts';
import {
  addBatch,
  addLease,
  type BatchDesk,
  people,
  startBatchDesk,
} from '../../support/desks/batch-desk.ts';

const HALF_HOUR = 1_800_000;

let started: BatchDesk;
beforeEach(async () => {
  started = await startBatchDesk();
});
afterEach(() => {
  started[Symbol.dispose]();
});

/** Adds a batch that waits in the outbox, and sends two rows an hour. */
async function waitingBatch(rows: number) {
  const { desk, world } = started;
  const { id } = await addBatch(started, await addLease(desk), people(rows));
  const schedule = { startAt: world.clock.now() + HALF_HOUR, hours: null, perHour: 2 };
  const { revision } = await desk.api['batches.setSchedule']({ id, schedule, policy: 'ask' });
  const { jobId } = await desk.api['batches.send']({ id, confirm: rows, revision });
  expect((await desk.finish(jobId)).state).toBe('done');
  return id;
}

describe('a batch with a schedule', () => {
  it('is sent within working hours only', async () => {
    const { desk, world } = started;
    const { id } = await addBatch(started, await addLease(desk), people(2));
    const schedule = { startAt: null, hours: { from: 8, until: 17 }, perHour: null };
    const { revision } = await desk.api['batches.setSchedule']({ id, schedule, policy: 'ask' });
    const { jobId } = await desk.api['batches.send']({ id, confirm: 2, revision });
    expect((await desk.finish(jobId)).state).toBe('done');
    // Saturday noon: the next working day begins on Monday at eight in Stockholm.
    expect(new Date(world.clock.now()).getUTCDay()).toBe(6);
    const { nextAt } = await desk.api['batches.progress']({ id });
    expect(nextAt).toBe(Date.parse('2026-11-23T07:00:00Z'));
  });

  it.each([
    [8, 8],
    [17, 8],
  ])('rejects working hours from %i until %i, which never allow a send', async (from, until) => {
    const { desk } = started;
    const { id } = await addBatch(started, await addLease(desk), people(1));
    const schedule = { startAt: null, hours: { from, until }, perHour: null };
    const given = desk.api['batches.setSchedule']({ id, schedule, policy: 'ask' });
    await expect(given).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        message: 'The sending hours end before they begin. Enter the earlier hour first',
      },
    });
    expect((await desk.api['batches.show']({ id })).schedule.hours).toBeNull();
  });

  it('keeps the intervals between its rows when it continues after a missed time', async () => {
    const { desk, world } = started;
    const id = await waitingBatch(4);
    world.clock.advance(10 * HALF_HOUR);
    await desk.api['batches.resume']({ id });
    const items = await desk.api['outbox.list']({ batchId: id });
    const now = world.clock.now();
    expect(items.map(({ nextAt }) => (nextAt ?? 0) - now)).toEqual([
      ...[0, HALF_HOUR, 2 * HALF_HOUR, 3 * HALF_HOUR],
    ]);
  });

  it('moves all of its rows to new times, or none', async () => {
    const { desk, temp, world } = started;
    const id = await waitingBatch(3);
    const before = await desk.api['outbox.list']({ batchId: id });
    const strange = OutboxRef.parse('00000000-0000-4000-8000-00000000ffff');
    const refs = [...before.slice(0, 2).map(({ ref }) => ref), strange];
    const times = new Map(refs.map((ref) => [ref, 1]));
    expect(() => temp.stores.outbox.setTimes(times, world.clock.now())).toThrow(
      /outbox has no send/,
    );
    expect(await desk.api['outbox.list']({ batchId: id })).toEqual(before);
  });
});

describe('a saved mapping', () => {
  it('gives a batch with another sheet the same mapping of columns', async () => {
    const { desk } = started;
    const template = await addLease(desk);
    const header = 'Vem;Efternamn;Personnummer;E-post;Hyra';
    const first = await addBatch(started, template, people(1), { header });
    const matches = first.matches.map((one) =>
      one.placeholder === 'First name' ? { ...one, column: 'Vem' } : one,
    );
    await desk.api['batches.setMatches']({ id: first.id, matches });
    const { out, fileName } = await desk.api['batches.exportMapping']({ id: first.id });
    expect(fileName).toBe('Autumn.signmap');
    const mapping = mappingFrom(JSON.parse(Buffer.from(desk.bytes.take(out)).toString()), 'v1');
    if (mapping === null) throw new Error('No mapping');
    const wider = 'Ort;Vem;Efternamn;Personnummer;E-post;Hyra';
    const rows = people(1).map((row) => `Lund;${row}`);
    const { id } = await addBatch(started, template, rows, { header: wider });
    const read = await desk.api['batches.setMapping']({ id, mapping });
    expect(read.matches.find(({ placeholder }) => placeholder === 'Vem')?.column).toBe('Vem');
    const { check } = await desk.api['batches.preview']({ id, row: 2 });
    expect(check.recipients.map(({ name }) => name)).toContain('Åsa 0 Öberg');
  });
});
