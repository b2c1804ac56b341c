import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ConnectionId, Instant } from './ids.ts';
import { JobStarted } from './jobs.ts';

export const ArchiveRun = z.object({
  folder: z.string().min(1),
  connectionId: ConnectionId.optional(),
  /** Only these; without it, all that are concluded. */
  only: z.array(AgreementKey).optional(),
  /** Closed at or after, and before; epoch milliseconds. */
  since: Instant.optional(),
  until: Instant.optional(),
  pattern: z.string().min(1).max(200).optional(),
  parallel: z.number().int().min(1).max(16).default(4),
  limit: z.number().int().min(1).optional(),
});
export type ArchiveRun = z.infer<typeof ArchiveRun>;

export const ArchiveResult = z.object({
  listed: z.number().int(),
  saved: z.number().int(),
  present: z.number().int(),
  failed: z.array(
    z.object({ connectionId: ConnectionId, id: AgreementId, title: z.string(), failure: Failure }),
  ),
  bytes: z.number().int(),
  seconds: z.number(),
  folder: z.string(),
});
export type ArchiveResult = z.infer<typeof ArchiveResult>;

export const ArchiveItem = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
  parties: z.array(z.string()).nullable(),
  closedAt: Instant.nullable(),
  deletesAt: Instant.nullable(),
  state: z.enum(['not-archived', 'archived', 'deleted-on-service']),
  file: z.string().nullable(),
  sha256: z.string().nullable(),
  savedAt: Instant.nullable(),
});
export type ArchiveItem = z.infer<typeof ArchiveItem>;

export const archiveCalls = {
  /** A job; its result is an `ArchiveResult`. */
  'archive.run': call(ArchiveRun, JobStarted),
  'archive.list': call(
    z.object({ connectionId: ConnectionId.optional() }),
    z.object({
      items: z.array(ArchiveItem),
      counts: z.object({
        notArchived: z.number().int(),
        archived: z.number().int(),
        deleted: z.number().int(),
        /** Not archived, and the service deletes them within 14 days. */
        endangered: z.number().int(),
      }),
    }),
  ),
  /** What a pattern makes of up to five real agreements. */
  'archive.preview': call(
    z.object({ pattern: z.string().max(200) }),
    z.object({ names: z.array(z.string()) }),
  ),
} as const;
