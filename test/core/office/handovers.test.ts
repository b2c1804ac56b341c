// tier: quick, 20 s, because nothing handed over may be lost
import * as z from 'zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { OfficeUser } from '../../../shared/contract/office/office.ts';
import { DraftId } from '../../../shared/model/ids.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { type Link, layLink } from '../../support/link.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;

describe.skipIf(postgresPrograms === null)('a draft that is handed over', () => {
  let office: OfficeDesks;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let carl: HomeDesk;

  beforeAll(async () => {
    office = await startOfficeDesks();
    [anna, bo, carl] = [
      await office.add('Anna'),
      await office.add('Bo'),
      await office.add('Carl', ['send']),
    ];
  }, TIMEOUT_MS);
  afterAll(() => office.close());

  const seatOf = async (name: string): Promise<OfficeUser> => {
    const found = (await anna.api['office.seats']({})).find((one) => one.name === name);
    if (found === undefined) throw new Error('Nobody of this name');
    return found;
  };

  async function prepare(
    { api, desk }: HomeDesk,
    title: string,
    pdf: Uint8Array,
  ): Promise<DraftId> {
    const content = { api: 'v1' as const, body: bodyV1(title) };
    const { id } = await api['drafts.create']({ content, connectionId: null });
    await api['drafts.attach']({ id, name: 'Lease.pdf', bytes: desk.acceptBytes(pdf) });
    return id;
  }
  const open = async ({ api }: HomeDesk) =>
    (await api['drafts.list']({})).map(({ title }) => title);
  const waiting = ({ api }: HomeDesk) => api['office.handovers']({});

  it('is a draft of the other computer with its files, and in the trash of the first', async () => {
    const pdf = await plainPdf('Lease', ['Of many pages.']);
    const draft = await prepare(anna, 'Lease 17', pdf);
    const { id: seat } = await seatOf('Bo');
    await anna.api['office.handOver']({
      what: { kind: 'draft', id: draft },
      seat,
      note: 'The rent is missing',
    });
    expect(await open(anna)).toEqual([]);
    const [given] = await waiting(bo);
    expect(given).toMatchObject({ title: 'Lease 17', note: 'The rent is missing', from: 'Anna' });
    expect(await waiting(carl)).toEqual([]);
    const taken = await bo.api['office.take']({ id: given?.id ?? '' });
    const { content, files } = await bo.api['drafts.show']({ id: DraftId.parse(taken.id) });
    expect(content.body).toMatchObject(bodyV1('Lease 17'));
    expect(files).toMatchObject([{ name: 'Lease.pdf', bytes: pdf.length }]);
    expect([await waiting(bo), await waiting(anna)]).toEqual([[], []]);
    await anna.api['drafts.restore']({ id: draft });
    expect(await open(anna)).toEqual(['Lease 17']);
  });

  it('of several megabytes is sent in parts, and only one of two computers of the user takes it', async () => {
    const letters = Array.from(
      { length: 60_000 },
      (_, at) => `Line ${String(at)}, ${'x'.repeat(30)}`,
    );
    const draft = await prepare(anna, 'Large', await plainPdf('Large', letters));
    const { id: seat } = await seatOf('Bo');
    await anna.api['office.handOver']({ what: { kind: 'draft', id: draft }, seat, note: '' });
    const { rows } = await office.postgres.run(
      'SELECT count(*)::int AS pieces FROM signing_desk.handover_piece',
      'signing_desk',
    );
    expect(z.object({ pieces: z.number() }).parse(rows[0]).pieces).toBeGreaterThan(1);
    const [given] = await waiting(bo);
    const id = given?.id ?? '';
    const both = await Promise.allSettled([
      bo.api['office.take']({ id }),
      bo.api['office.take']({ id }),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect((await open(bo)).filter((title) => title === 'Large')).toHaveLength(1);
    const left = await office.postgres.run(
      'SELECT count(*)::int AS pieces FROM signing_desk.handover_piece',
      'signing_desk',
    );
    expect(left.rows).toEqual([{ pieces: 0 }]);
  });

  it('cannot be taken while the office lacks a part of it, and stays in the office', async () => {
    const draft = await prepare(anna, 'In parts', await plainPdf('Lease', ['Of many pages.']));
    const { id: seat } = await seatOf('Bo');
    await anna.api['office.handOver']({ what: { kind: 'draft', id: draft }, seat, note: '' });
    const [given] = await waiting(bo);
    await office.postgres.run('DELETE FROM signing_desk.handover_piece', 'signing_desk');
    await expect(bo.api['office.take']({ id: given?.id ?? '' })).rejects.toMatchObject({
      failure: {
        code: 'not-found',
        message: 'This handover was already accepted, or its sender withdrew it',
      },
    });
    expect(await open(bo)).not.toContain('In parts');
    await office.postgres.run('DELETE FROM signing_desk.handover', 'signing_desk');
  });

  it('can be returned to the sender until it is taken', async () => {
    const draft = await prepare(anna, 'Back again', await plainPdf('Lease', ['Text.']));
    const { id: seat } = await seatOf('Carl');
    await anna.api['office.handOver']({ what: { kind: 'draft', id: draft }, seat, note: '' });
    const [own] = await waiting(anna);
    expect(own).toMatchObject({ isOwn: true, to: 'Carl' });
    await anna.api['office.take']({ id: own?.id ?? '' });
    expect(await waiting(carl)).toEqual([]);
    expect(await open(anna)).toContain('Back again');
  });

  it('can be handed on after it was taken, but to no second user while it waits', async () => {
    const draft = await prepare(anna, 'Twice', await plainPdf('Lease', ['Text.']));
    const [{ id: toBo }, { id: toCarl }] = [await seatOf('Bo'), await seatOf('Carl')];
    await anna.api['office.handOver']({ what: { kind: 'draft', id: draft }, seat: toBo, note: '' });
    await anna.api['drafts.restore']({ id: draft });
    const other = anna.api['office.handOver']({
      what: { kind: 'draft', id: draft },
      seat: toCarl,
      note: '',
    });
    await expect(other).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await open(anna)).toContain('Twice');
    // The request is repeated, as after a lost reply, and the handover still waits only once.
    await anna.api['office.handOver']({ what: { kind: 'draft', id: draft }, seat: toBo, note: '' });
    const given = (await waiting(bo)).filter(({ title }) => title === 'Twice');
    expect(given).toHaveLength(1);
    await bo.api['office.take']({ id: given[0]?.id ?? '' });
    await anna.api['drafts.restore']({ id: draft });
    await anna.api['office.handOver']({
      what: { kind: 'draft', id: draft },
      seat: toCarl,
      note: '',
    });
    expect((await waiting(carl)).map(({ title }) => title)).toEqual(['Twice']);
  });

  it('stays on its computer while the office cannot be reached', async () => {
    const draft = await prepare(anna, 'Stays', await plainPdf('Lease', ['Text.']));
    const { id: seat } = await seatOf('Bo');
    await office.postgres.stop('fast');
    const giving = anna.api['office.handOver']({
      what: { kind: 'draft', id: draft },
      seat,
      note: '',
    });
    await expect(giving).rejects.toMatchObject({ failure: { code: 'offline' } });
    expect(await open(anna)).toContain('Stays');
    await office.postgres.start();
  });

  it('can be read by the two users only, and by no server', async () => {
    const draft = await prepare(anna, 'A secret lease', await plainPdf('Lease', ['Text.']));
    const { id: seat } = await seatOf('Bo');
    await anna.api['office.handOver']({
      what: { kind: 'draft', id: draft },
      seat,
      note: 'A secret note',
    });
    const [given] = await waiting(bo);
    const taking = carl.api['office.take']({ id: given?.id ?? '' });
    await expect(taking).rejects.toMatchObject({ failure: { code: 'not-found' } });
    for (const table of ['handover', 'handover_piece']) {
      const { rows } = await office.postgres.run(
        `SELECT t::text AS line FROM signing_desk.${table} t`,
        'signing_desk',
      );
      const text = JSON.stringify(rows);
      for (const secret of ['secret', 'Lease', 'PDF']) {
        expect(text).not.toContain(secret);
        expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      }
    }
  });
});

describe.skipIf(postgresPrograms === null)('a draft whose handover got no reply', () => {
  let office: OfficeDesks;
  let link: Link;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let seat: OfficeUser['id'];

  beforeAll(async () => {
    office = await startOfficeDesks({
      through: async ({ address }) => {
        link = await layLink(address);
        return link.port;
      },
    });
    [anna, bo] = [await office.add('Anna'), await office.add('Bo')];
    const found = (await anna.api['office.seats']({})).find(({ name }) => name === 'Bo');
    if (found === undefined) throw new Error('Nobody of this name');
    seat = found.id;
  }, TIMEOUT_MS);
  afterAll(async () => {
    await office.close();
    await link.close();
  });

  const titles = async ({ api }: HomeDesk) =>
    (await api['drafts.list']({})).map(({ title }) => title);

  /** Hands over a draft while the connection breaks during the last request. */
  async function giveLost(title: string, answer: number | null): Promise<DraftId> {
    const content = { api: 'v1' as const, body: bodyV1(title) };
    const { id } = await anna.api['drafts.create']({ content, connectionId: null });
    await anna.api['office.handovers']({});
    link.cutAt({ at: 'COMMIT', question: answer === null ? 0 : 1, answer });
    const giving = anna.api['office.handOver']({ what: { kind: 'draft', id }, seat, note: '' });
    await expect(giving).rejects.toMatchObject({ failure: { code: 'offline' } });
    expect(await titles(anna)).toContain(title);
    return id;
  }

  it('leaves its first computer once the office shows that it waits in the office (DL-D3)', async () => {
    await giveLost('Waits', 0);
    expect(await anna.api['office.handovers']({})).toMatchObject([{ title: 'Waits', isOwn: true }]);
    expect(await titles(anna)).not.toContain('Waits');
  });

  it('leaves its first computer once the other user has taken it (DL-D3)', async () => {
    await giveLost('Taken', 0);
    const given = (await bo.api['office.handovers']({})).find(({ title }) => title === 'Taken');
    await bo.api['office.take']({ id: given?.id ?? '' });
    await anna.api['office.handovers']({});
    expect(await titles(anna)).not.toContain('Taken');
    expect(await titles(bo)).toContain('Taken');
  });

  it('stays open when it was changed after the handover, or when the office never had it (DL-D3)', async () => {
    const id = await giveLost('Changed', 0);
    const { revision } = await anna.api['drafts.show']({ id });
    const content = { api: 'v1' as const, body: bodyV1('Changed since') };
    await anna.api['drafts.save']({ id, revision, content, connectionId: null });
    await giveLost('Never there', null);
    await anna.api['office.handovers']({});
    expect(await titles(anna)).toEqual(expect.arrayContaining(['Changed since', 'Never there']));
  });
});
