import * as z from 'zod';
import { call } from './call.ts';
import { JobStarted } from './jobs.ts';
import { Instant } from '../model/ids.ts';

/**
 * What goes from this computer by itself once it is old enough: copies of closed agreements, drafts
 * and templates in the trash, sent drafts that are kept for a copy, sheets of settled batches, lines
 * of the log. Evidence, what is in the outbox and what is unsettled never do.
 */
export const KeptKind = z.enum(['copies', 'trash', 'sent', 'sheets', 'logs']);
export type KeptKind = z.infer<typeof KeptKind>;

/** How many days a kind stays; null for ever. Of copies that are months, as in the settings. */
export const KeptFor = z.number().int().min(1).max(36_500).nullable();
export type KeptFor = z.infer<typeof KeptFor>;

export const KeptLimits = z.record(KeptKind, KeptFor);
export type KeptLimits = z.infer<typeof KeptLimits>;

/** Why something that is old enough, or nearly, stays. */
const StayReason = z.enum(['younger', 'unsettled', 'not-archived']);

/** What one limit would take away now, and what it leaves. */
export const RetentionPreview = z.object({
  kind: KeptKind,
  limit: KeptFor,
  number: z.number().int(),
  /** About how much is freed. */
  bytes: z.number().int(),
  oldest: Instant.nullable(),
  stays: z.array(z.object({ why: StayReason, number: z.number().int() })),
});
export type RetentionPreview = z.infer<typeof RetentionPreview>;

/** How many of each kind were taken away. */
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
  /** Within the file, of what was removed: compacting gives it back. */
  freeBytes: z.number().int(),
  /** On the disk the file lies on; null where the system does not say. */
  diskBytes: z.number().int().nullable(),
  logBytes: z.number().int(),
  kinds: z.array(z.object({ kind: SizeKind, number: z.number().int(), bytes: z.number().int() })),
  /**
   * Compacted in small steps while everything goes on. A file of an earlier version is written anew
   * once, which needs as much memory and space on the disk as what stays.
   */
  inSteps: z.boolean(),
});
export type DataSizes = z.infer<typeof DataSizes>;

/** `later`: when the program is closed, since everything would have to wait meanwhile. */
export const Compacted = z.object({
  before: z.number().int(),
  after: z.number().int(),
  later: z.boolean(),
});
export type Compacted = z.infer<typeof Compacted>;

export const privacyCalls = {
  'privacy.limits': call(z.object({}), KeptLimits),
  /** What these limits would do now; nothing is taken away or stored. */
  'privacy.preview': call(
    z.object({ limits: z.partialRecord(KeptKind, KeptFor) }),
    z.array(RetentionPreview),
  ),
  /** From now on they hold, in the background and for `run-due`. Throws 'invalid' with the kind. */
  'privacy.setLimits': call(z.object({ limits: z.partialRecord(KeptKind, KeptFor) }), KeptLimits),
  /** Takes away now what the stored limits of these kinds do not keep. A job; a `RetentionDone`. */
  'privacy.apply': call(z.object({ kinds: z.array(KeptKind).min(1) }), JobStarted),
  /** Reads every page of the data file, beside the loop. */
  'privacy.sizes': call(z.object({}), DataSizes),
  /** A job; its result is `Compacted`. Throws 'storage' with 'disk-full' where room lacks. */
  'privacy.compact': call(z.object({}), JobStarted),
} as const;
