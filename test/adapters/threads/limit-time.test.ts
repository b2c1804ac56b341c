import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitTime } from '../../../electron/adapters/threads/limit-time.ts';
import { MINUTE } from '../../../shared/rules/time/units.ts';

/** Processor time (ms) used by the thread so far. */
let used = 0;
let isEnded = false;
const over = vi.fn();

const thread = {
  cpuUsage: async () => {
    if (isEnded) throw new Error('The thread has ended');
    return { user: used * 600, system: used * 400 };
  },
};

beforeEach(() => {
  vi.useFakeTimers();
  [used, isEnded] = [7_000, false];
  over.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the time limit of a thread', () => {
  it('counts its processor time since the start, not clock time', async () => {
    const end = limitTime(thread, 1_000, over);
    used += 1_000;
    await vi.advanceTimersByTimeAsync(19_000);
    expect(over).not.toHaveBeenCalled();
    used += 1;
    await vi.advanceTimersByTimeAsync(200);
    expect(over).toHaveBeenCalledOnce();
    end();
  });

  it('is twenty times as long in clock time for a thread that uses no processor time', async () => {
    const end = limitTime(thread, 1_000, over);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(over).toHaveBeenCalledOnce();
    end();
  });

  it('is no longer checked after the call or the thread has ended', async () => {
    limitTime(thread, 1_000, over)();
    used += 5_000;
    await vi.advanceTimersByTimeAsync(MINUTE);
    const end = limitTime(thread, 1_000, over);
    isEnded = true;
    await vi.advanceTimersByTimeAsync(1_000);
    end();
    expect(over).not.toHaveBeenCalled();
  });
});

describe('a real thread', () => {
  /** Code of a thread that answers its first message, and works endlessly after the second. */
  const source = `const { parentPort } = require('node:worker_threads');
    parentPort.once('message', () => {
      parentPort.once('message', () => { for (;;); });
      parentPort.postMessage('ready');
    });`;

  it.each(['new', 'used'])(
    'that is %s and works endlessly exceeds its time limit',
    async (which) => {
      vi.useRealTimers();
      const worker = new Worker(source, { eval: true });
      worker.postMessage('first');
      if (which === 'used') await once(worker, 'message');
      const ended = new Promise<void>((resolve) => {
        const end = limitTime(worker, 300, () => {
          end();
          resolve();
        });
      });
      worker.postMessage('second');
      await ended;
      const { user, system } = await worker.cpuUsage();
      expect(user + system).toBeGreaterThan(300_000);
      // A limit by clock time would be twenty times as long.
      expect(user + system).toBeLessThan(5_000_000);
      await worker.terminate();
    },
  );
});
