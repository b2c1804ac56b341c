import { beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../shared/rules/time/units.ts';
import {
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../support/fakes/memory-desk.ts';
import { entryOf } from '../support/person-entry.ts';

let world: World;
let desk: MemoryDesk;

beforeEach(() => {
  world = createWorld();
  desk = startMemoryDesk(world);
});

const keep = (key: string, content: string | null) => desk.api['forms.keep']({ key, content });
const list = () => desk.api['forms.list']({});

describe('an unsaved form', () => {
  it('is kept as it was last typed until it is saved or cancelled', async () => {
    await keep('person:new', '{"firstName":"Å"}');
    await keep('person:new', '{"firstName":"Åsa"}');
    await keep('template:one', '{}');
    expect(await list()).toEqual([
      { key: 'person:new', content: '{"firstName":"Åsa"}' },
      { key: 'template:one', content: '{}' },
    ]);
    await keep('person:new', null);
    expect(await list()).toEqual([{ key: 'template:one', content: '{}' }]);
  });

  it('is removed after 30 days without a change', async () => {
    await keep('person:new', '{"firstName":"Åsa"}');
    world.clock.leap(30 * DAY);
    expect(await list()).toHaveLength(1);
    world.clock.leap(1);
    expect(await list()).toEqual([]);
  });

  it('is removed with the person whose data it contains, and the others stay', async () => {
    const { api } = desk;
    const numbered = { personNumber: '19850709-9805', country: 'SE' };
    const { id } = await api['people.save']({ id: null, entry: entryOf(numbered) });
    const { email, lastName } = entryOf({});
    await keep(`person:${id}`, '{"mobile":"070"}');
    await keep('person:new', JSON.stringify({ firstName: 'Bo', lastName: 'Ek' }));
    await keep('template:lease', JSON.stringify({ parties: { a: { email, lastName } } }));
    await keep('template:name', '{"questions":{"who":"åsa ÖBERG"}}');
    await keep('template:number', '{"questions":{"number":"19850709–9805"}}');
    await keep('archive-rule:new', JSON.stringify({ name: JSON.stringify('For Åsa Öberg') }));
    await api['people.forget']({ id, drafts: [], copies: false });
    expect((await list()).map(({ key }) => key)).toEqual(['person:new']);
  });
});
