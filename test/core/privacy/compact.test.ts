import { beforeEach, describe, expect, it } from 'vitest';
import { createToFailure } from '../../../electron/core/app-error.ts';
import { JobQueue } from '../../../electron/core/job-queue.ts';
import { createPrivacyHandlers } from '../../../electron/core/privacy/handlers.ts';
import { DeferredCompaction } from '../../../electron/core/privacy/later.ts';
import type { DataSpace } from '../../../electron/core/privacy/ports.ts';
import { Retention } from '../../../electron/core/privacy/retention.ts';
import { createDirectCopies } from '../../../electron/adapters/sqlite/copies/direct.ts';
import { readDirectly } from '../../../electron/adapters/sqlite/reader/direct.ts';
import { systemScheduler } from '../../../electron/adapters/system/platform.ts';
import { Job } from '../../../shared/contract/jobs.ts';
import { JobId } from '../../../shared/model/ids.ts';
import {
  createCountingChance,
  createHandClock,
  createMemoryLog,
} from '../../support/fakes/memory-ports.ts';
import { createMemoryStores } from '../../support/fakes/memory-stores.ts';
import { noLogFiles } from '../../support/fakes/no-space.ts';

const MEGABYTE = 1_000_000;
const PLENTY = 1000 * MEGABYTE;

let did: string[];
let inSteps: boolean;

beforeEach(() => {
  did = [];
  inSteps = false;
});

/** A data file of ten megabytes, three of them free, that records its operations. */
const space: DataSpace = {
  measure: async () => ({
    fileBytes: (did.length === 0 ? 10 : 7) * MEGABYTE,
    freeBytes: 3 * MEGABYTE,
    inSteps,
    kinds: [],
  }),
  compactInSteps: async (onFreed) => {
    did.push('steps');
    onFreed(5, 10);
  },
  compactWhole: async () => void did.push('whole'),
};

function desk(free: number | null) {
  const clock = createHandClock();
  const log = createMemoryLog();
  const emit = () => {};
  const common = { clock, log, emit, logFiles: noLogFiles };
  const jobs = new JobQueue({
    ...common,
    chance: createCountingChance(),
    toFailure: createToFailure(log),
  });
  const later = new DeferredCompaction({ space, log });
  const stores = createMemoryStores();
  const retention = new Retention({
    ...common,
    stores,
    copies: createDirectCopies(stores, systemScheduler),
    lists: readDirectly(stores.agreements),
    scheduler: systemScheduler,
  });
  const handlers = createPrivacyHandlers({
    ...common,
    retention,
    space,
    later,
    jobs,
    holding: async (work) => {
      did.push('held');
      return work();
    },
    freeDisk: () => free,
  });
  const compact = async (): Promise<Job> => {
    const { jobId: text } = await handlers['privacy.compact']({});
    const jobId = JobId.parse(text);
    const shown = async () => Job.parse(await jobs.handlers['jobs.show']({ jobId }));
    let job = await shown();
    for (; job.state === 'running'; job = await shown()) await systemScheduler.yield();
    return job;
  };
  return { compact, later };
}

describe('compacting the data file', () => {
  it('runs in steps if the file allows that, and does not block other work', async () => {
    inSteps = true;
    const { compact, later } = desk(0);
    later.begin();
    expect((await compact()).result).toEqual({
      before: 10 * MEGABYTE,
      after: 7 * MEGABYTE,
      later: false,
    });
    await later.end();
    expect(did).toEqual(['steps']);
  });

  it('as a whole waits until the window closes, and then runs once', async () => {
    const { compact, later } = desk(PLENTY);
    later.begin();
    expect((await compact()).result).toMatchObject({ later: true });
    expect(did).toEqual([]);
    await later.end();
    await later.end();
    expect(did).toEqual(['whole']);
  });

  it('as a whole is done immediately by a command if no other process writes', async () => {
    const { compact, later } = desk(PLENTY);
    expect((await compact()).result).toMatchObject({ later: false });
    expect(did).toEqual(['held', 'whole']);
    await later.end();
    expect(did).toEqual(['held', 'whole']);
  });

  it('as a whole is rejected if the disk has too little free space', async () => {
    const { compact, later } = desk(7 * MEGABYTE);
    later.begin();
    expect((await compact()).failure).toMatchObject({ code: 'storage', reason: 'disk-full' });
    await later.end();
    expect(did).toEqual([]);
  });
});
