// tier: all
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formPdf } from '../../../electron/demo/pdf/form.ts';
import { SharedItemSet } from '../../../shared/contract/office/items.ts';
import type { PersonEntry, PersonId } from '../../../shared/contract/people.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import {
  type HomeDesk,
  type OfficeDesks,
  startOfficeDesks,
} from '../../support/desks/office-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';
import { postgresPrograms } from '../../support/postgres.ts';

const TIMEOUT_MS = 120_000;
const NUMBER = '198507099805';

describe.skipIf(postgresPrograms === null)('an item that was removed in an office', () => {
  let office: OfficeDesks;
  let anna: HomeDesk;
  let bo: HomeDesk;
  let carl: HomeDesk;

  beforeEach(async () => {
    office = await startOfficeDesks();
    [anna, bo, carl] = [await office.add('Anna'), await office.add('Bo'), await office.add('Carl')];
    for (const one of [anna, bo, carl]) await shareAll(one, true);
  }, TIMEOUT_MS);
  afterEach(() => office.close());

  const shareAll = async ({ api }: HomeDesk, isShared: boolean) => {
    for (const set of SharedItemSet.options) await api['office.share']({ set, isShared });
  };
  const exchange = async (...desks: readonly HomeDesk[]) => {
    for (const { api } of desks) await api['office.exchange']({});
  };
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
  const forget = ({ api }: HomeDesk, id: PersonId) =>
    api['people.forget']({ id, drafts: [], copies: false });
  const questions = ({ api }: HomeDesk) => api['office.questions']({});

  it('stays forgotten when a computer shares again and reads everything again (DL-C1)', async () => {
    const id = await save(anna, { personNumber: NUMBER });
    await exchange(anna, bo, carl);
    await shareAll(bo, false);
    await forget(anna, id);
    await exchange(anna, carl);
    await shareAll(bo, true);
    await exchange(bo, anna, carl);
    for (const desk of [anna, bo, carl]) {
      expect(await titles(desk)).toEqual([]);
      expect(await questions(desk)).toEqual([]);
    }
  });

  it('leads to a question only at a computer that changed it afterwards (DL-C1)', async () => {
    const id = await save(anna, {});
    await exchange(anna, bo, carl);
    await shareAll(bo, false);
    await forget(anna, id);
    await exchange(anna, carl);
    await save(bo, { mobile: '+46701234567' }, id);
    await shareAll(bo, true);
    await exchange(bo, anna, carl);
    expect(await titles(anna)).toEqual([]);
    expect(await titles(carl)).toEqual([]);
    expect(await questions(bo)).toMatchObject([
      { kind: 'person', id, field: '', here: 'Åsa Öberg', inOffice: null, seat: 'Anna' },
    ]);
    await bo.api['office.answer']({ kind: 'person', id, field: '', take: 'office' });
    await exchange(bo, anna);
    expect([await titles(bo), await titles(anna)]).toEqual([[], []]);
  });

  it('returns at all computers when a person decides to keep it (DL-C1)', async () => {
    const id = await save(anna, {});
    await exchange(anna, bo);
    await shareAll(bo, false);
    await anna.api['people.remove']({ id });
    await exchange(anna);
    await save(bo, { mobile: '+46701234567' }, id);
    await shareAll(bo, true);
    await bo.api['office.answer']({ kind: 'person', id, field: '', take: 'here' });
    await exchange(bo, anna);
    expect(await titles(anna)).toEqual(['Åsa Öberg']);
  });

  it('is removed for all when the computer that forgot it without sharing shares again (DL-C1)', async () => {
    const id = await save(anna, { personNumber: NUMBER });
    await exchange(anna, bo, carl);
    await shareAll(bo, false);
    await forget(bo, id);
    await shareAll(bo, true);
    await exchange(bo, anna, carl);
    for (const desk of [anna, bo, carl]) expect(await titles(desk)).toEqual([]);
  });

  it('leads to a question when another computer changed it after this computer forgot it (DL-C1)', async () => {
    const id = await save(anna, {});
    await exchange(anna, bo);
    await shareAll(bo, false);
    await forget(bo, id);
    await save(anna, { mobile: '+46701234567' }, id);
    await exchange(anna);
    await shareAll(bo, true);
    expect(await titles(bo)).toEqual([]);
    expect(await questions(bo)).toMatchObject([{ kind: 'person', id, here: null }]);
    await exchange(anna);
    expect(await titles(anna)).toEqual(['Åsa Öberg']);
  });

  it('of every shared kind is in the trash or leads to a question (DL-C1)', async () => {
    const group = await anna.api['people.saveGroup']({ name: 'Board', content: null });
    const pdf = Buffer.from(await formPdf('Lease', ['tenant']));
    const bytes = anna.desk.acceptBytes(pdf);
    const about = { name: 'Lease', api: 'v1', fileName: 'Lease.pdf' } as const;
    const template = await anna.api['templates.add']({ ...about, bytes });
    const { agreementLayout: layout } = await anna.api['settings.read']({});
    const view = { id: randomUUID(), name: 'Overdue', filter: {}, layout };
    await anna.api['settings.write']({ agreementViews: [view] });
    const content = { api: 'v1' as const, body: bodyV1('Lease 1') };
    const draft = await anna.api['drafts.create']({ content, connectionId: null });
    await anna.api['office.together']({ draft: draft.id, isTogether: true });
    await exchange(anna, bo);
    await shareAll(bo, false);
    await anna.api['people.removeGroup']({ id: group.id });
    await anna.api['templates.remove']({ id: template.id });
    await anna.api['settings.write']({ agreementViews: [] });
    await anna.api['drafts.delete']({ id: draft.id });
    await exchange(anna);
    await shareAll(bo, true);
    await exchange(bo, anna);
    const open = (await questions(bo)).map(({ kind, field }) => [kind, field]);
    // The time of a local change of a group or a view is not recorded.
    expect(open).toEqual([
      ['group', ''],
      ['view', ''],
    ]);
    for (const { api } of [anna, bo]) {
      const templates = await api['templates.list']({});
      expect(templates.filter(({ trashedAt }) => trashedAt === null)).toEqual([]);
      expect(await api['drafts.list']({})).toEqual([]);
    }
    expect(await anna.api['people.groups']({})).toEqual([]);
    expect((await anna.api['settings.read']({})).agreementViews).toEqual([]);
  });

  it('is not brought back by an older version of the office if it is a draft forgotten with a person (DL-R3)', async () => {
    const content = { api: 'v1' as const, body: bodyV1('Lease 1') };
    const draft = await anna.api['drafts.create']({ content, connectionId: null });
    await anna.api['office.together']({ draft: draft.id, isTogether: true });
    const id = await save(anna, {});
    await exchange(anna, bo);
    expect(await bo.api['drafts.list']({})).toHaveLength(1);
    await shareAll(bo, false);
    await bo.api['people.forget']({ id, drafts: [draft.id], copies: false });
    await shareAll(bo, true);
    await exchange(bo, anna);
    for (const { api } of [bo, anna]) expect(await api['drafts.list']({})).toEqual([]);
  });

  it('allows the shared drafts of a forgotten person to be edited, taken out and removed (DL-U2)', async () => {
    const begin = async (title: string, change = {}): Promise<DraftId> => {
      const content = { api: 'v1' as const, body: { ...bodyV1(title), ...change } };
      const { id } = await anna.api['drafts.create']({ content, connectionId: null });
      await anna.api['office.together']({ draft: id, isTogether: true });
      return id;
    };
    const names = async ({ api }: HomeDesk) =>
      (await api['drafts.list']({})).map(({ title }) => title).toSorted();
    const write = async ({ api }: HomeDesk, id: DraftId, title: string) => {
      const { revision, content } = await api['drafts.show']({ id });
      const changed = { ...content, body: { ...content.body, title } } as typeof content;
      await api['drafts.save']({ id, revision, content: changed, connectionId: null });
      await api['office.leaveDraft']({ draft: id });
    };
    const drafts = [await begin('A'), await begin('B'), await begin('C', { parties: [] })] as const;
    const id = await save(anna, {});
    await exchange(anna, bo);
    await forget(anna, id);
    expect(await anna.api['office.drafts']({})).toHaveLength(3);
    await exchange(anna, bo);
    await write(anna, drafts[0], 'A 2');
    await write(anna, drafts[2], 'C 2');
    await exchange(bo);
    expect(await names(bo)).toEqual(['A 2', 'B', 'C 2']);
    ({ home: anna } = await office.copy(anna));
    await exchange(anna);
    await write(bo, drafts[0], 'A 3');
    await exchange(bo, anna);
    expect(await names(anna)).toEqual(['A 3', 'B', 'C 2']);
    await anna.api['office.together']({ draft: drafts[0], isTogether: false });
    await anna.api['drafts.delete']({ id: drafts[1] });
    await exchange(anna, bo);
    expect([await names(anna), await names(bo)]).toEqual([['A 3', 'C 2'], ['C 2']]);
    expect((await anna.api['office.sharing']({})).failure).toBeNull();
  });

  it('is not written back by a window that has not read the removal yet, if it is a view (DL-C1)', async () => {
    const { agreementLayout: layout } = await anna.api['settings.read']({});
    const view = (name: string) => ({ id: randomUUID(), name, filter: {}, layout });
    const [gone, fresh] = [view('Overdue'), view('New')];
    await anna.api['settings.write']({ agreementViews: [gone] });
    await exchange(anna, bo);
    await anna.api['settings.write']({ agreementViews: [] });
    await exchange(anna, bo);
    await bo.api['settings.write']({ agreementViews: [gone, fresh] });
    await exchange(bo, anna);
    for (const { api } of [anna, bo]) {
      expect((await api['settings.read']({})).agreementViews).toEqual([fresh]);
    }
  });
});
