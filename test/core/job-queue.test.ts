import { beforeEach, describe, expect, it } from 'vitest';
import { createToFailure } from '../../electron/core/app-error.ts';
import { JobQueue } from '../../electron/core/job-queue.ts';
import type { JobId } from '../../shared/model/ids.ts';
import { AppError } from '../../shared/errors.ts';
import {
  createCountingChance,
  createHandClock,
  createMemoryLog,
} from '../support/fakes/memory-ports.ts';

const NOTHING = { result: { connections: [] }, failure: null };

let clock = createHandClock();
let log = createMemoryLog();
let emitted: JobId[] = [];
let jobs: JobQueue;

beforeEach(() => {
  clock = createHandClock();
  log = createMemoryLog();
  emitted = [];
  jobs = new JobQueue({
    clock,
    chance: createCountingChance(),
    toFailure: createToFailure(log),
    emit: (_name, data) => {
      if ('jobId' in data) emitted.push(data.jobId);
    },
  });
});

const show = (jobId: JobId) => jobs.handlers['jobs.show']({ jobId });

describe('a job', () => {
  it('ends with its result, in the form of its kind', async () => {
    const id = jobs.start('sync-agreements', async () => NOTHING);
    expect(await show(id)).toMatchObject({ state: 'running', endedAt: null });
    await jobs.stop();
    expect(await show(id)).toMatchObject({ result: { connections: [] }, failure: null });
  });

  it('that fails reports the reason, and for an unexpected error only a reference', async () => {
    const known = jobs.start('sync-agreements', () =>
      Promise.reject(new AppError('offline', 'No network')),
    );
    const unknown = jobs.start('sync-agreements', () => Promise.reject(new Error('secret detail')));
    await expect.poll(async () => (await show(unknown)).state).toBe('failed');
    expect((await show(known)).failure).toMatchObject({ code: 'offline' });
    const { failure } = await show(unknown);
    expect(failure).toMatchObject({ code: 'unexpected', ref: 'ref-1' });
    expect(JSON.stringify(failure)).not.toContain('secret detail');
  });

  it('that is cancelled ends with the status cancelled and its result so far', async () => {
    const id = jobs.start('sync-agreements', async (signal) => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return NOTHING;
    });
    await jobs.handlers['jobs.cancel']({ jobId: id });
    await jobs.stop();
    expect(await show(id)).toMatchObject({ state: 'cancelled', failure: null, result: {} });
  });

  it('reports its steps at most ten times a second, and always reports its end', async () => {
    let report: (progress: { done: number }) => void = () => {};
    let finish = () => {};
    const ended = new Promise<void>((resolve) => (finish = resolve));
    const id = jobs.start('sync-agreements', async (_signal, onProgress) => {
      report = onProgress;
      await ended;
      return NOTHING;
    });
    for (let done = 1; done <= 1000; done += 1) {
      clock.advance(1);
      report({ done });
    }
    expect(emitted).toHaveLength(1 + 10);
    expect((await show(id)).done).toBe(1000);
    finish();
    await jobs.stop();
    expect(emitted).toHaveLength(1 + 10 + 1);
  });
});

it('the last twenty jobs that ended are kept, the newest first', async () => {
  const ids = Array.from({ length: 25 }, () => jobs.start('sync-agreements', async () => NOTHING));
  await jobs.stop();
  const kept = await jobs.handlers['jobs.list']({});
  expect(kept.map(({ id }) => id)).toEqual(ids.slice(-20).toReversed());
  const [oldest] = ids;
  if (oldest === undefined) throw new Error('no job was started');
  await expect(show(oldest)).rejects.toMatchObject({
    failure: { code: 'not-found' },
  });
});
