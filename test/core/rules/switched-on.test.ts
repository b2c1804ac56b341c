import { expect, it } from 'vitest';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { ruleOf } from '../../support/desks/reminding.ts';
import { createWorld, startMemoryDesk } from '../../support/fakes/memory-desk.ts';

const failure: Failure = { code: 'storage', message: 'The disk is full' };
const terms = { api: 'v1', connectionId: null, templateId: null, needsData: false } as const;

/** The program with a rule of each kind that failed three times in a row. */
async function withPausedRules() {
  const world = createWorld();
  const { api } = startMemoryDesk(world);
  const { archive, intake, reminders } = world.stores;
  const last = { at: world.clock.now(), failed: 1, failure };
  const kept = await api['archive.saveRule']({
    name: 'Nightly',
    folder: '/archive',
    filter: {},
    beside: [],
    when: { kind: 'completion' },
  });
  archive.rules.noteRun(kept.id, { ...last, saved: 0, inRow: 3 });
  const watched = await api['intake.saveRule']({
    ...terms,
    name: 'Scans',
    isOn: true,
    folder: '/scans',
  });
  const counts = { drafts: 0, sheets: 0, again: 0, refused: 1, replaced: 0, waiting: 0 };
  intake.rules.noteRun(watched.id, { ...counts, at: last.at, failure, inRow: 3 });
  const reminding = await api['reminders.saveRule'](ruleOf());
  reminders.rules.noteRun(reminding.id, { ...last, reminded: 0, unknown: 0 }, 3);
  return {
    world,
    lists: async () => [
      ...(await api['archive.rules']({})),
      ...(await api['intake.rules']({})),
      ...(await api['reminders.rules']({})),
    ],
    switchOn: async () => {
      await api['archive.switchRule']({ id: kept.id, isOn: true });
      await api['intake.switchRule']({ id: watched.id, isOn: true });
      await api['reminders.switchRule']({ id: reminding.id, isOn: true });
    },
  };
}

it('a paused rule of any kind shows no failure after it is turned on, and may run immediately', async () => {
  const { lists, switchOn } = await withPausedRules();
  expect((await lists()).map(({ isPaused }) => isPaused)).toEqual([true, true, true]);
  await switchOn();
  expect((await lists()).map(({ isPaused, last }) => [isPaused, last?.failure])).toEqual([
    [false, null],
    [false, null],
    [false, null],
  ]);
});

it('a rule stays paused when turning it on fails halfway, so that no party is reminded twice', async () => {
  const { world, lists, switchOn } = await withPausedRules();
  world.stores.reminders.rules.restart = () => {
    throw new AppError('storage', 'The disk is full');
  };
  await expect(switchOn()).rejects.toThrow('The disk is full');
  expect((await lists()).at(-1)).toMatchObject({ isPaused: true, last: { failure } });
});
