import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { handOver } from '../../../electron/adapters/threads/hand-over.ts';
import { OneCallThreads, type ThreadErrors } from '../../../electron/adapters/threads/once.ts';
import type { Sample } from './sample-worker.ts';

const file = new URL('./sample-worker.ts', import.meta.url);

/** Rejections whose message is the reason, and which keep the cause. */
const refusals: ThreadErrors = {
  stopped: (cause) => new Error('stopped', { cause }),
  time: (cause) => new Error('time', { cause }),
  memory: (cause) => new Error('memory', { cause }),
  failed: (cause) => new Error('failed', { cause }),
};
const threads = (limits: object = {}): OneCallThreads<Sample> =>
  new OneCallThreads<Sample>({ file, work: 'Helping a test', refusals, ...limits });

describe('a thread for one call', () => {
  it('answers, and reports its progress', async () => {
    const progress: (readonly number[])[] = [];
    const onProgress = (...numbers: readonly number[]): void => void progress.push(numbers);
    expect(await threads().call('report', [], { onProgress })).toBe('done');
    expect(progress).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  it('transfers the memory of its data, in both directions', async () => {
    const bytes = new Uint8Array(1024);
    const filled = await threads().call('fill', [handOver(bytes, bytes.buffer)]);
    expect([bytes.length, filled.length, filled[1023]]).toEqual([0, 1024, 7]);
  });

  it('reports a rejection with its own text', async () => {
    await expect(threads().call('refuse', [])).rejects.toMatchObject({
      failure: { reason: 'too-large', message: 'Not this way' },
    });
  });

  it.each([
    ['an unexpected error', 'fail', {}, 'failed'],
    ['its own exit', 'end', {}, 'failed'],
    ['too much processor time', 'spin', { milliseconds: 300 }, 'time'],
    ['too large a heap', 'grow', { heapMegabytes: 32 }, 'memory'],
  ] as const)('is rejected with the right reason after %s', async (_, name, limits, why) => {
    await expect(threads(limits).call(name, [])).rejects.toThrow(why);
  });

  it('ends when the memory of the program grows by more than the call may use', async () => {
    await expect(threads({ megabytes: 100 }).call('hold', [400])).rejects.toThrow('memory');
  });

  it('ends when the caller cancels', async () => {
    const ending = new AbortController();
    const call = threads().call('spin', [], { signal: ending.signal });
    ending.abort();
    await expect(call).rejects.toThrow('stopped');
  });

  it('does not start for a cancelled caller', async () => {
    const nowhere = new OneCallThreads<Sample>({
      file: new URL('./nothing.ts', import.meta.url),
      work: 'Helping a test',
      refusals,
    });
    const call = nowhere.call('double', [1], { signal: AbortSignal.abort() });
    await expect(call).rejects.toThrow('stopped');
  });

  it('is rejected when its file cannot be loaded', async () => {
    const nowhere = new OneCallThreads<Sample>({
      file: new URL('./nothing.ts', import.meta.url),
      work: 'Helping a test',
      refusals,
    });
    await expect(nowhere.call('double', [1])).rejects.toThrow('failed');
  });

  it('is stopped together with all other threads of its kind', async () => {
    const all = threads();
    const calls = [all.call('spin', []), all.call('later', [60_000])];
    const refused = Promise.all(calls.map((call) => expect(call).rejects.toThrow('stopped')));
    await all.close();
    await refused;
  });

  // Stopping the thread sooner aborts the whole process: the addon needs a complete environment.
  it('is stopped only after SQLite is loaded in it', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'task-'));
    const reached = path.join(folder, 'reached');
    try {
      const slow = new OneCallThreads<{ nothing(): void }>({
        file: new URL('../sqlite/children/slow-task.ts', import.meta.url),
        workerData: reached,
        work: 'Waiting',
        refusals,
      });
      const task = slow.call('nothing', [], { signal: AbortSignal.timeout(50) });
      await expect(task).rejects.toThrow('stopped');
      expect(existsSync(reached)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
