import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  answerBy,
  callsTo,
  type AsyncFunctions,
} from '../../../electron/adapters/threads/calls.ts';
import { Thread, ThreadLostError } from '../../../electron/adapters/threads/connect.ts';
import type { Sample } from './sample-worker.ts';

const names = {
  double: true,
  later: true,
  refuse: true,
  fail: true,
  end: true,
  environment: true,
  spin: true,
  grow: true,
  hold: true,
  report: true,
  fill: true,
} as const;

let ended: number;
let thread: Thread;
let calls: AsyncFunctions<Sample>;
beforeEach(() => {
  ended = 0;
  thread = new Thread({
    file: new URL('./sample-worker.ts', import.meta.url),
    workerData: null,
    work: 'Helping a test',
    onEnd: () => (ended += 1),
  });
  calls = callsTo<Sample>(names, (name, asked) => thread.call(name, asked));
});
afterEach(() => thread.close());

describe('a thread with several calls', () => {
  it('answers each call in any finishing order', async () => {
    const [slow, fast] = await Promise.all([calls.later(50), calls.double(21)]);
    expect([slow, fast]).toEqual(['after 50', 42]);
  });

  it('is ready once it serves, and not after its end', async () => {
    expect(thread.isReady).toBe(false);
    await vi.waitFor(() => expect(thread.isReady).toBe(true), { timeout: 20_000 });
    await thread.close();
    expect([thread.isReady, thread.hasServed, ended]).toEqual([false, true, 1]);
  });

  it('reports a rejection with its text, and logs the stack of any other error', async () => {
    await expect(calls.refuse()).rejects.toMatchObject({
      failure: { code: 'invalid', reason: 'too-large', message: 'Not this way' },
    });
    const failed = await calls.fail().catch((error: unknown) => error);
    expect(failed).toMatchObject({ message: 'A thread failed' });
    expect(failed).toMatchObject({ cause: expect.stringContaining('Nobody meant this') as string });
  });

  it('rejects unanswered calls when it ends, and every later call', async () => {
    const waiting = calls.later(60_000);
    const ending = calls.end();
    await expect(waiting).rejects.toBeInstanceOf(ThreadLostError);
    await expect(ending).rejects.toThrow('Helping a test: the thread was lost');
    await expect(calls.double(1)).rejects.toBeInstanceOf(ThreadLostError);
    expect(ended).toBe(1);
  });

  it('closes after answering earlier calls', async () => {
    const asked = [calls.later(80), calls.double(2)];
    await thread.close();
    expect(await Promise.all(asked)).toEqual(['after 80', 4]);
  });

  it('closes once, also when already ended', async () => {
    await calls.double(1);
    await thread.close();
    await thread.close();
    expect(ended).toBe(1);
  });

  it('receives neither arguments nor variables of the program', async () => {
    expect(await calls.environment()).toEqual({ variables: [], words: [] });
  });
});

it('without a thread, the same functions run on the event loop of the caller', async () => {
  const here = callsTo<Pick<Sample, 'double'>>(
    { double: true },
    answerBy({ double: (number: number) => number * 2 }),
  );
  expect(await here.double(4)).toBe(8);
});
