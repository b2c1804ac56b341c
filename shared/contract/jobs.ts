import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { Instant, JobId, EmptyObject } from '../model/ids.ts';

export const JobKind = z.enum([
  'sync-agreements',
  'review-agreement',
  'sign-agreements',
  'archive-agreements',
  'verify-archive',
  'bag-archive',
  'revoke-agreements',
  'remove-agreements',
  'remind-parties',
  'set-expiry',
  'remind-by-rule',
  'take-in-files',
  'correct-addresses',
  'arm-batch',
  'write-report',
  'save-copies',
  'copy-agreement',
  'prepare-update',
  'make-backup',
  'apply-retention',
  'compact-data',
  'export-person',
  'export-data',
  'import-data',
  'move-desk',
  'find-fields',
]);
export type JobKind = z.infer<typeof JobKind>;

/**
 * Work that takes longer than a call. `total` is null while unknown; `bytes` is set only if bytes
 * are transferred.
 */
export const Job = z.object({
  id: JobId,
  kind: JobKind,
  state: z.enum(['running', 'done', 'failed', 'cancelled']),
  done: z.number().int(),
  total: z.number().int().nullable(),
  failed: z.number().int(),
  bytes: z.number().int(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  failure: Failure.nullable(),
  /**
   * Result of the job once it has ended: a `SyncResult`, `SignResult`, `ArchiveResult`,
   * `ActionsResult` or other type, depending on its kind.
   */
  result: z.json().nullable(),
});
export type Job = z.infer<typeof Job>;

export const JobStarted = z.object({ jobId: JobId });

export const jobCalls = {
  /** Lists the running jobs and the last few that ended, newest first. */
  'jobs.list': call(z.object({}), z.array(Job)),
  'jobs.show': call(z.object({ jobId: JobId }), Job),
  /**
   * Stops a job after its requests in flight; the job then ends as `cancelled` with its results so
   * far.
   */
  'jobs.cancel': call(z.object({ jobId: JobId }), EmptyObject),
} as const;

export const jobEvents = { 'jobs.changed': z.object({ jobId: JobId }) } as const;
