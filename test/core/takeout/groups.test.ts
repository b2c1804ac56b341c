import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DraftBodyV1 } from '../../../shared/contract/drafts.ts';
import { type GroupId, PersonId } from '../../../shared/contract/people.ts';
import { ExportedPeople } from '../../../shared/contract/takeout.ts';
import { rewrite, TwoDesks } from '../../support/desks/two-desks.ts';
import { bodyV1 } from '../../support/fakes/memory-desk.ts';
import { entryOf } from '../../support/person-entry.ts';

let two: TwoDesks;

beforeEach(async () => {
  two = await TwoDesks.start();
});
afterEach(() => two[Symbol.dispose]());

describe('groups of a data export', () => {
  /** A group saved from a draft: a tenant who signs with an eID after our own company. */
  async function keepGroup(): Promise<GroupId> {
    const { parties } = DraftBodyV1.parse({
      ...bodyV1('Lease'),
      parties: [
        { type: 'MY_COMPANY', signingConfigurations: [{ type: 'CLICK' }] },
        {
          type: 'PRIVATE',
          firstName: 'Åsa',
          lastName: 'Öberg',
          email: 'asa@example.com',
          country: 'SE',
          signingConfigurations: [{ type: 'EID', country: 'SE' }],
        },
      ],
    });
    const content = { api: 'v1' as const, parties };
    return (await two.from.desk.api['people.saveGroup']({ name: 'Lease', content })).id;
  }

  it('are imported with the choices for each member, including the user’s own company', async () => {
    const id = await keepGroup();
    await two.done('takeout.import', (await two.write()).folder);
    const taken = await two.to.desk.api['people.takeGroup']({ id, api: 'v1' });
    expect(taken).toEqual(await two.from.desk.api['people.takeGroup']({ id, api: 'v1' }));
    expect(taken.content.parties).toHaveLength(2);
    expect(taken.people).toEqual([]);
  });

  it('use the existing entry for a member who is already in the address book', async () => {
    const id = await keepGroup();
    const entry = entryOf({ firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' });
    const here = await two.to.desk.api['people.save']({
      id: null,
      entry: { ...entry, country: 'SE' },
    });
    const { look } = await two.done('takeout.import', (await two.write()).folder);
    expect(look.counts.people).toEqual({ added: 0, beside: 0, same: 1, passed: 0, removed: 0 });
    const members = two.to.world.stores.people.members(id);
    expect(members.map((one) => one.id)).toEqual([null, here.id]);
  });

  it('of version 1 are imported with their people', async () => {
    const id = await keepGroup();
    const { folder: exported } = await two.write();
    rewrite(exported, 'people.json', (text) => {
      const book = ExportedPeople.parse(JSON.parse(text));
      const groups = book.groups.map((group) => ({
        ...group,
        members: group.members.flatMap(({ person }) => person ?? []),
      }));
      return JSON.stringify({ ...book, groups });
    });
    const manifest = path.join(exported, 'manifest.json');
    const list: object = JSON.parse(readFileSync(manifest, 'utf8'));
    writeFileSync(manifest, JSON.stringify({ ...list, version: 1 }));
    await two.done('takeout.import', exported);
    const members = two.to.world.stores.people.members(id);
    expect(members.map(({ person, choices }) => [person?.firstName, choices])).toEqual([
      ['Åsa', null],
    ]);
  });

  it('skip a member who is missing from the export', async () => {
    const id = await keepGroup();
    const { folder: exported } = await two.write();
    rewrite(exported, 'people.json', (text) => {
      const book: { readonly groups: readonly object[] } = JSON.parse(text);
      const members = [{ person: PersonId.parse(randomUUID()), choices: null }];
      const groups = book.groups.map((group) => ({ ...group, members }));
      return JSON.stringify({ ...book, groups });
    });
    await two.done('takeout.import', exported);
    expect(two.to.world.stores.people.members(id)).toEqual([]);
  });
});
