import * as z from 'zod';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { Instant } from '../model/ids.ts';

/**
 * Kinds of data that this computer removes automatically by age: copies of closed agreements,
 * drafts and templates in the trash, sent drafts that are kept for a copy, spreadsheets of settled
 * batches, log lines. Evidence, items in the outbox and unsettled items are never removed.
 */
export const RetentionKind = z.enum(['copies', 'trash', 'sent', 'sheets', 'logs']);
export type RetentionKind = z.infer<typeof RetentionKind>;

/**
 * Retention period in days (for copies in months, as in the settings); null keeps the data
 * permanently.
 */
export const RetentionPeriod = z.number().int().min(1).max(36_500).nullable();
export type RetentionPeriod = z.infer<typeof RetentionPeriod>;

export const RetentionLimits = z.record(RetentionKind, RetentionPeriod);
export type RetentionLimits = z.infer<typeof RetentionLimits>;

/** Why an item at or near its retention period stays. */
const KeepReason = z.enum(['younger', 'unsettled', 'not-archived']);

/** Number of items that one retention period would remove now, and that it keeps. */
export const RetentionPreview = z.object({
  kind: RetentionKind,
  limit: RetentionPeriod,
  number: z.number().int(),
  /** Approximate number of bytes that the removal frees. */
  bytes: z.number().int(),
  oldest: Instant.nullable(),
  stays: z.array(z.object({ why: KeepReason, number: z.number().int() })),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

export const RetentionResult = z.object({ removed: z.record(RetentionKind, z.number().int()) });
export type RetentionResult = z.infer<typeof RetentionResult>;

export const SizeKind = z.enum([
  'agreements',
  'drafts',
  'templates',
  'batches',
  'outbox',
  'actions',
  'evidence',
  'archive',
  'people',
  'other',
]);
export type SizeKind = z.infer<typeof SizeKind>;

export const DataSizes = z.object({
  fileBytes: z.number().int(),
  /** Unused bytes in the data file after removals, which compacting frees. */
  freeBytes: z.number().int(),
  /** Free bytes on the disk of the data file; null if the system does not report them. */
  diskBytes: z.number().int().nullable(),
  logBytes: z.number().int(),
  kinds: z.array(z.object({ kind: SizeKind, number: z.number().int(), bytes: z.number().int() })),
  /**
   * Whether the file can be compacted in small steps while the program keeps working. A file of an
   * earlier version must be rewritten once, which needs as much memory and disk space as the data
   * that stays.
   */
  inSteps: z.boolean(),
});
export type DataSizes = z.infer<typeof DataSizes>;

/**
 * Result of compacting. `later`: the file is compacted when the program is closed, because all
 * other work would have to wait.
 */
export const CompactionResult = z.object({
  before: z.number().int(),
  after: z.number().int(),
  later: z.boolean(),
});
export type CompactionResult = z.infer<typeof CompactionResult>;

export const privacyCalls = {
  'privacy.limits': call(z.object({}), RetentionLimits),
  /** Returns what these limits would remove now; removes and stores nothing. */
  'privacy.preview': call(
    z.object({ limits: z.partialRecord(RetentionKind, RetentionPeriod) }),
    z.array(RetentionPreview),
  ),
  /**
   * Sets the limits, which apply from now on, in the background and for `run-due`. Throws 'invalid'
   * with the kind.
   */
  'privacy.setLimits': call(
    z.object({ limits: z.partialRecord(RetentionKind, RetentionPeriod) }),
    RetentionLimits,
  ),
  /**
   * Applies the stored limits of these kinds now. Runs as a job whose result is a
   * `RetentionResult`.
   */
  'privacy.apply': call(z.object({ kinds: z.array(RetentionKind).min(1) }), JobStarted),
  /** Measures the data; reads every page of the data file, outside the main loop. */
  'privacy.sizes': call(z.object({}), DataSizes),
  /**
   * Compacts the data file. Runs as a job whose result is a `CompactionResult`. Throws 'storage'
   * with 'disk-full' if there is too little disk space.
   */
  'privacy.compact': call(z.object({}), JobStarted),
} as const;
