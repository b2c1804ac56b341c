// tier: all
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { Draft } from '../../../shared/contract/drafts.ts';
import type { OfficeDraft } from '../../../shared/contract/office/drafts.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

const TIMEOUT_MS = 120_000;

describe.skipIf(postgresPrograms === null)('a draft that several computers edit', () => {
  let office: OfficeDesks;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let carl: HomeDesk;

  beforeAll(async () => {
    office = await startOfficeDesks();
    anna = await office.add('Anna');
    bo = await office.add('Bo');
    carl = await office.add('Carl', ['send', 'sign']);
    for (const { api } of [anna, bo, carl]) {
      await api['office.share']({ set: 'drafts', isShared: true });
    }
  }, TIMEOUT_MS);
  afterAll(() => office.close());

  const exchange = async (...desks: readonly HomeDesk[]) => {
    for (const { api } of desks) await api['office.exchange']({});
  };
  const show = ({ api }: HomeDesk, id: DraftId): Promise<Draft> => api['drafts.show']({ id });
  const titles = async ({ api }: HomeDesk) =>
    (await api['drafts.list']({})).map(({ title }) => title);
  const write = async ({ api }: HomeDesk, id: DraftId, title: string): Promise<Draft> => {
    const { revision, connectionId } = await api['drafts.show']({ id });
    const content = { api: 'v1' as const, body: bodyV1(title) };
    return api['drafts.save']({ id, revision, content, connectionId });
  };
  const leave = (desk: HomeDesk, draft: DraftId) => desk.api['office.leaveDraft']({ draft });
  const stateOf = async ({ api }: HomeDesk, draft: DraftId): Promise<OfficeDraft | undefined> =>
    (await api['office.drafts']({})).find((one) => one.draft === draft);

  async function begin(title: string, text = 'Of many pages.'): Promise<DraftId> {
    const content = { api: 'v1' as const, body: bodyV1(title) };
    const { id } = await anna.api['drafts.create']({ content, connectionId: null });
    const bytes = anna.desk.acceptBytes(await plainPdf(title, [text]));
    await anna.api['drafts.attach']({ id, name: 'Lease.pdf', bytes });
    await anna.api['office.together']({ draft: id, isTogether: true });
    await exchange(bo, carl);
    return id;
  }

  it('reaches the other computers with its files, except users who may not see personal numbers', async () => {
    const id = await begin('Lease 1');
    const [here, there] = [await show(anna, id), await show(bo, id)];
    expect(there).toMatchObject({ content: here.content, files: here.files });
    const [file] = there.files;
    expect(file).toMatchObject({ name: 'Lease.pdf' });
    expect(await titles(carl)).not.toContain('Lease 1');
    expect(await stateOf(bo, id)).toMatchObject({ editor: null, keptBeside: null });
    const asked = carl.api['office.together']({ draft: id, isTogether: true });
    await expect(asked).rejects.toMatchObject({ failure: { code: 'not-found' } });
  });

  it('is edited by one computer at a time, and the next one has all changes of the first', async () => {
    const id = await begin('Lease 2');
    await write(anna, id, 'Lease 2, by Anna');
    expect(await stateOf(bo, id)).toMatchObject({ editor: 'Anna', isOwn: false });
    expect(await stateOf(anna, id)).toMatchObject({ editor: 'Anna', isOwn: true });
    await expect(write(bo, id, 'Lease 2, by Bo')).rejects.toMatchObject({
      failure: {
        code: 'conflict',
        reason: 'draft-elsewhere',
        message: expect.stringContaining('Anna'),
      },
    });
    await expect(bo.api['drafts.delete']({ id })).rejects.toMatchObject({
      failure: { reason: 'draft-elsewhere' },
    });
    await leave(anna, id);
    await exchange(bo);
    expect((await show(bo, id)).content.body).toMatchObject(bodyV1('Lease 2, by Anna'));
    await write(bo, id, 'Lease 2, by both');
    await leave(bo, id);
    await exchange(anna);
    expect((await show(anna, id)).content.body).toMatchObject(bodyV1('Lease 2, by both'));
    expect(await stateOf(anna, id)).toMatchObject({ editor: null });
    // The earlier version on this computer can be restored.
    const { revision } = await show(anna, id);
    await anna.api['drafts.undo']({ id, revision });
    expect((await show(anna, id)).content.body).toMatchObject(bodyV1('Lease 2, by Anna'));
    await leave(anna, id);
  });

  it('cannot be changed by a computer that has not read the latest change', async () => {
    const id = await begin('Lease 3');
    const old = await show(bo, id);
    await write(anna, id, 'Lease 3, with a rent');
    await leave(anna, id);
    const { revision, connectionId } = old;
    const content = { api: 'v1' as const, body: bodyV1('Lease 3, by Bo') };
    await expect(
      bo.api['drafts.save']({ id, revision, content, connectionId }),
    ).rejects.toMatchObject({ failure: { code: 'conflict' } });
    expect(await titles(bo)).toContain('Lease 3, with a rent');
    await leave(bo, id);
  });

  it('keeps both versions when two computers edited it while the office was away', async () => {
    const id = await begin('Lease 4', 'With a file.');
    await office.postgres.stop('fast');
    await write(anna, id, 'Lease 4, by Anna');
    await write(bo, id, 'Lease 4, by Bo');
    await office.postgres.start();
    await exchange(anna, bo, anna);
    const { content } = await show(anna, id);
    expect(await show(bo, id)).toMatchObject({ content });
    // The second writer gets their version as a separate draft with its files.
    const isAnnas = JSON.stringify(content).includes('by Anna');
    const [first, second] = isAnnas ? ['Anna', 'Bo'] : ['Bo', 'Anna'];
    const [slower, faster] = isAnnas ? [bo, anna] : [anna, bo];
    const kept = (await slower.api['office.drafts']({})).filter(
      ({ keptBeside }) => keptBeside === first,
    );
    expect(kept).toHaveLength(1);
    const own = await show(slower, kept[0]?.draft ?? id);
    expect(own.content.body).toMatchObject(bodyV1(`Lease 4, by ${second ?? ''}`));
    expect(own.files).toHaveLength(1);
    expect(await titles(faster)).not.toContain(`Lease 4, by ${second ?? ''}`);
  });

  it('can be edited by another computer as soon as its sleeping editor’s lock ends', async () => {
    const id = await begin('Lease 5');
    await write(anna, id, 'Lease 5, by Anna');
    await exchange(anna, bo);
    // Anna's computer sleeps until its lock has expired.
    await office.postgres.run(
      "UPDATE signing_desk.lease SET until = '-infinity' WHERE kind = 'draft'",
      'signing_desk',
    );
    await write(bo, id, 'Lease 5, by Bo');
    await exchange(bo, anna);
    expect((await show(anna, id)).content.body).toMatchObject(bodyV1('Lease 5, by Bo'));
    await expect(write(anna, id, 'Lease 5, once more')).rejects.toMatchObject({
      failure: { reason: 'draft-elsewhere', message: expect.stringContaining('Bo') },
    });
    await leave(bo, id);
  });

  it('cannot be edited by other computers while one sends it, and can again after it is returned', async () => {
    const id = await begin('Lease 9');
    const { revision } = await show(anna, id);
    const about = { name: 'Nobody there', api: 'v1', environment: 'test' } as const;
    const secret = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
    const there = { ...about, url: 'http://127.0.0.1:9', accountId: null, secret };
    const { id: connectionId } = await anna.api['connections.add'](there);
    const [file] = (await show(anna, id)).files;
    const attachments = [{ type: 'BASE64', category: 'AGREEMENT', file: file?.id }] as const;
    const content = {
      api: 'v1' as const,
      body: { ...bodyV1('Lease 9'), attachments: [...attachments] },
    };
    await anna.api['drafts.save']({ id, revision, connectionId, content });
    const sendAt = Date.now() + HOUR;
    const order = { id, connectionId, holdSeconds: 0, confirm: 1, sendAt };
    const { ref } = await anna.api['drafts.send'](order);
    await leave(anna, id);
    await exchange(anna, bo);
    expect(await stateOf(bo, id)).toMatchObject({ editor: 'Anna', isSending: true });
    await expect(write(bo, id, 'Lease 9, by Bo')).rejects.toMatchObject({
      failure: { reason: 'draft-elsewhere' },
    });
    await anna.api['outbox.undo']({ ref });
    await exchange(anna, bo);
    expect(await stateOf(bo, id)).toMatchObject({ editor: null, isSending: false });
    await write(bo, id, 'Lease 9, by Bo');
    await leave(bo, id);
    await exchange(anna);
    expect(await titles(anna)).toContain('Lease 9, by Bo');
  });

  it('goes into the trash at every computer when removed, and is restored at every computer', async () => {
    const id = await begin('Lease 6');
    await bo.api['drafts.delete']({ id });
    await leave(bo, id);
    await exchange(anna);
    expect(await titles(anna)).not.toContain('Lease 6');
    expect((await anna.api['drafts.trash']({})).map(({ title }) => title)).toContain('Lease 6');
    const { rows } = await office.postgres.run(
      `SELECT count(*)::int AS files FROM signing_desk.draft_file WHERE draft = '${id}'`,
      'signing_desk',
    );
    expect(rows).toEqual([{ files: 0 }]);
    await bo.api['drafts.restore']({ id });
    await exchange(bo, anna);
    expect(await titles(anna)).toContain('Lease 6');
    expect((await show(anna, id)).files).toHaveLength(1);
  });

  it('stays only on the computer that ended the collaboration', async () => {
    const id = await begin('Lease 7');
    await anna.api['office.together']({ draft: id, isTogether: false });
    await exchange(bo);
    expect([await titles(anna), await titles(bo)].map((all) => all.includes('Lease 7'))).toEqual([
      true,
      false,
    ]);
  });

  it('gains and loses files at every computer', async () => {
    const id = await begin('Lease 8');
    const bytes = bo.desk.acceptBytes(await plainPdf('Annex', ['More.']));
    await bo.api['drafts.attach']({ id, name: 'Annex.pdf', bytes });
    const [first] = (await show(bo, id)).files;
    if (first !== undefined) await bo.api['drafts.detach']({ id, file: first.id });
    await leave(bo, id);
    await exchange(anna);
    expect((await show(anna, id)).files.map(({ name }) => name)).toEqual(['Annex.pdf']);
  });

  it('blocks no other draft when the server lost its file, and arrives with its next file (DL-U1)', async () => {
    const run = (sql: string) =>
      office.postgres.run(`SET search_path = signing_desk; ${sql}`, 'signing_desk');
    await run(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
      CREATE TRIGGER lose BEFORE INSERT ON draft_file FOR EACH ROW EXECUTE FUNCTION lose()`);
    const id = await begin('Lost', 'In no server.');
    await run('DROP TRIGGER lose ON draft_file');
    await begin('Other');
    expect(await titles(bo)).toContain('Other');
    expect(await titles(bo)).not.toContain('Lost');
    const failureOf = async () => (await bo.api['office.sharing']({})).failure;
    expect(await failureOf()).toMatchObject({ code: 'storage', reason: 'data-damaged' });
    const [file] = (await show(anna, id)).files;
    if (file === undefined) throw new Error('A draft without its file');
    await anna.api['drafts.detach']({ id, file: file.id });
    const bytes = anna.desk.acceptBytes(await plainPdf('Lost', ['Found.']));
    await anna.api['drafts.attach']({ id, name: 'Found.pdf', bytes });
    await exchange(anna, bo);
    expect((await show(bo, id)).files).toMatchObject([{ name: 'Found.pdf' }]);
    expect(await failureOf()).toBeNull();
  });

  it('cannot be read by a server', async () => {
    const id = await begin('A secret lease', 'A secret rent.');
    for (const table of ['shared_item', 'draft_file', 'lease']) {
      const { rows } = await office.postgres.run(
        `SELECT t::text AS line FROM signing_desk.${table} t`,
        'signing_desk',
      );
      const hidden = Buffer.from('secret').toString('hex');
      expect(rows.length).toBeGreaterThan(0);
      expect(JSON.stringify(rows)).not.toMatch(new RegExp(`secret|${hidden}`, 'i'));
    }
    await anna.api['drafts.delete']({ id });
  });
});
