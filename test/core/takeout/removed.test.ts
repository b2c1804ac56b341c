import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PersonId } from '../../../shared/contract/people.ts';
import { type DraftId, OutboxRef } from '../../../shared/model/ids.ts';
import { addBatch, addLease, people } from '../../support/desks/batch-desk.ts';
import { TwoDesks } from '../../support/desks/two-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';

let two: TwoDesks;

beforeEach(async () => {
  two = await TwoDesks.start();
});
afterEach(() => two[Symbol.dispose]());

/** Adds a draft to the exporting program. */
async function draft(title: string): Promise<DraftId> {
  const content = { api: 'v1' as const, body: bodyV1(title) };
  const { id } = await two.from.desk.api['drafts.create']({ content, connectionId: null });
  return id;
}
const titles = async () => (await two.to.desk.api['drafts.list']({})).map(({ title }) => title);

describe('an older data export', () => {
  it('restores no draft that was deleted or forgotten with a person, and reports the draft (DL-R3)', async () => {
    const [kept, thrown] = [await draft('Kept'), await draft('Thrown away')];
    const named = await draft('Named a person');
    const { folder } = await two.write();
    await two.done('takeout.import', folder);
    const { api } = two.to.desk;
    await api['drafts.delete']({ id: thrown });
    await api['drafts.destroy']({ id: thrown });
    const { id } = await api['people.save']({ id: null, entry: entryOf({}) });
    await api['people.forget']({ id, drafts: [named], copies: false });
    for (const call of ['takeout.look', 'takeout.import'] as const) {
      const { look } = await two.done(call, folder);
      expect(look.counts.drafts).toEqual({ added: 0, beside: 0, same: 1, passed: 2, removed: 2 });
    }
    expect(await titles()).toEqual(['Kept']);
    expect(await two.to.desk.api['drafts.show']({ id: kept })).toMatchObject({ id: kept });
  });

  it('adds no other copy of a draft if one copy was forgotten with a person (DL-R3)', async () => {
    const id = await draft('Of a person');
    const { folder } = await two.write();
    await two.done('takeout.import', folder);
    const { api } = two.to.desk;
    const changed = { api: 'v1' as const, body: bodyV1('Of another person') };
    const { revision } = await api['drafts.show']({ id });
    await api['drafts.save']({ id, revision, content: changed, connectionId: null });
    await two.done('takeout.import', folder);
    const beside = (await api['drafts.list']({})).find((one) => one.id !== id);
    if (beside === undefined) throw new Error('nothing was put beside it');
    const person = await api['people.save']({ id: null, entry: entryOf({}) });
    await api['people.forget']({ id: person.id, drafts: [beside.id], copies: false });
    expect((await two.done('takeout.import', folder)).look.counts.drafts).toMatchObject({
      beside: 0,
      removed: 1,
    });
    expect(await titles()).toEqual(['Of another person']);
  });

  it('restores no draft that was sent on this computer and later removed for its age (DL-R3)', async () => {
    const id = await draft('Sent');
    const { folder } = await two.write();
    await two.done('takeout.import', folder);
    const { stores } = two.to.world;
    stores.drafts.keepSent(id, OutboxRef.parse(randomUUID()), 1);
    stores.privacy.drop('sent', Date.now(), 9);
    expect((await two.done('takeout.import', folder)).look.counts.drafts.removed).toBe(1);
    expect(await titles()).toEqual([]);
  });

  it('restores no removed batch, person or group (DL-R3)', async () => {
    const { api } = two.from.desk;
    await addBatch(two.from, await addLease(two.from.desk), people(2));
    await api['people.save']({ id: null, entry: entryOf({}) });
    await api['people.saveGroup']({ name: 'Board', content: null });
    const { folder } = await two.write();
    await two.done('takeout.import', folder);
    const { api: here } = two.to.desk;
    for (const { id } of await here['batches.list']({})) await here['batches.remove']({ id });
    for (const { id } of await here['people.groups']({})) await here['people.removeGroup']({ id });
    const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
    const { items } = await here['people.window']({ ...view, from: 0, limit: 9 });
    for (const { id } of items) await here['people.remove']({ id: PersonId.parse(id) });
    const { counts } = (await two.done('takeout.import', folder)).look;
    expect(counts).toMatchObject({
      batches: { added: 0, passed: 1, removed: 1 },
      people: { added: 0, passed: items.length, removed: items.length },
    });
    expect(await here['batches.list']({})).toEqual([]);
    expect(await here['people.groups']({})).toEqual([]);
  });

  it('restores no imported second version that was later removed or put in the trash (DL-U11)', async () => {
    const drafts = [await draft('Destroyed'), await draft('Thrown away')];
    await addBatch(two.from, await addLease(two.from.desk), people(2));
    const { folder } = await two.write();
    await two.done('takeout.import', folder);
    const { api } = two.to.desk;
    for (const id of drafts) {
      const { revision } = await api['drafts.show']({ id });
      const content = { api: 'v1' as const, body: bodyV1('Changed') };
      await api['drafts.save']({ id, revision, content, connectionId: null });
    }
    const [[template], [batch]] = [await api['templates.list']({}), await api['batches.list']({})];
    if (template === undefined || batch === undefined) throw new Error('nothing was imported');
    const { content, ...rest } = await api['templates.get']({ id: template.id });
    const body = { ...content.body, title: 'Changed' } as typeof content.body;
    const { id, revision, name } = rest;
    await api['templates.save']({
      id,
      revision,
      name,
      content: { ...content, body } as typeof content,
    });
    await api['batches.edit']({ id: batch.id, edits: [{ row: 2, column: 0, text: 'Changed' }] });

    const { counts } = (await two.done('takeout.import', folder)).look;
    expect([counts.drafts.beside, counts.templates.beside, counts.batches.beside]).toEqual([
      2, 1, 1,
    ]);
    for (const one of await api['drafts.list']({})) {
      if (drafts.includes(one.id)) continue;
      await api['drafts.delete']({ id: one.id });
      if (one.title === 'Destroyed') await api['drafts.destroy']({ id: one.id });
    }
    for (const one of await api['templates.list']({})) {
      if (one.id !== template.id) await api['templates.remove']({ id: one.id });
    }
    for (const one of await api['batches.list']({})) {
      if (one.id !== batch.id) await api['batches.remove']({ id: one.id });
    }
    for (const call of ['takeout.look', 'takeout.import'] as const) {
      const { look } = await two.done(call, folder);
      expect(look.counts).toMatchObject({
        drafts: { added: 0, beside: 0, passed: 2, removed: 1 },
        templates: { added: 0, beside: 0, passed: 1 },
        batches: { added: 0, beside: 0, passed: 1, removed: 1 },
      });
    }
    expect(await titles()).toEqual(['Changed', 'Changed']);
  });

  it('restores no second address book entry that was removed or changed since (DL-U11)', async () => {
    const entry = (email: string) => entryOf({ firstName: 'Eva', lastName: 'Ek', email });
    const { id } = await two.from.desk.api['people.save']({
      id: null,
      entry: entry('a@e.example'),
    });
    const { folder } = await two.write();
    // The importing computer has an older entry.
    const kept = two.from.world.stores.people.get(id);
    const person = { ...kept.person, email: 'b@e.example' };
    two.to.world.stores.people.put({ ...kept, person, changedAt: kept.changedAt - 1 });
    const { api } = two.to.desk;
    expect((await two.done('takeout.import', folder)).look.counts.people.beside).toBe(1);
    const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
    const { items } = await api['people.window']({ ...view, from: 0, limit: 9 });
    const beside = items.find((one) => one.id !== id);
    if (beside === undefined) throw new Error('nobody was put beside it');
    const changed = { id: beside.id, entry: entry('c@e.example') };
    await api['people.save'](changed);
    expect((await two.done('takeout.import', folder)).look.counts.people).toMatchObject({
      beside: 0,
      same: 1,
    });
    await api['people.remove']({ id: beside.id });
    expect((await two.done('takeout.import', folder)).look.counts.people).toMatchObject({
      beside: 0,
      removed: 1,
    });
  });
});
