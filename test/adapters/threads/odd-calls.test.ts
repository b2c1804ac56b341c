import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Thread, ThreadLostError } from '../../../electron/adapters/threads/connect.ts';

function begin(): Thread {
  const file = new URL('./odd-worker.ts', import.meta.url);
  const thread = new Thread({ file, workerData: {}, work: 'Being odd' });
  onTestFinished(() => thread.close());
  return thread;
}

it('an answer that cannot be sent fails only its own call (DL-W1)', async () => {
  const thread = begin();
  const other = thread.call('later', [200]);
  await expect(thread.call('unsendable', [])).rejects.toThrow('A thread failed');
  await expect(other).resolves.toBe('later');
  await expect(thread.call('double', [2])).resolves.toBe(4);
});

it('a function that throws any value, even null, fails its call (DL-W2)', async () => {
  await expect(begin().call('throwNothing', [])).rejects.toThrow('A thread failed');
});

it('methods that every object has cannot be called as functions of a thread (DL-W3)', async () => {
  const thread = begin();
  for (const name of ['valueOf', 'hasOwnProperty', 'constructor', '__proto__']) {
    await expect(thread.call(name, []), name).rejects.toThrow('A thread failed');
  }
  await expect(thread.call('double', [2])).resolves.toBe(4);
});

it('a call to a thread that is being stopped is neither done nor reported as done (DL-W4)', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-odd-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = path.join(folder, 'file');
  const thread = begin();
  const before = thread.call('later', [200]);
  const closing = thread.close();
  expect(thread.isReady).toBe(false);
  await expect(thread.call('write', [file])).rejects.toThrow(ThreadLostError);
  await expect(before).resolves.toBe('later');
  await closing;
  await wait(300);
  expect(existsSync(file)).toBe(false);
});
