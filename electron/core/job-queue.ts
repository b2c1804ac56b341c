import { SyncResult } from '../../shared/contract/agreements.ts';
import { ArchiveResult } from '../../shared/contract/archive.ts';
import { JobId } from '../../shared/contract/ids.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { Job, type JobKind } from '../../shared/contract/jobs.ts';
import { SignResult } from '../../shared/contract/signing.ts';
import { AppError, type Failure } from '../../shared/errors.ts';
import type { ToFailure } from '../../shared/wire.ts';
import type { Chance, Clock } from './ports.ts';

const results = {
  'sync-agreements': SyncResult,
  'sign-agreements': SignResult,
  'archive-agreements': ArchiveResult,
} as const satisfies Record<JobKind, { parse(value: unknown): unknown }>;

type ResultOf<Kind extends JobKind> = ReturnType<(typeof results)[Kind]['parse']>;

/** Enough to look back on a working day; each holds counts and failures only. */
const KEPT = 20;
/** A person sees ten steps a second as smooth; more would only fill the channel. */
const EVENT_GAP = 100;

/** What a job may say on its way; what is left out stays as it was. */
export type Progress = Partial<Pick<Job, 'done' | 'total' | 'failed' | 'bytes'>>;

/** How a job ends: with what it did, even when a failure stopped it. */
export interface JobOutcome<Result> {
  readonly result: Result;
  readonly failure: Failure | null;
}

export type RunJob<Kind extends JobKind> = (
  signal: AbortSignal,
  report: (progress: Progress) => void,
) => Promise<JobOutcome<ResultOf<Kind>>>;

export interface JobQueue {
  start<Kind extends JobKind>(kind: Kind, run: RunJob<Kind>): JobId;
  /** Stops every job and waits until each has written what it knows. */
  stop(): Promise<void>;
  readonly handlers: HandlersOf<'jobs'>;
}

interface Entry {
  job: Job;
  readonly control: AbortController;
  ended: Promise<void>;
}

/** Work longer than a call, held in memory: a job ends with its process, what it did does not. */
export function createJobQueue(ports: {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}): JobQueue {
  const { clock, emit } = ports;
  const entries = new Map<JobId, Entry>();

  const find = (id: JobId): Entry => {
    const entry = entries.get(id);
    if (entry === undefined) throw new AppError('not-found', 'There is no such job');
    return entry;
  };
  const forgetOld = () => {
    const ended = [...entries.values()].filter(({ job }) => job.state !== 'running');
    for (const { job } of ended.slice(0, -KEPT)) entries.delete(job.id);
  };
  const end = (entry: Entry, change: Pick<Job, 'state' | 'failure' | 'result'>) => {
    entry.job = { ...entry.job, ...change, endedAt: clock.now() };
    forgetOld();
    emit('jobs.changed', { jobId: entry.job.id });
  };

  const work = async <Kind extends JobKind>(entry: Entry, run: RunJob<Kind>): Promise<void> => {
    const { signal } = entry.control;
    try {
      const { result, failure } = await run(signal, createReport(entry, ports));
      const parsed = results[entry.job.kind].parse(result);
      // Keys that hold undefined do not exist in JSON.
      const plain = Job.shape.result.parse(JSON.parse(JSON.stringify(parsed)));
      const state = signal.aborted ? 'cancelled' : failure === null ? 'done' : 'failed';
      end(entry, { state, failure, result: plain });
    } catch (error) {
      const failure = ports.toFailure(error, entry.job.kind);
      const state = signal.aborted ? 'cancelled' : 'failed';
      end(entry, { state, failure: signal.aborted ? null : failure, result: null });
    }
  };

  return {
    start(kind, run) {
      const job = newJob(JobId.parse(ports.chance.uuid()), kind, clock.now());
      const entry: Entry = { job, control: new AbortController(), ended: Promise.resolve() };
      entries.set(job.id, entry);
      emit('jobs.changed', { jobId: job.id });
      entry.ended = work(entry, run);
      return job.id;
    },
    async stop() {
      for (const { control } of entries.values()) control.abort();
      await Promise.all([...entries.values()].map(({ ended }) => ended));
    },
    handlers: {
      'jobs.list': async () => [...entries.values()].map(({ job }) => job).reverse(),
      'jobs.show': async ({ jobId }) => find(jobId).job,
      'jobs.cancel': async ({ jobId }) => {
        find(jobId).control.abort();
        return {};
      },
    },
  };
}

function createReport(entry: Entry, { clock, emit }: { clock: Clock; emit: Emit }) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (progress: Progress) => {
    entry.job = { ...entry.job, ...progress };
    if (clock.now() - toldAt < EVENT_GAP) return;
    toldAt = clock.now();
    emit('jobs.changed', { jobId: entry.job.id });
  };
}

function newJob(id: JobId, kind: JobKind, startedAt: number): Job {
  return {
    id,
    kind,
    state: 'running',
    done: 0,
    total: null,
    failed: 0,
    bytes: 0,
    startedAt,
    endedAt: null,
    failure: null,
    result: null,
  };
}
