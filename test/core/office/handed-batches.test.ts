// tier: all
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { type Demo, startDemo } from '../../../electron/demo/start.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { BatchId, OutboxRef } from '../../../shared/model/ids.ts';
import { HandoverItem } from '../../../shared/contract/office/handovers.ts';
import type { OfficeUserRight } from '../../../shared/contract/office/office.ts';
import type { Template } from '../../../shared/contract/templates.ts';
import { HEADER, leaseV1, people } from '../../support/desks/batch-desk.ts';
import {
  addConnected,
  type ConnectedDesk,
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { type Link, layLink } from '../../support/link.ts';
import { type Postgres, postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const LATER = Date.parse('2031-03-04T08:00:00Z');

describe.skipIf(postgresPrograms === null)('a handover', () => {
  let service: Demo;
  let office: OfficeDesks;
  let link: Link;
  let anna: ConnectedDesk;
  let bo: ConnectedDesk;

  beforeEach(async () => {
    service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    const through = async (postgres: Postgres) => {
      link = await layLink(postgres.address);
      return link.port;
    };
    office = await startOfficeDesks({ through });
    [anna, bo] = [await sit('Anna'), await sit('Bo')];
  }, TIMEOUT_MS);
  afterEach(async () => {
    await office.close();
    await link.close();
    await service.close();
  });

  const sit = (name: string, rights?: readonly OfficeUserRight[]) =>
    addConnected(office, service, name, rights);
  async function addBatch(
    { api, desk, connectionId }: ConnectedDesk,
    rows: number,
    content: Template['content'] = leaseV1,
    name = 'Lease',
  ): Promise<Batch> {
    const pdf = desk.acceptBytes(await formPdf('Hyresavtal', ['tenant', 'rent']));
    const made = { name, api: 'v1', fileName: 'Hyresavtal.pdf', bytes: pdf } as const;
    const { id: templateId, revision } = await api['templates.add'](made);
    await api['templates.save']({ id: templateId, revision, name, content });
    const text = `\uFEFF${[HEADER, ...people(rows)].join('\r\n')}\r\n`;
    const bytes = desk.acceptBytes(Buffer.from(text));
    const about = { name: 'Autumn', fileName: 'leases.csv', bytes, choices: {} };
    return api['batches.create']({ ...about, connectionId, templateId });
  }
  const seatOf = async (name: string) => {
    const found = (await anna.api['office.seats']({})).find((one) => one.name === name);
    if (found === undefined) throw new Error('Nobody of this name');
    return found.id;
  };
  const give = async ({ api }: HomeDesk, what: HandoverItem, to: string, note = '') =>
    api['office.handOver']({ what, seat: await seatOf(to), note });
  const giveBatch = (from: HomeDesk, id: BatchId, to = 'Bo') =>
    give(from, { kind: 'batch', id }, to);
  const waiting = ({ api }: HomeDesk) => api['office.handovers']({});
  const take = async (desk: HomeDesk): Promise<HandoverItem> => {
    const [given] = await waiting(desk);
    return desk.api['office.take']({ id: given?.id ?? '' });
  };
  const takeBatch = async (desk: HomeDesk): Promise<Batch> => {
    const what = await take(desk);
    if (what.kind !== 'batch') throw new Error('It is no batch');
    return desk.api['batches.show']({ id: what.id });
  };
  const listed = async ({ api }: HomeDesk) =>
    (await api['batches.list']({})).map(({ name, rows, stage }) => [name, rows, stage]);
  async function send({ api, finish }: HomeDesk, { id }: Batch, confirm: number, startAt?: number) {
    const schedule = { startAt: startAt ?? null, hours: null, perHour: null };
    if (startAt !== undefined) await api['batches.setSchedule']({ id, schedule, policy: 'ask' });
    await api['batches.check']({ id });
    const { revision } = await api['batches.show']({ id });
    const job = await finish(await api['batches.send']({ id, confirm, revision, holdSeconds: 0 }));
    expect(job.state).toBe('done');
    if (startAt === undefined) await api['outbox.run']({});
  }
  const sent = () =>
    service.agreements
      .v1()
      .map(({ title }) => title)
      .toSorted();

  describe('of a batch', () => {
    it('keeps a person’s changes; the batch is sent at the other computer, and is gone from the first', async () => {
      const { id } = await addBatch(anna, 4);
      await anna.api['batches.edit']({ id, edits: [{ row: 2, column: 0, text: 'Eva' }] });
      await anna.api['batches.exclude']({ id, rows: [3], isExcluded: true });
      const before = await anna.api['batches.rows']({ id, filter: 'all', offset: 0, limit: 9 });
      await giveBatch(anna, id);
      expect(await listed(anna)).toEqual([]);
      expect(await waiting(anna)).toMatchObject([{ kind: 'batch', title: 'Autumn', isOwn: true }]);
      const batch = await takeBatch(bo);
      const after = await bo.api['batches.rows']({
        id: batch.id,
        filter: 'all',
        offset: 0,
        limit: 9,
      });
      expect(after.rows).toEqual(before.rows);
      await send(bo, batch, 3);
      expect(sent()).toEqual(['Lease Eva Öberg', 'Lease Åsa 2 Öberg', 'Lease Åsa 3 Öberg']);
      expect([await waiting(anna), await waiting(bo)]).toEqual([[], []]);
    });

    it('from the outbox includes the rows that still wait, and no sent rows', async () => {
      const batch = await addBatch(anna, 3);
      await send(anna, batch, 3, LATER);
      await giveBatch(anna, batch.id);
      expect(await listed(anna)).toEqual([['Autumn', 3, 'armed']]);
      const [left] = await anna.api['outbox.batches']({});
      expect(left).toMatchObject({ gate: 'stopped', counts: { queued: 0, cancelled: 3 } });
      const taken = await takeBatch(bo);
      await bo.api['batches.setSchedule']({
        id: taken.id,
        schedule: { startAt: null, hours: null, perHour: null },
        policy: 'ask',
      });
      await send(bo, taken, 3);
      expect(sent()).toHaveLength(3);
      await expect(giveBatch(bo, taken.id, 'Anna')).rejects.toMatchObject({
        failure: { code: 'conflict' },
      });
    });

    it('excludes cancelled rows, which no computer sends (DL-Q2)', async () => {
      const batch = await addBatch(anna, 3);
      await send(anna, batch, 3, LATER);
      const [, second] = await anna.api['outbox.list']({ batchId: batch.id });
      await anna.api['outbox.undo']({ ref: OutboxRef.parse(second?.ref) });
      // The waiting rows are stopped and become a batch; then the connection to the office breaks.
      link.cutAt({ at: 'INTO handover', question: 0.5, answer: null });
      await expect(giveBatch(anna, batch.id)).rejects.toMatchObject({
        failure: { code: 'offline' },
      });
      expect(await listed(anna)).toContainEqual(['Autumn', 2, 'open']);
      await expect(giveBatch(anna, batch.id)).rejects.toMatchObject({
        failure: { code: 'conflict' },
      });
      const open = (await anna.api['batches.list']({})).find(({ stage }) => stage === 'open');
      await giveBatch(anna, BatchId.parse(open?.id));
      const taken = await takeBatch(bo);
      expect(taken.sheet.rows).toBe(2);
      const schedule = { startAt: null, hours: null, perHour: null };
      await bo.api['batches.setSchedule']({ id: taken.id, schedule, policy: 'ask' });
      await send(bo, taken, 2);
      await anna.api['outbox.run']({});
      expect(sent()).toEqual(['Lease Åsa 0 Öberg', 'Lease Åsa 2 Öberg']);
    });

    it('can be undone until someone has taken it', async () => {
      const { id } = await addBatch(anna, 2);
      await giveBatch(anna, id);
      await takeBatch(anna);
      expect(await listed(anna)).toEqual([['Autumn', 2, 'open']]);
      expect(await waiting(bo)).toEqual([]);
    });

    it('that the office’s server lost can be undone from the copy on this computer', async () => {
      const { id } = await addBatch(anna, 2);
      await giveBatch(anna, id);
      await office.postgres.run(
        'DELETE FROM signing_desk.handover_piece; DELETE FROM signing_desk.handover',
        'signing_desk',
      );
      expect(await waiting(anna)).toMatchObject([{ kind: 'batch', isOwn: true, to: '' }]);
      await takeBatch(anna);
      expect(await listed(anna)).toEqual([['Autumn', 2, 'open']]);
      expect(await waiting(anna)).toEqual([]);
    });

    it('can leave the batch at two computers, which still send each row once, even after changes in it (DL-A4)', async () => {
      const { id } = await addBatch(anna, 1);
      await giveBatch(anna, id);
      const run = (sql: string) =>
        office.postgres.run(`SET search_path = signing_desk; ${sql}`, 'signing_desk');
      // Anna undoes the handover while the server has lost it; then the server has it again.
      await run(`
        CREATE TABLE lost AS SELECT * FROM handover;
        CREATE TABLE lost_piece AS SELECT * FROM handover_piece;
        DELETE FROM handover_piece; DELETE FROM handover`);
      const atAnna = await takeBatch(anna);
      await run(`
        INSERT INTO handover SELECT * FROM lost;
        INSERT INTO handover_piece SELECT * FROM lost_piece;
        DROP TABLE lost, lost_piece`);
      const atBo = await takeBatch(bo);
      await bo.api['batches.edit']({ id: atBo.id, edits: [{ row: 2, column: 0, text: 'Eva' }] });
      await send(bo, atBo, 1);
      await send(anna, atAnna, 1);
      expect(sent()).toEqual(['Lease Eva Öberg']);
      const rows = await anna.api['outbox.list']({ batchId: atAnna.id });
      expect(rows.map(({ state, reason }) => [state, reason?.reason])).toEqual([
        ['queued', 'claimed-elsewhere'],
      ]);
    });

    it('uses the template that both computers share, and copies a template that only the first has', async () => {
      for (const { api } of [anna, bo]) {
        await api['office.share']({ set: 'templates', isShared: true });
      }
      const { id, templateId } = await addBatch(anna, 1);
      await anna.api['office.exchange']({});
      await bo.api['office.exchange']({});
      await giveBatch(anna, id);
      expect(await takeBatch(bo)).toMatchObject({ templateId });
      await bo.api['office.share']({ set: 'templates', isShared: false });
      const other = await addBatch(anna, 1, { ...leaseV1, merge: 'here' }, 'Other lease');
      await giveBatch(anna, other.id);
      await takeBatch(bo);
      expect((await bo.api['templates.list']({})).map(({ name }) => name).toSorted()).toEqual([
        'Lease',
        'Other lease',
      ]);
    });

    it('with personal numbers is refused for users who may not see them, and the batch stays', async () => {
      await sit('Carl', ['send', 'sign']);
      const { id } = await addBatch(anna, 1);
      const giving = giveBatch(anna, id, 'Carl');
      await expect(giving).rejects.toMatchObject({ failure: { code: 'forbidden' } });
      expect(await listed(anna)).toEqual([['Autumn', 1, 'open']]);
      await send(anna, await anna.api['batches.show']({ id }), 1, LATER);
      await expect(giveBatch(anna, id, 'Carl')).rejects.toMatchObject({
        failure: { code: 'forbidden' },
      });
      // The refused handover does not stop the waiting rows in the outbox either.
      expect(await anna.api['batches.progress']({ id })).toMatchObject({
        gate: 'open',
        waiting: 1,
      });
    });

    it('is refused when the batch’s template assigns numbers', async () => {
      const [tenant] = leaseV1.body.api === 'v1' ? leaseV1.body.roles : [];
      if (leaseV1.body.api !== 'v1' || tenant === undefined) throw new Error('No tenant');
      const body = { ...leaseV1.body, title: 'Lease {number}' };
      const { id } = await addBatch(anna, 1, { ...leaseV1, body });
      await expect(giveBatch(anna, id)).rejects.toMatchObject({ failure: { code: 'conflict' } });
      expect(await listed(anna)).toEqual([['Autumn', 1, 'open']]);
    });
  });

  it('shows the batch’s progress at each computer', async () => {
    const batch = await addBatch(anna, 3);
    await send(anna, batch, 3, LATER);
    const far = async () => {
      const all = await bo.api['office.batches']({});
      return all.map(({ seat, title, rows, sent: done, waiting: left, isThisDesk }) => {
        return { seat, title, rows, done, left, isThisDesk };
      });
    };
    const line = { seat: 'Anna', title: 'Autumn', rows: 3, isThisDesk: false };
    await expect.poll(far, { timeout: 20_000 }).toEqual([{ ...line, done: 0, left: 3 }]);
    await anna.api['batches.sendNow']({ id: batch.id });
    await anna.api['batches.stop']({ id: batch.id });
    await expect.poll(far, { timeout: 20_000 }).toMatchObject([{ ...line, left: 0 }]);
    expect(await anna.api['office.batches']({})).toMatchObject([{ isThisDesk: true }]);
  });

  describe('of a question', () => {
    /** Sends a row of Anna's whose outcome stays unknown. */
    async function lose(): Promise<OutboxRef> {
      const { api } = anna;
      const batch = await addBatch(anna, 1);
      const fault = service.fault({
        method: 'POST',
        path: /\/agreements$/,
        do: { kind: 'reset-before' },
        times: 1,
      });
      await send(anna, batch, 1);
      fault.clear();
      const [item] = await api['outbox.list']({ batchId: batch.id });
      if (item?.state !== 'unknown') throw new Error(`It is ${item?.state ?? 'not there'}`);
      return item.ref;
    }
    const stateAt = async ({ api }: HomeDesk, ref: OutboxRef) =>
      (await api['outbox.show']({ ref })).state;

    it('gives the decision to the other user, and the first computer follows it', async () => {
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo', 'I am away from noon');
      expect(await stateAt(anna, ref)).toBe('unknown');
      expect(await waiting(bo)).toMatchObject([
        { kind: 'question', note: 'I am away from noon', title: 'Lease Åsa 0 Öberg' },
      ]);
      expect(await take(bo)).toEqual({ kind: 'question', id: ref });
      expect(await stateAt(bo, ref)).toBe('unknown');
      await anna.api['office.exchange']({});
      await expect.poll(() => stateAt(anna, ref), { timeout: 20_000 }).toBe('abandoned');
      const { item, journal } = await anna.api['outbox.history']({ ref });
      expect(item.reason).toMatchObject({
        reason: 'handed-over',
        message: expect.stringMatching('Bo'),
      });
      expect(journal.at(-1)).toMatchObject({ cause: 'office' });
      await bo.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
      // Outcomes are reported in the background.
      await expect.poll(() => anna.api['office.open']({}), { timeout: 20_000 }).toEqual([]);
    });

    it('is shown as another computer’s when the name of its user cannot be read', async () => {
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo');
      const seats =
        'UPDATE signing_desk.seat SET sealed = set_byte(sealed, 20, get_byte(sealed, 20) # 1)';
      await office.postgres.run(seats, 'signing_desk');
      await take(bo);
      await anna.api['office.exchange']({});
      await expect.poll(() => stateAt(anna, ref), { timeout: TIMEOUT_MS }).toBe('abandoned');
      const { item } = await anna.api['outbox.history']({ ref });
      expect(item.reason?.message).toBe(
        'Another user took over this send and decides about it now',
      );
      await office.postgres.run(seats, 'signing_desk');
    });

    /** Makes Bo the holder in the office, but loses the reply. */
    async function takeAndLoseReply(): Promise<OutboxRef> {
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo');
      link.cutAt({ at: 'UPDATE operation SET desk', question: 1, answer: 0 });
      await expect(take(bo)).rejects.toMatchObject({ failure: { code: 'offline' } });
      expect(link.wasCut).toBe(true);
      return ref;
    }

    it('is in the outbox of the user who takes it again after a lost reply (DL-Q1)', async () => {
      const ref = await takeAndLoseReply();
      expect(await take(bo)).toEqual({ kind: 'question', id: ref });
      expect(await stateAt(bo, ref)).toBe('unknown');
      await bo.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
      await expect.poll(() => anna.api['office.open']({}), { timeout: 20_000 }).toEqual([]);
    });

    it('is listed as open after a lost reply, and can be settled from that list (DL-Q1)', async () => {
      const ref = await takeAndLoseReply();
      const listed = () => bo.api['office.open']({});
      expect(await listed()).toMatchObject([{ id: ref, state: 'unknown', isOwn: false }]);
      expect(await bo.api['office.adopt']({ id: ref })).toEqual({ ref, actionId: null });
      expect(await listed()).toMatchObject([{ id: ref, isOwn: true }]);
      await expect(bo.api['office.adopt']({ id: ref })).rejects.toMatchObject({
        failure: { code: 'conflict', message: expect.stringContaining('in the outbox') },
      });
    });

    it('arrives automatically after a lost reply, once the office is reached again (DL-Q1)', async () => {
      const ref = await takeAndLoseReply();
      const { home: again } = await office.copy(bo);
      const rows = () => again.api['outbox.list']({});
      await expect.poll(rows, { timeout: 20_000 }).toMatchObject([{ ref, state: 'unknown' }]);
    });

    it('makes neither computer send the row again unless a person decides so', async () => {
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo');
      await take(bo);
      const again = bo.api['outbox.settle']({ ref, decision: { as: 'resend' } });
      await expect(again).rejects.toMatchObject({ failure: { code: 'conflict' } });
      await anna.api['outbox.run']({});
      await bo.api['outbox.run']({});
      expect(sent()).toEqual([]);
    });

    it('reaches one user only, however often a scan looks for the send in between', async () => {
      await sit('Carl');
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo');
      await anna.api['outbox.look']({ ref });
      await expect(give(anna, { kind: 'question', id: ref }, 'Carl')).rejects.toMatchObject({
        failure: { code: 'conflict', message: expect.stringContaining('Withdraw that handover') },
      });
    });

    it('that was settled before anyone took it disappears when someone tries to take it', async () => {
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo');
      await anna.api['outbox.settle']({ ref, decision: { as: 'abandon' } });
      await expect.poll(() => anna.api['office.open']({}), { timeout: 20_000 }).toEqual([]);
      await expect(take(bo)).rejects.toMatchObject({ failure: { code: 'not-found' } });
      expect([await waiting(bo), await waiting(anna)]).toEqual([[], []]);
    });

    it('is refused for a row that waits for no decision', async () => {
      const batch = await addBatch(anna, 1);
      await send(anna, batch, 1);
      const [item] = await anna.api['outbox.list']({ batchId: batch.id });
      const id = OutboxRef.parse(item?.ref);
      await expect(give(anna, { kind: 'question', id }, 'Bo')).rejects.toMatchObject({
        failure: { code: 'conflict' },
      });
    });

    it('can be undone, and the first computer then makes the decision', async () => {
      const ref = await lose();
      await give(anna, { kind: 'question', id: ref }, 'Bo');
      await take(anna);
      expect(await stateAt(anna, ref)).toBe('unknown');
      expect(await waiting(bo)).toEqual([]);
    });
  });
});
