import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { type PersonEntry, PersonId } from '../../../shared/contract/people.ts';
import {
  addConnection,
  addDraftV1,
  bodyV1,
  type MemoryDesk,
  startMemoryDesk,
} from '../../support/fakes/memory-desk.ts';
import { entryOf, nobody } from '../../support/person-entry.ts';

let desk: MemoryDesk;

beforeEach(() => {
  desk = startMemoryDesk();
});

async function add(entry: Partial<PersonEntry>): Promise<PersonId> {
  return (await desk.api['people.save']({ id: null, entry: entryOf(entry) })).id;
}

const show = (id: PersonId) => desk.api['people.show']({ id });
const all = async () => {
  const view = { text: '', group: null, sort: 'name', direction: 'ascending' } as const;
  return (await desk.api['people.window']({ ...view, from: 0, limit: 100 })).items;
};
const titles = async () => (await all()).map(({ title }) => title);

describe('an address book entry', () => {
  it('is stored in the service’s format, and never shows a personal number', async () => {
    const id = await add({ mobile: '070-123 45 67', personNumber: '850709-9805', country: 'se' });
    expect(JSON.stringify(await show(id))).not.toContain('9805');
    expect(await desk.api['people.take']({ id })).toEqual({
      kind: 'person',
      firstName: 'Åsa',
      lastName: 'Öberg',
      email: 'asa@example.com',
      mobile: '+46701234567',
      country: 'SE',
      personNumber: '198507099805',
    });
  });

  it('that is invalid is rejected, and each invalid field is named', async () => {
    const entry = entryOf({ email: 'asa at home', mobile: '12', country: 'Sweden' });
    await expect(desk.api['people.save']({ id: null, entry })).rejects.toMatchObject({
      failure: {
        code: 'invalid',
        message: 'Some details are not valid yet',
        fields: { email: /./, mobile: /./, country: /./ },
      },
    });
    await expect(desk.api['people.save']({ id: null, entry: nobody })).rejects.toMatchObject({
      failure: { code: 'invalid', fields: { firstName: /./ } },
    });
    expect(await all()).toEqual([]);
  });

  it('keeps its personal number if a change has none, and loses it if the change removes it', async () => {
    const id = await add({ personNumber: '19850709-9805' });
    await desk.api['people.save']({ id, entry: entryOf({ lastName: 'Lind' }) });
    expect(await desk.api['people.take']({ id })).toMatchObject({
      lastName: 'Lind',
      personNumber: '198507099805',
    });
    await desk.api['people.save']({ id, entry: entryOf({ personNumber: '' }) });
    expect(await desk.api['people.take']({ id })).not.toHaveProperty('personNumber');
  });

  it('returns to its earlier state if an addition, change or removal is undone', async () => {
    const added = await desk.api['people.save']({ id: null, entry: entryOf({}) });
    const { id } = added;
    const { change: edited } = await desk.api['people.save']({
      id,
      entry: entryOf({ lastName: 'Lind' }),
    });
    await desk.api['people.undo']({ change: edited });
    expect(await titles()).toEqual(['Åsa Öberg']);
    const group = await desk.api['people.saveGroup']({ name: 'Board', content: null });
    await desk.api['people.setMember']({ id, group: group.id, isIn: true });
    const { change: removed } = await desk.api['people.remove']({ id });
    expect(await titles()).toEqual([]);
    await desk.api['people.undo']({ change: removed });
    expect((await show(id)).groups).toEqual([group.id]);
  });

  it('is not affected by the undo of an older change if it was changed later', async () => {
    const { id, change } = await desk.api['people.save']({ id: null, entry: entryOf({}) });
    desk.clock.advance(1);
    await desk.api['people.save']({ id, entry: entryOf({ lastName: 'Lind' }) });
    await expect(desk.api['people.undo']({ change })).rejects.toMatchObject({
      failure: { code: 'conflict', reason: 'change-gone' },
    });
    expect(await titles()).toEqual(['Åsa Lind']);
  });
});

describe('a recipient of an agreement', () => {
  it('is updated in the address book, and keeps facts that the draft does not contain', async () => {
    const id = await add({ personNumber: '19850709-9805', mobile: '0701234567' });
    const { id: connectionId } = await addConnection(desk);
    const draft = await addDraftV1(desk);
    await desk.api['drafts.send']({ id: draft.id, connectionId, holdSeconds: 30, confirm: 1 });
    expect(await all()).toMatchObject([{ id, usedAt: desk.clock.now() }]);
    expect(await desk.api['people.take']({ id })).toMatchObject({
      personNumber: '198507099805',
      mobile: '+46701234567',
    });
  });

  it('is marked as contacted, with the time of the last contact', async () => {
    const { id: connectionId } = await addConnection(desk);
    for (const title of ['Lease', 'Parking']) {
      desk.clock.advance(60_000);
      const { id } = await addDraftV1(desk, title);
      await desk.api['drafts.send']({ id, connectionId, holdSeconds: 30, confirm: 1 });
    }
    expect(await all()).toMatchObject([{ title: 'Åsa Öberg', usedAt: desk.clock.now() }]);
  });

  it('gets a separate entry if another person has the same address', async () => {
    const id = await add({ firstName: 'Bo', lastName: 'Ek' });
    const { id: connectionId } = await addConnection(desk);
    const draft = await addDraftV1(desk);
    await desk.api['drafts.send']({ id: draft.id, connectionId, holdSeconds: 30, confirm: 1 });
    expect(await titles()).toEqual(['Bo Ek', 'Åsa Öberg']);
    expect(await show(id)).toMatchObject({ title: 'Bo Ek', usedAt: null });
  });
});

describe('entries that may be duplicates', () => {
  it('are suggested, merged as the user chooses, and separated by undo', async () => {
    const keep = await add({ mobile: '0701234567' });
    const other = await add({ firstName: 'Asa', personNumber: '19850709-9805', mobile: '' });
    const group = await desk.api['people.saveGroup']({ name: 'Board', content: null });
    await desk.api['people.setMember']({ id: other, group: group.id, isIn: true });
    const { pairs } = await desk.api['people.doubles']({});
    expect(pairs).toMatchObject([{ reasons: ['email', 'name'] }]);
    const { change } = await desk.api['people.merge']({ keep, other });
    expect(await desk.api['people.take']({ id: keep })).toMatchObject({
      firstName: 'Åsa',
      mobile: '+46701234567',
      personNumber: '198507099805',
    });
    expect((await show(keep)).groups).toEqual([group.id]);
    expect(await desk.api['people.doubles']({})).toEqual({ pairs: [] });
    await desk.api['people.undo']({ change });
    expect(await titles()).toEqual(['Asa Öberg', 'Åsa Öberg']);
    expect([(await show(keep)).groups, (await show(other)).groups]).toEqual([[], [group.id]]);
  });

  it('can only be merged if they are two different entries', async () => {
    const id = await add({});
    await expect(desk.api['people.merge']({ keep: id, other: id })).rejects.toMatchObject({
      failure: { code: 'invalid' },
    });
    expect(await titles()).toEqual(['Åsa Öberg']);
  });

  it('are not suggested if their personal numbers differ, despite other matches', async () => {
    await add({ personNumber: '19850709-9805' });
    await add({ personNumber: '19900101-9802' });
    expect(await titles()).toHaveLength(2);
    expect(await desk.api['people.doubles']({})).toEqual({ pairs: [] });
  });

  it('are not suggested again after the user marked them as different', async () => {
    const [first, second] = [await add({}), await add({ firstName: 'Asa' })];
    await desk.api['people.keepApart']({ first, second });
    expect(await desk.api['people.doubles']({})).toEqual({ pairs: [] });
  });

  it('leave a group saved from a draft unchanged if they are merged', async () => {
    const { parties } = bodyV1('Lease');
    const group = await desk.api['people.saveGroup']({
      name: 'Tenants',
      content: { api: 'v1', parties },
    });
    const [known] = await all();
    const other = await add({ firstName: 'Asa', mobile: '0701234567' });
    if (known === undefined) throw new Error('nobody');
    await desk.api['people.merge']({ keep: other, other: known.id });
    const { content } = await desk.api['people.takeGroup']({ id: group.id, api: 'v1' });
    expect(content.parties).toMatchObject([
      { firstName: 'Asa', mobile: '+46701234567', signingConfigurations: [{ type: 'CLICK' }] },
    ]);
  });
});

describe('a group', () => {
  it('provides its people even if it has no settings for the API', async () => {
    const { parties } = bodyV1('Lease');
    const group = await desk.api['people.saveGroup']({
      name: 'Tenants',
      content: { api: 'v1', parties },
    });
    const taken = await desk.api['people.takeGroup']({ id: group.id, api: 'v2' });
    expect(taken).toMatchObject({
      content: { api: 'v2', parties: { privates: [], companies: [] } },
      people: [{ firstName: 'Åsa', email: 'asa@example.com' }],
    });
  });

  it('has a unique name, which can be changed', async () => {
    const board = await desk.api['people.saveGroup']({ name: 'Board', content: null });
    const again = { name: 'board', content: null };
    const taken = { failure: { code: 'invalid', reason: 'name-taken' } };
    await expect(desk.api['people.saveGroup'](again)).rejects.toMatchObject(taken);
    const nobodyHere = { id: PersonId.parse(randomUUID()), group: board.id, isIn: true };
    await expect(desk.api['people.setMember'](nobodyHere)).rejects.toMatchObject({
      failure: { code: 'not-found' },
    });
    await desk.api['people.renameGroup']({ id: board.id, name: 'Owners' });
    await desk.api['people.removeGroup']({ id: board.id });
    expect(await desk.api['people.groups']({})).toEqual([]);
  });
});
