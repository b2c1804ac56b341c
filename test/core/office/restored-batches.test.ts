// tier: all
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import type { BatchId } from '../../../shared/model/ids.ts';
import { HEADER, leaseV1, people } from '../../support/desks/batch-desk.ts';
import {
  addConnected,
  type ConnectedDesk,
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const LATER = Date.parse('2031-03-04T08:00:00Z');

describe.skipIf(postgresPrograms === null)('a row of a batch in an office', () => {
  let service: Demo;
  let office: OfficeDesks;
  let anna: ConnectedDesk;
  let bo: ConnectedDesk;

  beforeEach(async () => {
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    office = await startOfficeDesks();
    anna = await addConnected(office, service, 'Anna');
    bo = await addConnected(office, service, 'Bo');
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await service.close();
  });

  async function addBatch(rows: number, name = 'Lease'): Promise<Batch> {
    const { api, desk, connectionId } = anna;
    const pdf = desk.acceptBytes(await formPdf('Hyresavtal', ['tenant', 'rent']));
    const made = { name, api: 'v1', fileName: 'Hyresavtal.pdf', bytes: pdf } as const;
    const { id: templateId, revision } = await api['templates.add'](made);
    await api['templates.save']({ id: templateId, revision, name, content: leaseV1 });
    const text = `\uFEFF${[HEADER, ...people(rows)].join('\r\n')}\r\n`;
    const bytes = desk.acceptBytes(Buffer.from(text));
    const about = { name: 'Autumn', fileName: 'leases.csv', bytes, choices: {} };
    return api['batches.create']({ ...about, connectionId, templateId });
  }
  async function send({ api, finish }: HomeDesk, id: BatchId, startAt: number | null = null) {
    const schedule = { startAt, hours: null, perHour: null };
    await api['batches.setSchedule']({ id, schedule, policy: 'ask' });
    const order = async () => {
      const { ready: confirm } = await api['batches.check']({ id });
      const { revision } = await api['batches.show']({ id });
      return api['batches.send']({ id, confirm, revision, holdSeconds: 0 });
    };
    // A list read between the count and the send may show that a row already exists.
    const job = await order().catch((error: unknown) => {
      expect(error).toMatchObject({ failure: { reason: 'count-differs' } });
      return order();
    });
    expect(await finish(job)).toMatchObject({ state: 'done' });
    if (startAt === null) await api['outbox.run']({});
  }
  const rename = ({ api }: HomeDesk, id: BatchId, row: number, text: string) =>
    api['batches.edit']({ id, edits: [{ row, column: 0, text }] });
  const copyAnna = async (): Promise<string> => {
    const { home, copied } = await office.copy(anna);
    anna = { ...home, connectionId: anna.connectionId };
    return copied;
  };
  const restoreAnna = async (copied: string): Promise<void> => {
    const home = await office.putBack(anna, copied);
    anna = { ...home, connectionId: anna.connectionId };
  };
  const outbox = async ({ api }: HomeDesk, batchId: BatchId) => {
    const rows = await api['outbox.list']({ batchId });
    return rows
      .map(({ title, state, reason }) => [title, state, reason?.reason])
      .toSorted((one, other) => String(one[0]).localeCompare(String(other[0])));
  };
  const sent = () =>
    service.agreements
      .v1()
      .map(({ title }) => title)
      .toSorted();

  it('that another computer took over and corrected is not sent again from the restored folder of the first (DL-S3)', async () => {
    const { id } = await addBatch(2);
    const copied = await copyAnna();
    const to = (await anna.api['office.seats']({})).find(({ name }) => name === 'Bo');
    if (to === undefined) throw new Error('Nobody of this name');
    await anna.api['office.handOver']({ what: { kind: 'batch', id }, seat: to.id, note: '' });
    const [given] = await bo.api['office.handovers']({});
    const taken = await bo.api['office.take']({ id: given?.id ?? '' });
    if (taken.kind !== 'batch') throw new Error('It is no batch');
    await rename(bo, taken.id, 2, 'Eva');
    await send(bo, taken.id);
    await restoreAnna(copied);
    await send(anna, id);
    expect(sent()).toEqual(['Lease Eva Öberg', 'Lease Åsa 1 Öberg']);
    // The other row is excluded if its agreement was read from the service first.
    const held = await outbox(anna, id);
    expect(held).toContainEqual(['Lease Åsa 0 Öberg', 'queued', 'claimed-elsewhere']);
    expect(new Set(held.map(([, ...how]) => how.join()))).toEqual(
      new Set(['queued,claimed-elsewhere']),
    );
  });

  it('with changed content after its own folder was restored is sent again only when a person decides so (DL-S3)', async () => {
    const { id } = await addBatch(1);
    const copied = await copyAnna();
    await send(anna, id);
    await restoreAnna(copied);
    await rename(anna, id, 2, 'Eva');
    await send(anna, id);
    expect(sent()).toEqual(['Lease Åsa 0 Öberg']);
    const held = await anna.api['outbox.list']({ batchId: id });
    expect(held).toMatchObject([{ state: 'queued', reason: { reason: 'claimed-elsewhere' } }]);
    for (const { ref } of held) {
      const holders = await anna.api['office.holders']({ ref });
      expect(holders).toMatchObject([{ seat: 'Anna', state: 'done' }]);
      await anna.api['office.follow']({ ref, seen: holders.flatMap(({ claims }) => claims) });
    }
    await anna.api['outbox.run']({});
    expect(sent()).toEqual(['Lease Eva Öberg', 'Lease Åsa 0 Öberg']);
  });

  it('that was undone before it was sent is sent from its new batch, not from the old one in a restored folder (DL-S3)', async () => {
    const { id } = await addBatch(1);
    const copied = await copyAnna();
    await send(anna, id, LATER);
    const again = await anna.api['batches.undo']({ id });
    await rename(anna, again.id, 2, 'Eva');
    await send(anna, again.id);
    expect(sent()).toEqual(['Lease Eva Öberg']);
    await restoreAnna(copied);
    await send(anna, id);
    expect(sent()).toEqual(['Lease Eva Öberg']);
    expect(await outbox(anna, id)).toEqual([['Lease Åsa 0 Öberg', 'queued', 'claimed-elsewhere']]);
  });

  it('that the service refused is sent once, from the first batch of refused rows that sends it (DL-S3)', async () => {
    const { id } = await addBatch(2);
    const fault = service.fault({
      method: 'POST',
      path: /\/agreements$/,
      do: { kind: 'status', status: 400, body: '{"code":"1","message":"No"}' },
      times: 1,
    });
    await send(anna, id);
    fault.clear();
    const states = (await outbox(anna, id)).map(([, state]) => state);
    expect(states.toSorted()).toEqual(['rejected', 'sent']);
    const [one, other] = [
      await anna.api['batches.refusedRows']({ id }),
      await anna.api['batches.refusedRows']({ id }),
    ];
    const { rows } = await anna.api['batches.rows']({
      id: one.id,
      filter: 'all',
      offset: 0,
      limit: 9,
    });
    const row = rows[0]?.row ?? 0;
    await rename(anna, one.id, row, 'Eva');
    await rename(anna, other.id, row, 'Eve');
    await send(anna, one.id);
    expect(await anna.api['batches.check']({ id: other.id })).toMatchObject({ ready: 0 });
    // Also a row that a person includes again needs a decision about the send of the first batch.
    await anna.api['batches.exclude']({ id: other.id, rows: [row], isExcluded: false });
    await send(anna, other.id);
    expect(sent()).toHaveLength(2);
    expect(sent()[0]).toBe('Lease Eva Öberg');
    expect(await outbox(anna, other.id)).toEqual([
      ['Lease Eve Öberg', 'queued', 'claimed-elsewhere'],
    ]);
  });

  it('of a spreadsheet that is sent a second time on purpose is sent without a question (DL-S3)', async () => {
    const { id } = await addBatch(1);
    await send(anna, id);
    const second = await addBatch(1, 'The same lease');
    await rename(anna, second.id, 2, 'Eva');
    await send(anna, second.id);
    expect(sent()).toEqual(['Lease Eva Öberg', 'Lease Åsa 0 Öberg']);
  });
});
