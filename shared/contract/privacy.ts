import * as z from 'zod';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { Instant } from '../model/ids.ts';

/**
 * Data that this computer removes automatically by age: copies of closed agreements, drafts and
 * templates in the trash, sent drafts that are kept for a copy, spreadsheets of settled batches,
 * log lines. It never removes evidence, items in the outbox or unsettled items.
 */
export const KeptKind = z.enum(['copies', 'trash', 'sent', 'sheets', 'logs']);
export type KeptKind = z.infer<typeof KeptKind>;

/** Retention period in days (for copies in months, as in the settings); null: permanently. */
export const KeptFor = z.number().int().min(1).max(36_500).nullable();
export type KeptFor = z.infer<typeof KeptFor>;

export const KeptLimits = z.record(KeptKind, KeptFor);
export type KeptLimits = z.infer<typeof KeptLimits>;

/** Why an item at or near its retention period stays. */
const StayReason = z.enum(['younger', 'unsettled', 'not-archived']);

/** What one retention period would remove now, and what it keeps. */
export const RetentionPreview = z.object({
  kind: KeptKind,
  limit: KeptFor,
  number: z.number().int(),
  /** Approximate space freed. */
  bytes: z.number().int(),
  oldest: Instant.nullable(),
  stays: z.array(z.object({ why: StayReason, number: z.number().int() })),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

export const RetentionDone = z.object({ removed: z.record(KeptKind, z.number().int()) });
export type RetentionDone = z.infer<typeof RetentionDone>;

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
export const Compacted = z.object({
  before: z.number().int(),
  after: z.number().int(),
  later: z.boolean(),
});
export type Compacted = z.infer<typeof Compacted>;

export const privacyCalls = {
  'privacy.limits': call(z.object({}), KeptLimits),
  /** Shows what these limits would do now; removes and stores nothing. */
  'privacy.preview': call(
    z.object({ limits: z.partialRecord(KeptKind, KeptFor) }),
    z.array(RetentionPreview),
  ),
  /** Applies from now on, in the background and for `run-due`. Throws 'invalid' with the kind. */
  'privacy.setLimits': call(z.object({ limits: z.partialRecord(KeptKind, KeptFor) }), KeptLimits),
  /** Applies the stored limits of these kinds now. A job; its result is a `RetentionDone`. */
  'privacy.apply': call(z.object({ kinds: z.array(KeptKind).min(1) }), JobStarted),
  /** Reads every page of the data file, outside the main loop. */
  'privacy.sizes': call(z.object({}), DataSizes),
  /** A job; its result is `Compacted`. Throws 'storage' with 'disk-full' if space is missing. */
  'privacy.compact': call(z.object({}), JobStarted),
} as const;
