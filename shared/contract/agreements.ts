import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState, RemoteAgreement } from '../model/agreement.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ApiName, ConnectionId, Instant } from './ids.ts';
import { JobStarted } from './jobs.ts';

/** Why the service no longer has it; the local copy stays. */
export const Gone = z.enum(['deleted', 'no-access']);

/** A row of the list. `parties` is null until the service told them: then nothing is claimed. */
export const Agreement = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  api: ApiName,
  title: z.string(),
  state: AgreementState,
  nativeState: z.string(),
  parties: z.array(z.string()).nullable(),
  signedCount: z.number().int().nullable(),
  partyCount: z.number().int().nullable(),
  /** A party of ours can sign through the API now. */
  myTurn: z.boolean(),
  updatedAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  deletesAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  gone: Gone.nullable(),
});
export type Agreement = z.infer<typeof Agreement>;

/** The whole cached agreement; `readAt` is when the service last told it. */
export const AgreementDetails = Agreement.omit({ parties: true }).extend({
  ...RemoteAgreement.pick({
    createdAt: true,
    sentAt: true,
    parties: true,
    documents: true,
    tags: true,
    timeline: true,
    native: true,
  }).shape,
  archivedFile: z.string().nullable(),
  readAt: Instant,
});
export type AgreementDetails = z.infer<typeof AgreementDetails>;

export const AgreementSort = z.enum(['updated', 'title', 'closed']);

/** Narrows the list. `attention`, `expiring`, `my-turn` and `not-archived` are the four counters. */
export const AgreementQuery = z.object({
  connectionId: ConnectionId.optional(),
  state: AgreementState.optional(),
  counter: z.enum(['attention', 'expiring', 'my-turn', 'not-archived']).optional(),
  search: z.string().max(200).optional(),
  closedFrom: Instant.optional(),
  closedTo: Instant.optional(),
  sort: AgreementSort.default('updated'),
  limit: z.number().int().min(1).max(1000).default(200),
  /** Opaque; from `next` of the page before. */
  after: z.string().optional(),
});
export type AgreementQuery = z.infer<typeof AgreementQuery>;

export const AgreementPage = z.object({
  items: z.array(Agreement),
  total: z.number().int(),
  next: z.string().nullable(),
});
export type AgreementPage = z.infer<typeof AgreementPage>;

export const AgreementCounts = z.object({
  all: z.number().int(),
  byState: z.record(AgreementState, z.number().int()),
  attention: z.number().int(),
  expiring: z.number().int(),
  myTurn: z.number().int(),
  notArchived: z.number().int(),
});
export type AgreementCounts = z.infer<typeof AgreementCounts>;

/** How fresh the copy of one connection is. A failed refresh keeps the `checkedAt` of the last good one. */
export const SyncStatus = z.object({
  connectionId: ConnectionId,
  running: z.boolean(),
  /** Agreements read so far, and how many the service says there are. */
  done: z.number().int(),
  total: z.number().int().nullable(),
  checkedAt: Instant.nullable(),
  failure: Failure.nullable(),
});
export type SyncStatus = z.infer<typeof SyncStatus>;

export const SyncResult = z.object({
  connections: z.array(
    z.object({
      name: z.string(),
      requests: z.number().int(),
      received: z.number().int(),
      changed: z.number().int(),
      gone: z.number().int(),
      checkedUntil: Instant.nullable(),
      failure: Failure.nullable(),
    }),
  ),
});
export type SyncResult = z.infer<typeof SyncResult>;

export const SavedFile = z.object({
  file: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type SavedFile = z.infer<typeof SavedFile>;

export const agreementCalls = {
  'agreements.list': call(AgreementQuery, AgreementPage),
  'agreements.counts': call(z.object({ connectionId: ConnectionId.optional() }), AgreementCounts),
  /** `refresh` reads it from the service first. */
  'agreements.show': call(AgreementKey.extend({ refresh: z.boolean() }), AgreementDetails),
  /** Which connections know this id; for the command line, where an id may stand alone. */
  'agreements.find': call(z.object({ id: AgreementId }), z.array(AgreementKey)),
  /** A job; its result is a `SyncResult`. Without a connection, all are read. */
  'agreements.sync': call(
    z.object({ connectionId: ConnectionId.optional(), full: z.boolean().default(false) }),
    JobStarted,
  ),
  'agreements.syncStatus': call(z.object({}), z.array(SyncStatus)),
  /** Saves the concluded PDF; `file` is where, and must not exist. */
  'agreements.download': call(AgreementKey.extend({ file: z.string().min(1) }), SavedFile),
} as const;

export const agreementEvents = {
  'agreements.changed': z.object({ connectionId: ConnectionId }),
  'agreements.syncChanged': z.object({ connectionId: ConnectionId }),
} as const;
