// tier: all
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { startDemo } from '../../../electron/demo/start.ts';
import { SharedItemSet } from '../../../shared/contract/office/items.ts';
import type { PersonEntry, PersonId } from '../../../shared/contract/people.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import type { TemplateId } from '../../../shared/model/ids.ts';
import { entryOf } from '../../support/person-entry.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const NUMBER = '198507099805';

describe.skipIf(postgresPrograms === null)('shared data of the computers in an office', () => {
  let office: OfficeDesks;
  let anna: HomeDesk;
  let bo: HomeDesk;

  beforeEach(async () => {
    office = await startOfficeDesks();
    [anna, bo] = [await office.add('Anna'), await office.add('Bo')];
  }, TIMEOUT_MS);
  afterEach(() => office.close());

  const share = async ({ api }: HomeDesk) => {
    for (const set of SharedItemSet.options) {
      await api['office.share']({ set, isShared: true });
    }
  };
  const exchange = ({ api }: HomeDesk) => api['office.exchange']({});
  const titles = async ({ api }: HomeDesk) => {
    const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
    const { items } = await api['people.window']({ ...view, from: 0, limit: 1000 });
    return items.map(({ title }) => title);
  };
  const save = async (
    { api }: HomeDesk,
    facts: Partial<PersonEntry>,
    id: PersonId | null = null,
  ): Promise<PersonId> => (await api['people.save']({ id, entry: entryOf(facts) })).id;
  const all = ({ api }: HomeDesk, id: PersonId) => api['people.take']({ id });
  const known = (ids: readonly PersonId[], id: string): PersonId => {
    const found = ids.find((one) => one === id);
    if (found === undefined) throw new Error('A question about nobody of this test');
    return found;
  };
  const questions = ({ api }: HomeDesk) => api['office.questions']({});

  it('is sent to the office only after a person turned sharing on', async () => {
    await save(anna, {});
    await share(bo);
    expect(await titles(bo)).toEqual([]);
    await share(anna);
    await exchange(bo);
    expect(await titles(bo)).toEqual(['Åsa Öberg']);
    const { sets } = await bo.api['office.sharing']({});
    expect(sets).toEqual([
      { set: 'address-book', isShared: true, items: 1, questions: 0 },
      { set: 'views', isShared: true, items: 0, questions: 0 },
      { set: 'templates', isShared: true, items: 0, questions: 0 },
      { set: 'reminder-rules', isShared: true, items: 0, questions: 0 },
      { set: 'drafts', isShared: true, items: 0, questions: 0 },
    ]);
  });

  it('stays shared when one item cannot be read, which its next change repairs (SR-M3)', async () => {
    await share(anna);
    await share(bo);
    const first = await save(anna, { lastName: 'Ek' });
    await exchange(anna);
    await exchange(bo);
    await office.postgres.run(
      `UPDATE signing_desk.shared_item SET version = version + 1, sealed = '\\x00'`,
      'signing_desk',
    );
    await save(anna, { lastName: 'Alm' });
    await exchange(anna);
    await exchange(bo);
    expect(await titles(bo)).toEqual(['Åsa Alm', 'Åsa Ek']);
    await save(anna, { lastName: 'Berg' }, first);
    await exchange(anna);
    await exchange(bo);
    expect(await titles(bo)).toEqual(['Åsa Alm', 'Åsa Berg']);
  });

  it('arrives as soon as another computer writes it, without polling', async () => {
    await share(anna);
    await share(bo);
    await save(anna, {});
    // Without a hint from the office, a desk reads once a minute.
    await expect.poll(() => titles(bo), { timeout: 30_000 }).toEqual(['Åsa Öberg']);
  });

  it('is merged if different fields changed, leads to a question if the same did, and loses neither version', async () => {
    await share(anna);
    await share(bo);
    const id = await save(anna, {});
    await exchange(anna);
    await exchange(bo);
    // Both write before reading the other’s version; the fields of both sides are kept.
    await office.postgres.stop('fast');
    await save(anna, { mobile: '+46701234567', email: 'asa@home.example' }, id);
    await save(bo, { country: 'NO', email: 'asa@work.example' }, id);
    await office.postgres.start();
    await exchange(anna);
    await exchange(bo);
    await exchange(anna);
    expect(await all(anna, id)).toMatchObject({ mobile: '+46701234567', country: 'NO' });
    expect(await all(bo, id)).toMatchObject({ mobile: '+46701234567', country: 'NO' });
    const both = [await questions(anna), await questions(bo)].flat();
    expect(both).toHaveLength(1);
    const [question] = both;
    expect(question).toMatchObject({ kind: 'person', id, title: 'Åsa Öberg', field: 'email' });
    expect([question?.here, question?.inOffice].toSorted()).toEqual([
      'asa@home.example',
      'asa@work.example',
    ]);
  });

  it('becomes, at every computer, the version that a person chose', async () => {
    await share(anna);
    await share(bo);
    const ids = [
      await save(anna, { email: 'a@example.com' }),
      await save(anna, { lastName: 'Ek' }),
    ];
    await exchange(anna);
    await exchange(bo);
    await office.postgres.stop('fast');
    for (const id of ids) {
      await save(anna, { email: 'anna@example.com' }, id);
      await save(bo, { email: 'bo@example.com' }, id);
    }
    await office.postgres.start();
    await exchange(anna);
    await exchange(bo);
    const open = [
      ...(await questions(bo)).map((one) => ({ desk: bo, one })),
      ...(await questions(anna)).map((one) => ({ desk: anna, one })),
    ];
    expect(open).toHaveLength(2);
    const wanted: (string | null)[] = [];
    for (const [at, { desk, one }] of open.entries()) {
      const take = at === 0 ? 'here' : 'office';
      wanted.push(take === 'here' ? one.here : one.inOffice);
      await desk.api['office.answer']({ kind: one.kind, id: one.id, field: one.field, take });
    }
    await exchange(anna);
    await exchange(bo);
    for (const desk of [anna, bo]) {
      expect(await questions(desk)).toEqual([]);
      const found = await Promise.all(
        open.map(async ({ one }) => (await all(desk, known(ids, one.id))).email),
      );
      expect(found).toEqual(wanted);
    }
  });
  it('leads to a question when one computer removed what another one changed', async () => {
    await share(anna);
    await share(bo);
    const id = await save(anna, {});
    await exchange(anna);
    await exchange(bo);
    await office.postgres.stop('fast');
    await anna.api['people.remove']({ id });
    await save(bo, { mobile: '+46701234567' }, id);
    await office.postgres.start();
    await exchange(bo);
    await exchange(anna);
    // The user of the desk that writes second must choose a version.
    const [atAnna] = await questions(anna);
    const [atBo] = await questions(bo);
    const isAnna = atAnna !== undefined;
    expect(atAnna ?? atBo).toMatchObject({
      field: '',
      here: isAnna ? null : 'Åsa Öberg',
      inOffice: isAnna ? 'Åsa Öberg' : null,
      seat: isAnna ? 'Bo' : 'Anna',
    });
    const order = { kind: 'person', id, field: '' } as const;
    const { api } = isAnna ? anna : bo;
    await api['office.answer']({ ...order, take: isAnna ? 'office' : 'here' });
    for (const desk of [anna, bo]) {
      await exchange(desk);
      expect(await titles(desk)).toEqual(['Åsa Öberg']);
    }
  });

  it('becomes one entry if two computers had written the same entry before they shared it', async () => {
    const [hers, his] = [await save(anna, {}), await save(bo, { mobile: '+46701234567' })];
    const group = await anna.api['people.saveGroup']({ name: 'Board', content: null });
    await anna.api['people.setMember']({ id: hers, group: group.id, isIn: true });
    await share(anna);
    await share(bo);
    await exchange(anna);
    expect(await titles(bo)).toEqual(['Åsa Öberg']);
    expect(await titles(anna)).toEqual(['Åsa Öberg']);
    expect(await all(anna, hers)).toMatchObject({ mobile: '+46701234567' });
    expect(his).not.toBe(hers);
    expect(await bo.api['people.groups']({})).toMatchObject([{ name: 'Board', members: 1 }]);
  });

  it('includes personal numbers only for users who may see them', async () => {
    const carl = await office.add('Carl', ['send']);
    await share(anna);
    const id = await save(anna, { personNumber: NUMBER });
    await exchange(anna);
    await share(bo);
    await share(carl);
    expect((await all(bo, id)).personNumber).toBe(NUMBER);
    expect((await all(carl, id)).personNumber).toBeUndefined();
    // A change by Carl, who does not get the number, keeps it.
    await save(carl, { mobile: '+46701234567' }, id);
    await exchange(carl);
    await exchange(anna);
    expect(await all(anna, id)).toMatchObject({ personNumber: NUMBER, mobile: '+46701234567' });
  });

  it('is removed for all when one user removes it, and stays on a computer that stopped sharing', async () => {
    await share(anna);
    await share(bo);
    const [kept, gone] = [
      await save(anna, {}),
      await save(anna, { firstName: 'Bo', email: 'b@example.com' }),
    ];
    await exchange(anna);
    await exchange(bo);
    await anna.api['people.remove']({ id: gone });
    await exchange(anna);
    await exchange(bo);
    expect(await titles(bo)).toEqual(['Åsa Öberg']);
    await bo.api['office.share']({ set: 'address-book', isShared: false });
    await anna.api['people.remove']({ id: kept });
    await exchange(anna);
    expect(await titles(bo)).toEqual(['Åsa Öberg']);
  });

  it('merges the members of a group, and removes a removed person from all groups', async () => {
    await share(anna);
    await share(bo);
    const people = [
      await save(anna, {}),
      await save(anna, { firstName: 'Bo', email: 'bo@example.com' }),
      await save(anna, { firstName: 'Cia', email: 'cia@example.com' }),
    ] as const;
    const { id: group } = await anna.api['people.saveGroup']({ name: 'Board', content: null });
    await anna.api['people.setMember']({ id: people[0], group, isIn: true });
    await exchange(anna);
    await exchange(bo);
    await office.postgres.stop('fast');
    await anna.api['people.setMember']({ id: people[1], group, isIn: true });
    await anna.api['people.remove']({ id: people[0] });
    await bo.api['people.setMember']({ id: people[2], group, isIn: true });
    await bo.api['people.renameGroup']({ id: group, name: 'The board' });
    await office.postgres.start();
    for (const desk of [anna, bo, anna]) await exchange(desk);
    for (const desk of [anna, bo]) {
      const groups = await desk.api['people.groups']({});
      expect(groups).toMatchObject([{ id: group, name: 'The board', members: 2 }]);
      const { people: members } = await desk.api['people.takeGroup']({ id: group, api: 'v1' });
      expect(members.map(({ email }) => email).toSorted()).toEqual([
        'bo@example.com',
        'cia@example.com',
      ]);
      expect(await questions(desk)).toEqual([]);
    }
  });

  it('excludes a group whose settings hold a personal number', async () => {
    await share(anna);
    await share(bo);
    const allowedPersons = [{ personNo: NUMBER, firstName: 'Karin' }];
    const company = { orgNo: '5599990008', signMethods: ['EID' as const], allowedPersons };
    const parties = { privates: [], companies: [company] };
    const content = { api: 'v2' as const, parties };
    await anna.api['people.saveGroup']({ name: 'Signers', content });
    await anna.api['people.saveGroup']({ name: 'Board', content: null });
    await exchange(anna);
    await exchange(bo);
    expect((await bo.api['people.groups']({})).map(({ name }) => name)).toEqual(['Board']);
  });

  it('shows a view of one connection wherever a connection reaches the same service', async () => {
    const service = await startDemo({ dataDir: null, seed: 'none', counterpartDelayMs: null });
    const { v1Url: url, credentials } = service;
    const real = { name: 'Service', api: 'v1', environment: 'test', accountId: null } as const;
    const connection = { ...real, url, secret: credentials.token };
    const hers = await anna.api['connections.add'](connection);
    const { agreementLayout: layout } = await anna.api['settings.read']({});
    const id = randomUUID();
    const view = { id, name: 'Overdue', filter: { connectionId: hers.id }, layout };
    await anna.api['settings.write']({ agreementViews: [view] });
    await share(anna);
    await share(bo);
    const viewsOf = async ({ api }: HomeDesk) => (await api['settings.read']({})).agreementViews;
    expect(await viewsOf(bo)).toEqual([]);
    const his = await bo.api['connections.add']({ ...connection, name: 'Ours' });
    await exchange(bo);
    expect(await viewsOf(bo)).toEqual([{ ...view, filter: { connectionId: his.id } }]);
    await bo.api['settings.write']({ agreementViews: [] });
    await exchange(bo);
    await exchange(anna);
    expect(await viewsOf(anna)).toEqual([]);
    await service.close();
  });

  it('survives the loss of dozens of items on one computer, which gets them back when it shares again', async () => {
    await share(anna);
    await share(bo);
    const ids: PersonId[] = [];
    for (let at = 0; at < 12; at += 1) {
      ids.push(
        await save(anna, { firstName: `P${String(at)}`, email: `p${String(at)}@example.com` }),
      );
    }
    await exchange(anna);
    await exchange(bo);
    await office.postgres.stop('fast');
    // The office is stopped so that the removals arrive together, and not one by one.
    for (const id of ids) await bo.api['people.remove']({ id });
    await office.postgres.start();
    const missing = { failure: { code: 'conflict', reason: 'most-missing' } };
    await expect(exchange(bo)).rejects.toMatchObject(missing);
    await exchange(anna);
    expect(await titles(anna)).toHaveLength(12);
    await bo.api['office.share']({ set: 'address-book', isShared: false });
    await bo.api['office.share']({ set: 'address-book', isShared: true });
    expect(await titles(bo)).toHaveLength(12);
  });

  it('reports that the server returned an older version, and continues when a person shares it again', async () => {
    await share(anna);
    await share(bo);
    const id = await save(anna, {});
    await exchange(anna);
    const run = (sql: string) =>
      office.postgres.run(`SET search_path = signing_desk; ${sql}`, 'signing_desk');
    await run('CREATE TABLE kept AS SELECT * FROM shared_item');
    await save(anna, { mobile: '+46701234567' }, id);
    await exchange(anna);
    await exchange(bo);
    const next = '(SELECT max(number) + 1 FROM shared_item)';
    await run(`ALTER TABLE shared_item DISABLE TRIGGER USER;
      UPDATE shared_item i SET version = k.version, sealed = k.sealed, number = ${next}
        FROM kept k WHERE k.kind = i.kind AND k.id = i.id;
      ALTER TABLE shared_item ENABLE TRIGGER USER`);
    const damaged = { failure: { code: 'storage', reason: 'data-damaged' } };
    await expect(exchange(bo)).rejects.toMatchObject(damaged);
    expect(await all(bo, id)).toMatchObject({ mobile: '+46701234567' });
    await bo.api['office.share']({ set: 'address-book', isShared: false });
    await bo.api['office.share']({ set: 'address-book', isShared: true });
    expect(await all(bo, id)).toMatchObject({ mobile: '+46701234567' });
    expect((await bo.api['office.sharing']({})).failure).toBeNull();
  });

  describe('for templates', () => {
    const add = ({ api, desk }: HomeDesk, name: string, pdf: Uint8Array) =>
      api['templates.add']({
        name,
        api: 'v1',
        fileName: 'Lease.pdf',
        bytes: desk.acceptBytes(pdf),
      });
    const names = async ({ api }: HomeDesk) =>
      (await api['templates.list']({})).flatMap(({ name, trashedAt }) =>
        trashedAt === null ? [name] : [],
      );
    const pdfOf = async ({ api, desk }: HomeDesk, id: TemplateId) => {
      const { out } = await api['templates.pdf']({ id });
      return Buffer.from((await desk.serveBytes(`/bytes/out/${out}`))?.data ?? '');
    };

    it('includes the PDF, and replaces it when it is exchanged', async () => {
      await share(anna);
      await share(bo);
      const [first, second] = [
        await formPdf('Lease', ['tenant', 'rent']),
        await formPdf('Another lease', ['tenant', 'rent', 'deposit']),
      ];
      const { id } = await add(anna, 'Lease', Buffer.from(first));
      await exchange(anna);
      await exchange(bo);
      expect(await names(bo)).toEqual(['Lease']);
      expect(await pdfOf(bo, id)).toEqual(Buffer.from(first));
      const { revision } = await bo.api['templates.get']({ id });
      const bytes = bo.desk.acceptBytes(Buffer.from(second));
      await bo.api['templates.replacePdf']({ id, revision, fileName: 'New.pdf', bytes, stay: [] });
      await exchange(bo);
      await exchange(anna);
      expect(await pdfOf(anna, id)).toEqual(Buffer.from(second));
      expect((await anna.api['templates.get']({ id })).source).toMatchObject({
        fileName: 'New.pdf',
      });
    });

    it('asks a person about a template whose PDF the server has lost, and shares the others (DL-U1)', async () => {
      await share(anna);
      await share(bo);
      const pdf = Buffer.from(await formPdf('Lease', ['tenant']));
      const { id } = await add(anna, 'Lease', pdf);
      await exchange(anna);
      await exchange(bo);
      const run = (sql: string) =>
        office.postgres.run(`SET search_path = signing_desk; ${sql}`, 'signing_desk');
      await run(`CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER lose BEFORE INSERT ON shared_file FOR EACH ROW EXECUTE FUNCTION lose()`);
      const next = await formPdf('Lease', ['tenant', 'rent']);
      const { revision } = await anna.api['templates.get']({ id });
      const bytes = anna.desk.acceptBytes(Buffer.from(next));
      await anna.api['templates.replacePdf']({ id, revision, fileName: '2', bytes, stay: [] });
      await add(anna, 'Sale', Buffer.from(await formPdf('Sale', ['buyer'])));
      await exchange(anna);
      await run('DROP TRIGGER lose ON shared_file');
      await add(anna, 'Loan', Buffer.from(await formPdf('Loan', ['lender'])));
      await exchange(anna);
      await exchange(bo);
      expect((await names(bo)).toSorted()).toEqual(['Lease', 'Loan']);
      expect(await pdfOf(bo, id)).toEqual(pdf);
      expect(await questions(bo)).toMatchObject([{ kind: 'template', id, field: '' }]);
      const { failure } = await bo.api['office.sharing']({});
      expect(failure).toMatchObject({ code: 'storage', reason: 'data-damaged' });
      await bo.api['office.answer']({ kind: 'template', id, field: '', take: 'here' });
      await exchange(anna);
      expect(await pdfOf(anna, id)).toEqual(pdf);
    });

    it('moves a template into the trash for all, and out of it for all', async () => {
      await share(anna);
      await share(bo);
      const { id } = await add(anna, 'Lease', Buffer.from(await formPdf('Lease', ['tenant'])));
      await exchange(anna);
      await exchange(bo);
      await bo.api['templates.remove']({ id });
      await exchange(bo);
      await exchange(anna);
      expect(await names(anna)).toEqual([]);
      await anna.api['templates.restore']({ id });
      await exchange(anna);
      await exchange(bo);
      expect(await names(bo)).toEqual(['Lease']);
    });

    it('excludes a template that numbers its agreements', async () => {
      await share(anna);
      await share(bo);
      const pdf = Buffer.from(await formPdf('Lease', ['tenant']));
      const { id } = await add(anna, 'Lease', pdf);
      await exchange(anna);
      await exchange(bo);
      const { revision, content, name } = await anna.api['templates.get']({ id });
      const numbered = { ...content, body: { ...content.body, title: 'Lease {number}' } };
      await anna.api['templates.save']({ id, revision, name: 'Numbered', content: numbered });
      await exchange(anna);
      await exchange(bo);
      expect([name, ...(await names(anna)), ...(await names(bo))]).toEqual([
        'Lease',
        'Numbered',
        'Lease',
      ]);
    });

    it('rejects changes by a user without the right, and is readable by all', async () => {
      const carl = await office.add('Carl', ['send']);
      await share(anna);
      await share(carl);
      const { id } = await add(anna, 'Lease', Buffer.from(await formPdf('Lease', ['tenant'])));
      await exchange(anna);
      await exchange(carl);
      const { revision, content } = await carl.api['templates.get']({ id });
      await carl.api['templates.save']({ id, revision, name: 'Of Carl', content });
      await exchange(carl);
      await exchange(anna);
      expect([await names(anna), await names(carl)]).toEqual([['Lease'], ['Of Carl']]);
    });
  });
});
