import { expect, it } from 'vitest';
import { createHostHandlers } from '../../electron/core/host.ts';
import type { HostSchedule } from '../../shared/contract/host.ts';
import { noHostFeatures } from '../support/fakes/no-host-features.ts';

/** Handlers of a host with this scheduled task, for data that a passphrase protects. */
function withPassphrase(task: Pick<HostSchedule, 'isOn' | 'obstacle'>, open = true) {
  const changes: boolean[] = [];
  const unused = (): never => {
    throw new Error('The scheduled task needs no files');
  };
  const handlers = createHostHandlers({
    description: unused,
    features: {
      ...noHostFeatures,
      readSchedule: async () => ({ isOn: task.isOn, obstacle: task.obstacle, command: 'install' }),
      setSchedule: async (isOn) => void changes.push(isOn),
    },
    files: { folderOf: unused, resolveLocal: unused, kindOf: unused },
    stores: () => null,
    onChosen: unused,
    doctor: unused,
    access: async () => ({ open, profile: 'own', store: 'passphrase' }),
  });
  return { handlers, changes };
}

const invalid = { failure: { code: 'invalid' } };

it('no scheduled task is created for data that a passphrase protects', async () => {
  const { handlers, changes } = withPassphrase({ isOn: false, obstacle: null });
  expect(await handlers['host.schedule']({})).toEqual({
    isOn: false,
    obstacle: 'passphrase',
    command: 'install',
  });
  await expect(handlers['host.setSchedule']({ isOn: true })).rejects.toMatchObject(invalid);
  expect(changes).toEqual([]);
});

it('a scheduled task from before the passphrase can be removed, but not while the data is locked', async () => {
  const task = { isOn: true, obstacle: null };
  const { handlers, changes } = withPassphrase(task);
  expect(await handlers['host.schedule']({})).toMatchObject(task);
  await handlers['host.setSchedule']({ isOn: false });
  expect(changes).toEqual([false]);
  const locked = withPassphrase(task, false);
  const refused = locked.handlers['host.setSchedule']({ isOn: false });
  await expect(refused).rejects.toMatchObject(invalid);
  expect(locked.changes).toEqual([]);
});
