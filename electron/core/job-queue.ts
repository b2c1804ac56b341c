import { ActionsResult } from '../../shared/contract/actions.ts';
import { SavedCopies, SyncResult } from '../../shared/contract/agreements.ts';
import { ArchiveResult, ArchiveVerification, BagResult } from '../../shared/contract/archive.ts';
import { CreatedBackup, MovedDeskBackup } from '../../shared/contract/backup.ts';
import { ArmResult } from '../../shared/contract/batches.ts';
import { CorrectionsResult } from '../../shared/contract/corrections.ts';
import { CopiedAgreement } from '../../shared/contract/draft-history.ts';
import { IntakeResult } from '../../shared/contract/intake.ts';
import { JobId } from '../../shared/model/ids.ts';
import type { Emit, HandlersOf } from '../../shared/contract/index.ts';
import { Job, type JobKind } from '../../shared/contract/jobs.ts';
import { PersonExport } from '../../shared/contract/people.ts';
import { CompactionResult, RetentionResult } from '../../shared/contract/privacy.ts';
import { ReportResult } from '../../shared/contract/reports.ts';
import { FoundFields } from '../../shared/contract/templates.ts';
import { DataExportReading, WrittenDataExport } from '../../shared/contract/takeout.ts';
import { PreparedUpdate } from '../../shared/contract/updates.ts';
import { OpenedReview, SignResult } from '../../shared/contract/signing.ts';
import { AppError, type Failure } from '../../shared/errors.ts';
import type { ToFailure } from '../../shared/wire.ts';
import type { Chance, Clock } from './ports.ts';

const results = {
  'sync-agreements': SyncResult,
  'review-agreement': OpenedReview,
  'sign-agreements': SignResult,
  'archive-agreements': ArchiveResult,
  'verify-archive': ArchiveVerification,
  'bag-archive': BagResult,
  'revoke-agreements': ActionsResult,
  'remove-agreements': ActionsResult,
  'remind-parties': ActionsResult,
  'set-expiry': ActionsResult,
  'remind-by-rule': ActionsResult,
  'take-in-files': IntakeResult,
  'correct-addresses': CorrectionsResult,
  'arm-batch': ArmResult,
  'write-report': ReportResult,
  'save-copies': SavedCopies,
  'copy-agreement': CopiedAgreement,
  'prepare-update': PreparedUpdate,
  'make-backup': CreatedBackup,
  'apply-retention': RetentionResult,
  'compact-data': CompactionResult,
  'export-person': PersonExport,
  'export-data': WrittenDataExport,
  'import-data': DataExportReading,
  'move-desk': MovedDeskBackup,
  'find-fields': FoundFields,
} as const satisfies Record<JobKind, { parse(value: unknown): unknown }>;

type ResultOf<Kind extends JobKind> = ReturnType<(typeof results)[Kind]['parse']>;

/**
 * Maximum number of finished jobs to keep: enough for a working day. A finished job has only counts
 * and failures.
 */
const MAX_FINISHED_JOBS = 20;
/**
 * Minimum time between events (ms). Ten updates per second look smooth; more would only load the
 * channel to the page.
 */
const MIN_EVENT_INTERVAL_MS = 100;

/** New progress of a job; omitted fields keep their values. */
export type Progress = Partial<Pick<Job, 'done' | 'total' | 'failed' | 'bytes'>>;

/** Outcome of a job: the result so far, even if a failure stopped it. */
export interface JobOutcome<Result> {
  readonly result: Result;
  readonly failure: Failure | null;
}

export type RunJob<Kind extends JobKind> = (
  signal: AbortSignal,
  report: (progress: Progress) => void,
) => Promise<JobOutcome<ResultOf<Kind>>>;

interface Entry {
  job: Job;
  readonly control: AbortController;
  ended: Promise<void>;
  /** Time of the last emitted change (epoch ms). */
  emittedAt: number;
}

interface JobPorts {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

/**
 * Queue of work that takes longer than a call. Jobs are in memory and end with the process; their
 * effects persist.
 */
export class JobQueue {
  readonly #ports: JobPorts;
  readonly #entries = new Map<JobId, Entry>();

  constructor(ports: JobPorts) {
    this.#ports = ports;
  }

  start<Kind extends JobKind>(kind: Kind, run: RunJob<Kind>): JobId {
    const { chance, clock } = this.#ports;
    const job = newJob(JobId.parse(chance.uuid()), kind, clock.now());
    const control = new AbortController();
    const entry = { job, control, ended: Promise.resolve(), emittedAt: clock.now() };
    this.#entries.set(job.id, entry);
    this.#emitChanged(entry);
    entry.ended = this.#work(entry, run);
    return job.id;
  }

  /** Aborts every job and waits until each has written its results. */
  async stop(): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { control } of entries) control.abort();
    await Promise.all(entries.map(({ ended }) => ended));
  }

  running(): readonly JobKind[] {
    const all = [...this.#entries.values()];
    return all.flatMap(({ job }) => (job.state === 'running' ? [job.kind] : []));
  }

  readonly handlers: HandlersOf<'jobs'> = {
    'jobs.list': async () => [...this.#entries.values()].map(({ job }) => job).reverse(),
    'jobs.show': async ({ jobId }) => this.#find(jobId).job,
    'jobs.cancel': async ({ jobId }) => {
      this.#find(jobId).control.abort();
      return {};
    },
  };

  async #work<Kind extends JobKind>(entry: Entry, run: RunJob<Kind>): Promise<void> {
    const { signal } = entry.control;
    try {
      const { result, failure } = await run(signal, (progress) => this.#report(entry, progress));
      const parsed = results[entry.job.kind].parse(result);
      // Keys with the value undefined do not exist in JSON.
      const plain = Job.shape.result.parse(JSON.parse(JSON.stringify(parsed)));
      const state = signal.aborted ? 'cancelled' : failure === null ? 'done' : 'failed';
      this.#end(entry, { state, failure, result: plain });
    } catch (error) {
      const failure = this.#ports.toFailure(error, entry.job.kind);
      const ending = signal.aborted
        ? ({ state: 'cancelled', failure: null } as const)
        : ({ state: 'failed', failure } as const);
      this.#end(entry, { ...ending, result: null });
    }
  }

  #report(entry: Entry, progress: Progress): void {
    entry.job = { ...entry.job, ...progress };
    // `abs`: events must not stop after the clock was set back.
    if (Math.abs(this.#ports.clock.now() - entry.emittedAt) >= MIN_EVENT_INTERVAL_MS)
      this.#emitChanged(entry);
  }

  #end(entry: Entry, change: Pick<Job, 'state' | 'failure' | 'result'>): void {
    entry.job = { ...entry.job, ...change, endedAt: this.#ports.clock.now() };
    const ended = [...this.#entries.values()].filter(({ job }) => job.state !== 'running');
    for (const { job } of ended.slice(0, -MAX_FINISHED_JOBS)) this.#entries.delete(job.id);
    this.#emitChanged(entry);
  }

  #emitChanged(entry: Entry): void {
    entry.emittedAt = this.#ports.clock.now();
    this.#ports.emit('jobs.changed', { jobId: entry.job.id });
  }

  #find(id: JobId): Entry {
    const entry = this.#entries.get(id);
    if (entry === undefined) {
      throw new AppError('not-found', 'This job does not exist or is no longer known');
    }
    return entry;
  }
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
