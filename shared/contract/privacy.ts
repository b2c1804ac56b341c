import * as z from 'zod';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { Instant } from '../model/ids.ts';

/**
 * Data that this computer removes automatically by age: copies of closed agreements, drafts and
 * templates in the trash, sent drafts that are kept for a copy, spreadsheets of settled batches,
 * log lines. It never removes evidence, items in the outbox or unsettled items.
 */
export const RetentionKind = z.enum(['copies', 'trash', 'sent', 'sheets', 'logs']);
export type RetentionKind = z.infer<typeof RetentionKind>;

/** Retention period in days (for copies in months, as in the settings); null: permanently. */
export const RetentionPeriod = z.number().int().min(1).max(36_500).nullable();
export type RetentionPeriod = z.infer<typeof RetentionPeriod>;

export const RetentionLimits = z.record(RetentionKind, RetentionPeriod);
export type RetentionLimits = z.infer<typeof RetentionLimits>;

/** Why an item at or near its retention period stays. */
const KeepReason = z.enum(['younger', 'unsettled', 'not-archived']);

/** What one retention period would remove now, and what it keeps. */
export const RetentionPreview = z.object({
  kind: RetentionKind,
  limit: RetentionPeriod,
  number: z.number().int(),
  /** Approximate space freed. */
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
  /** Unused space in the file after removals, which compacting frees. */
  freeBytes: z.number().int(),
  /** Free space on the disk of the file; null if the system does not report it. */
  diskBytes: z.number().int().nullable(),
  logBytes: z.number().int(),
  kinds: z.array(z.object({ kind: SizeKind, number: z.number().int(), bytes: z.number().int() })),
  /**
   * Compacts in small steps while the program keeps working. A file of an earlier version is
   * rewritten once, which needs as much memory and disk space as the data that stays.
   */
  inSteps: z.boolean(),
});
export type DataSizes = z.infer<typeof DataSizes>;

/** `later`: when the program is closed, because all work would have to wait. */
export const CompactionResult = z.object({
  before: z.number().int(),
  after: z.number().int(),
  later: z.boolean(),
});
export type CompactionResult = z.infer<typeof CompactionResult>;

export const privacyCalls = {
  'privacy.limits': call(z.object({}), RetentionLimits),
  /** Shows what these limits would do now; removes and stores nothing. */
  'privacy.preview': call(
    z.object({ limits: z.partialRecord(RetentionKind, RetentionPeriod) }),
    z.array(RetentionPreview),
  ),
  /** Applies from now on, in the background and for `run-due`. Throws 'invalid' with the kind. */
  'privacy.setLimits': call(
    z.object({ limits: z.partialRecord(RetentionKind, RetentionPeriod) }),
    RetentionLimits,
  ),
  /** Applies the stored limits of these kinds now. A job; its result is a `RetentionResult`. */
  'privacy.apply': call(z.object({ kinds: z.array(RetentionKind).min(1) }), JobStarted),
  /** Reads every page of the data file, outside the main loop. */
  'privacy.sizes': call(z.object({}), DataSizes),
  /** A job; its result is `CompactionResult`. Throws 'storage' with 'disk-full' if space is missing. */
  'privacy.compact': call(z.object({}), JobStarted),
} as const;
