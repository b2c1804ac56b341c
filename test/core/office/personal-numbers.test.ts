// tier: all
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import type { DraftContent } from '../../../shared/contract/drafts.ts';
import { SharedItemSet } from '../../../shared/contract/office/items.ts';
import type { HandoverItem } from '../../../shared/contract/office/handovers.ts';
import type { PersonEntry, PersonId } from '../../../shared/contract/people.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';
import { postgresPrograms } from '../../support/postgres.ts';
import { textCell, workbook } from '../../adapters/sheets/workbook.ts';

const TIMEOUT_MS = 120_000;
const NUMBER = '198507099805';
/** Names of ids, numbers and hashes elsewhere in the data, which people may use for tags too. */
const NAMES = ['id', 'service', 'agreementId', 'sha256', 'identifier', 'templateId', '*'];

describe.skipIf(postgresPrograms === null)('a user who may not see personal numbers', () => {
  let office: OfficeDesks;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let carl: HomeDesk;

  beforeAll(async () => {
    office = await startOfficeDesks();
    [anna, bo, carl] = [
      await office.add('Anna'),
      await office.add('Bo'),
      await office.add('Carl', ['send', 'templates']),
    ];
    for (const { api } of [anna, bo, carl]) {
      for (const set of SharedItemSet.options) await api['office.share']({ set, isShared: true });
    }
  }, TIMEOUT_MS);
  afterAll(() => office.close());

  const exchange = async (...desks: readonly HomeDesk[]) => {
    for (const { api } of desks) await api['office.exchange']({});
  };
  const save = async (
    { api }: HomeDesk,
    facts: Partial<PersonEntry>,
    id: PersonId | null = null,
  ): Promise<PersonId> => (await api['people.save']({ id, entry: entryOf(facts) })).id;
  const take = ({ api }: HomeDesk, id: PersonId) => api['people.take']({ id });
  const give = async (what: HandoverItem, note = '') => {
    const seats = await anna.api['office.seats']({});
    const to = seats.find(({ name }) => name === 'Carl');
    if (to === undefined) throw new Error('Nobody of this name');
    return anna.api['office.handOver']({ what, seat: to.id, note });
  };
  const forbidden = { failure: { code: 'forbidden' } };

  it('gets an entry without the company number of one person, which others get (DL-C2)', async () => {
    const company = { kind: 'company', firstName: '', lastName: '', name: 'Ek Bygg' } as const;
    const id = await save(anna, { ...company, companyNumber: '800101-9997' });
    const usual = await save(anna, { ...company, name: 'AB', companyNumber: '556036-0793' });
    const named = await save(anna, { ...company, name: `Firma ${NUMBER}`, email: 'f@example.com' });
    await exchange(anna, bo, carl);
    expect((await take(bo, id)).companyNumber).toBe('800101-9997');
    expect((await take(carl, id)).companyNumber).toBeUndefined();
    expect((await take(carl, usual)).companyNumber).toBe('556036-0793');
    expect((await take(bo, named)).name).toBe(`Firma ${NUMBER}`);
    expect((await take(carl, named)).name).toBeUndefined();
    // A change by Carl, who does not get the number, keeps it.
    const { firstName: _first, ...rest } = company;
    await save(carl, { ...rest, firstName: '', mobile: '+46701234567', companyNumber: '' }, id);
    await exchange(carl, anna, bo);
    for (const desk of [anna, bo]) {
      expect(await take(desk, id)).toMatchObject({
        companyNumber: '800101-9997',
        mobile: '+46701234567',
      });
    }
    // A corrected entry is shared with everyone.
    const shown = { ...company, name: 'Firma Ek', email: 'f@example.com' };
    await save(anna, shown, named);
    await exchange(anna, bo, carl);
    for (const desk of [bo, carl]) expect((await take(desk, named)).name).toBe('Firma Ek');
  });

  it('gets no template, group or view with a personal number in any field (DL-C2, DL-R1)', async () => {
    const { agreementLayout: layout } = await anna.api['settings.read']({});
    const view = (name: string, tag?: string) => ({
      id: randomUUID(),
      name,
      filter: tag === undefined ? {} : { tag },
      layout,
    });
    const agreementViews = [view('Mine'), view(`Of ${NUMBER}`), view('By tag', NUMBER)];
    await anna.api['settings.write']({ agreementViews });
    for (const name of ['Board', `Of ${NUMBER}`]) {
      await anna.api['people.saveGroup']({ name, content: null });
    }
    const eid = { type: 'EID' as const, country: 'SE', identifier: NUMBER };
    const party = { type: 'PRIVATE' as const, firstName: 'Åsa', signingConfigurations: [eid] };
    const parties = { api: 'v1' as const, parties: [party] };
    await anna.api['people.saveGroup']({ name: 'By EID', content: parties });
    const pdf = Buffer.from(await formPdf('Lease', ['tenant']));
    const about = { api: 'v1', fileName: 'Lease.pdf' } as const;
    const add = (name: string) =>
      anna.api['templates.add']({ ...about, name, bytes: anna.desk.acceptBytes(pdf) });
    await add('Plain');
    const signed = await add('By EID');
    if (signed.content.body.api !== 'v1') throw new Error('Another API');
    const role = { id: 'tenant', name: 'Tenant', party };
    const body = { ...signed.content.body, roles: [role] };
    const { id, revision, name } = signed;
    await anna.api['templates.save']({ id, revision, name, content: { ...signed.content, body } });
    for (const tag of NAMES) {
      const made = await add(`With the tag ${tag}`);
      const tagged = { ...made.content.body, rest: { tags: { [tag]: NUMBER } } } as typeof body;
      await anna.api['templates.save']({
        id: made.id,
        revision: made.revision,
        name: made.name,
        content: { ...made.content, body: tagged },
      });
    }
    await exchange(anna, carl);
    const templates = await carl.api['templates.list']({});
    expect(templates.map((one) => one.name)).toEqual(['Plain']);
    expect((await carl.api['people.groups']({})).map((one) => one.name)).toEqual(['Board']);
    const views = (await carl.api['settings.read']({})).agreementViews;
    expect(views.map((one) => one.name)).toEqual(['Mine']);
  });

  it('cannot receive a draft with a personal number in any field, or in a note (DL-C2, DL-R1)', async () => {
    const make = async (content: DraftContent) =>
      (await anna.api['drafts.create']({ content, connectionId: null })).id;
    const body = bodyV1('Lease');
    const eid = { type: 'EID' as const, country: 'SE', identifier: NUMBER };
    const identified = { type: 'PRIVATE' as const, signingConfigurations: [] };
    const bodies = [
      { ...body, title: `Lease ${NUMBER}` },
      { ...body, tags: { tenant: NUMBER } },
      { ...body, tags: { [NUMBER]: 'tenant' } },
      ...NAMES.map((name) => ({ ...body, tags: { [name]: NUMBER } })),
      ...NAMES.map((name) => ({
        ...body,
        notifications: [{ type: 'SIGNED' as const, placeholders: { [name]: NUMBER } }],
      })),
      { ...body, parties: [{ ...identified, signingConfigurations: [eid] }] },
      { ...body, parties: [{ ...identified, identificationConfigurations: [eid] }] },
      { ...body, parties: [{ ...identified, companyNumber: '800101-9997' }] },
      { ...body, parties: [{ ...identified, firstName: `Åsa ${NUMBER}` }] },
    ];
    for (const one of bodies) {
      const id = await make({ api: 'v1', body: one });
      await expect(give({ kind: 'draft', id })).rejects.toMatchObject(forbidden);
      expect((await anna.api['drafts.show']({ id })).content.body).toMatchObject(one);
    }
    const id = await make({ api: 'v1', body });
    await expect(give({ kind: 'draft', id }, `Of ${NUMBER}`)).rejects.toMatchObject(forbidden);
    await give({ kind: 'draft', id }, 'Of Åsa');
    expect(await carl.api['office.handovers']({})).toMatchObject([{ title: 'Lease' }]);
  });

  it('cannot receive a draft with a file that has a personal number or cannot be searched; the error names it (DL-U6)', async () => {
    const draftWith = async (name: string, data: Uint8Array) => {
      const content: DraftContent = { api: 'v1', body: bodyV1(`Lease with ${name}`) };
      const { id } = await anna.api['drafts.create']({ content, connectionId: null });
      await anna.api['drafts.attach']({ id, name, bytes: anna.desk.acceptBytes(data) });
      return id;
    };
    const rows = (text: string) => `<row r="1">${textCell(text)}</row>`;
    const held = [
      ['notes.txt', Buffer.from(`Tenant: Eva Ek, ${NUMBER}\n`)],
      ['tenants.csv', Buffer.from(`\uFEFFname;number\r\nEva Ek;${NUMBER}\r\n`, 'utf16le')],
      ['tenants.xlsx', workbook({ sheets: { Rows: rows(NUMBER) } })],
      ['picture.png', Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0, 0])],
      ['old.doc', Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0, 0])],
      ['mail.eml', Buffer.from('Subject: Lease\n')],
    ] as const;
    for (const [name, data] of held) {
      const id = await draftWith(name, data);
      await expect(give({ kind: 'draft', id })).rejects.toMatchObject(forbidden);
      expect((await anna.api['drafts.show']({ id })).files).toMatchObject([{ name }]);
      if (!/txt|csv|xlsx/.test(name)) {
        await expect(give({ kind: 'draft', id })).rejects.toMatchObject({
          failure: { reason: 'file-unsearched', file: name },
        });
      }
    }
    const free = [
      ['plain.txt', Buffer.from('Tenant: Eva Ek\n')],
      ['plain.xlsx', workbook({ sheets: { Rows: rows('Eva Ek') } })],
      ['Lease.pdf', Buffer.from(await formPdf('Lease', ['tenant']))],
    ] as const;
    for (const [name, data] of free) {
      await give({ kind: 'draft', id: await draftWith(name, data) });
    }
  });

  it('cannot receive a batch with a personal number in its file, even in an unused column, or in a note (DL-C2, DL-U6)', async () => {
    const add = (fileName: string, data: Uint8Array) =>
      anna.api['batches.create']({
        name: 'Autumn',
        fileName,
        bytes: anna.desk.acceptBytes(data),
        choices: {},
        connectionId: null,
        templateId: null,
      });
    const csv = (number: string) => Buffer.from(`\uFEFFName,Note\r\nÅsa,${number}\r\n`);
    const sheet = (...texts: readonly string[]) =>
      texts.map((text, at) => `<row r="${String(at + 1)}">${textCell(text)}</row>`).join('');
    const sheets = { Rows: sheet('Name', 'Åsa'), Other: sheet('Number', NUMBER) };
    const noted = (text: string) => {
      const data = `<comments><comment><text>${text}</text></comment></comments>`;
      const rows = { Rows: sheet('Name', 'Åsa') };
      return workbook({ sheets: rows, more: [{ name: 'xl/comments1.xml', data }] });
    };
    for (const [fileName, data] of [
      ['used.csv', csv(NUMBER)],
      [`${NUMBER}.csv`, csv('none')],
      ['other-sheet.xlsx', workbook({ sheets })],
      ['note.xlsx', noted(`<t>${NUMBER}</t>`)],
    ] as const) {
      const { id } = await add(fileName, data);
      await expect(give({ kind: 'batch', id })).rejects.toMatchObject(forbidden);
      await anna.api['batches.show']({ id });
    }
    for (const [fileName, data] of [
      ['plain.csv', csv('none')],
      ['plain.xlsx', noted('<t>none</t>')],
    ] as const) {
      await give({ kind: 'batch', id: (await add(fileName, data)).id });
    }
  });
});
