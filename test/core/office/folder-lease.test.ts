import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { sha256 } from '../../../electron/adapters/sqlite/database/sha256.ts';
import { createEncoding } from '../../../electron/adapters/system/encoding.ts';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { OfficeFolders } from '../../../electron/core/office/folders.ts';
import type { OfficeTasks } from '../../../electron/core/office/tasks.ts';
import { createWorld } from '../../support/fakes/memory-desk.ts';
import { createMemoryOffice, join } from './memory-office.ts';

it('a computer of an office stops writing to a folder as soon as another computer works there', async () => {
  const world = { ...createWorld(), offices: createMemoryOffice().offices };
  await join(world);
  const stop = new AbortController();
  const task = {
    lease: { task: new Uint8Array(32), number: 1 },
    takenAt: world.clock.now(),
    signal: stop.signal,
    end: async () => undefined,
  };
  const tasks: Pick<OfficeTasks, 'take'> = { take: async () => task };
  const statFile = async (file: string) =>
    world.files.texts.has(file) ? { bytes: 1, changedAt: 0 } : null;
  const folders = new OfficeFolders({
    ...world,
    files: { ...world.files, statFile },
    chance: { ...world.chance, uuid: randomUUID },
    sha256,
    encoding: createEncoding(),
    toFailure: createToFailure(world.log),
    tasks: tasks as OfficeTasks,
  });
  const order = { folder: '/leases', title: 'Leases', what: null, dueFor: null } as const;
  const entered = await folders.enter({ kind: 'archive', ...order });
  if (!entered.isOurs || entered.turn === null) throw new Error('It is not ours');
  const { turn } = entered;
  await turn.require();
  stop.abort();
  await expect(turn.require()).rejects.toMatchObject({ failure: { reason: 'lease-lost' } });
});
