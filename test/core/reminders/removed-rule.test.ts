import { beforeEach, expect, it } from 'vitest';
import {
  addConnection,
  createWorld,
  type MemoryDesk,
  startMemoryDesk,
  type World,
} from '../../support/fakes/memory-desk.ts';
import { at, Remindables, remindDue, ruleOf } from '../../support/desks/reminding.ts';

let world: World;
let desk: MemoryDesk;
let office: Remindables;

beforeEach(async () => {
  world = createWorld();
  desk = startMemoryDesk(world);
  office = new Remindables(world, (await addConnection(desk)).id);
});

it('a reminder rule that is removed during a run affects neither the run nor other rules', async () => {
  office.plant('a', { sentAt: at('2026-11-16 12:00') });
  office.plant('b', { sentAt: at('2026-11-16 12:00'), tags: { kind: 'rent' } });
  office.goTo('2026-11-19 10:00');
  const rents = { ownOnly: false, tag: 'kind=rent' };
  const { id } = await desk.api['reminders.saveRule'](ruleOf({ name: 'Rents', filter: rents }));
  await desk.api['reminders.saveRule'](ruleOf());
  // The rule is removed while the first request is in flight; the other rule covers the second.
  world.actions.v1.commit = () => {
    world.actions.v1.commit = () => {};
    world.stores.reminders.rules.remove(id);
  };
  const { done } = await remindDue(desk);
  expect(done.map((one) => one.id)).toEqual(['a', 'b']);
  const rules = await desk.api['reminders.rules']({});
  expect(rules.map(({ rule, last }) => [rule.name, last?.reminded])).toEqual([['Usual', 1]]);
});
