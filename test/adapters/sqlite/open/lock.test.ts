import path from 'node:path';
import { expect, it } from 'vitest';
import { createWriterLock } from '../../../../electron/adapters/sqlite/open/lock.ts';
import { ended, nextMessage, startChild } from '../child.ts';
import { tempFolder } from '../temp-database.ts';

const lockFile = (folder: string) => path.join(folder, 'lock.db');

it('a process can take the lock of the data file again after releasing it', () => {
  using place = tempFolder();
  const lock = createWriterLock(lockFile(place.folder));
  expect([lock.take(), lock.take()]).toEqual([true, true]);
  lock.free();
});

it('a second holder in the same process is rejected until the first releases the lock', () => {
  using place = tempFolder();
  const first = createWriterLock(lockFile(place.folder));
  const second = createWriterLock(lockFile(place.folder));
  expect([first.take(), second.take()]).toEqual([true, false]);
  first.free();
  expect(second.take()).toBe(true);
  second.free();
});

it('another process holds the lock until it releases it (TX-46)', async () => {
  using place = tempFolder();
  const lock = createWriterLock(lockFile(place.folder));
  const child = startChild('hold-lock.ts', lockFile(place.folder));
  try {
    expect(await nextMessage(child)).toBe(true);
    expect(lock.take()).toBe(false);
    child.send('free');
    expect(await nextMessage(child)).toBe('freed');
    expect(lock.take()).toBe(true);
    lock.free();
  } finally {
    child.kill();
    await ended(child);
  }
});

it('the lock of a killed process is free immediately', async () => {
  using place = tempFolder();
  const lock = createWriterLock(lockFile(place.folder));
  const child = startChild('hold-lock.ts', lockFile(place.folder));
  expect(await nextMessage(child)).toBe(true);
  expect(lock.take()).toBe(false);
  child.kill('SIGKILL');
  expect(await ended(child)).toBe('SIGKILL');
  expect(lock.take()).toBe(true);
  lock.free();
});

it('only one of two processes started together gets the lock', async () => {
  using place = tempFolder();
  const children = [1, 2].map(() => startChild('hold-lock.ts', lockFile(place.folder)));
  const answers = await Promise.all(children.map(nextMessage));
  expect(answers.filter((held) => held === true)).toHaveLength(1);
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(children.map(ended));
});
