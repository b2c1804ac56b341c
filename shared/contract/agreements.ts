import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState, Party, RemoteAgreement } from '../model/agreement.ts';
import {
  AgreementFilter,
  AgreementGroup,
  AgreementKeys,
  AgreementQuery,
  AgreementStretch,
  AgreementView,
  KeyStretch,
  MAX_KEYS,
  RowMore,
} from './agreement-query.ts';
import { Selection } from './agreement-selection.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ApiName, ConnectionId, Instant } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** Why the service no longer has it; the local copy stays. @internal */
export const Gone = z.enum(['deleted', 'no-access']);

/**
 * What stands in a row beside, as far as it was asked for (`RowMore`) and is known: null claims
 * nothing. Personal numbers are taken out of what people and services wrote.
 */
export const AgreementMore = z.object({
  /** v1 only; without those of this program. */
  tags: z.record(z.string(), z.string()).nullable(),
  people: z
    .array(Party.pick({ name: true, state: true, nativeState: true, email: true, mobile: true }))
    .nullable(),
  /** v1: the owner, who made it. */
  sentBy: z.string().nullable(),
  /** The batch it was sent in from here, and the spreadsheet's own number of its row. */
  batch: z.string().nullable(),
  batchRow: z.number().int().nullable(),
  /** The batch's template, or the service's own one (v2), by its name here or else its id. */
  template: z.string().nullable(),
});
export type AgreementMore = z.infer<typeof AgreementMore>;

/** A row of the list. `parties` is null until the service gave them: then nothing is claimed. */
export const Agreement = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  api: ApiName,
  title: z.string(),
  state: AgreementState,
  nativeState: z.string(),
  /** v2 calls it rejected, but of its parties none did it: its time may have run out. */
  perhapsExpired: z.boolean(),
  parties: z.array(z.string()).nullable(),
  signedCount: z.number().int().nullable(),
  partyCount: z.number().int().nullable(),
  /** A party of ours can sign through the API now. */
  myTurn: z.boolean(),
  sentAt: Instant.nullable(),
  updatedAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  deletesAt: Instant.nullable(),
  archivedAt: Instant.nullable(),
  gone: Gone.nullable(),
  more: AgreementMore.optional(),
});
export type Agreement = z.infer<typeof Agreement>;

/** The whole cached agreement; `readAt` is when it was last received from the service. */
export const AgreementDetails = Agreement.omit({ parties: true, more: true }).extend({
  ...RemoteAgreement.pick({
    createdAt: true,
    sentAt: true,
    parties: true,
    documents: true,
    tags: true,
    timeline: true,
    access: true,
    native: true,
  }).shape,
  /** The user that this connection's credential belongs to, once it is known; v1 only. */
  ourUser: z.string().nullish(),
  archivedFile: z.string().nullable(),
  readAt: Instant,
});
export type AgreementDetails = z.infer<typeof AgreementDetails>;

export const AgreementPage = z.object({
  items: z.array(Agreement),
  total: z.number().int(),
  next: z.string().nullable(),
});
export type AgreementPage = z.infer<typeof AgreementPage>;

/** A stretch of a view: `items[0]` has the place `from`. Past the end there are none. */
export const AgreementWindow = z.object({
  items: z.array(Agreement),
  from: z.number().int(),
  /** Of all that match; one more than `countUpTo` where that is not known. */
  total: z.number().int(),
  /** Whether all that match were counted. */
  isCounted: z.boolean(),
});
export type AgreementWindow = z.infer<typeof AgreementWindow>;

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

export const SavedCopies = z.object({
  folder: z.string(),
  saved: z.number().int(),
  bytes: z.number().int(),
  /** Not signed by everybody, or not bound together by the service yet: there is no PDF. */
  withoutPdf: z.number().int(),
  failed: z.array(AgreementKey.extend({ title: z.string(), failure: Failure })),
  /** Not tried any more when it ended early. */
  left: z.array(AgreementKey),
});
export type SavedCopies = z.infer<typeof SavedCopies>;

/** What the copy takes on this computer. */
export const AgreementStorage = z.object({
  /** The whole data file on disk, with drafts and all the rest. */
  fileBytes: z.number().int(),
  connections: z.array(
    z.object({
      connectionId: ConnectionId,
      /** False when the connection was removed and its agreements kept. */
      live: z.boolean(),
      agreements: z.number().int(),
      /** Signed, rejected, revoked or expired: what the retention setting concerns. */
      closed: z.number().int(),
      /** What the service gave of them, without indexes. */
      bytes: z.number().int(),
    }),
  ),
});
export type AgreementStorage = z.infer<typeof AgreementStorage>;

/** Of one call. */
const MAX_ROWS = 500;

export const agreementCalls = {
  /** Page after page, each beginning where the one before ended. */
  'agreements.list': call(AgreementQuery, AgreementPage),
  /** Any stretch of what matches, for a list that jumps. */
  'agreements.window': call(AgreementStretch, AgreementWindow),
  /** Agreements as rows, in this order; those without a copy are left out. */
  'agreements.rows': call(
    z.object({ keys: z.array(AgreementKey).max(MAX_ROWS), more: z.array(RowMore) }),
    z.array(Agreement),
  ),
  /** How many match, for a stretch that counted no further than it was asked to. */
  'agreements.count': call(AgreementFilter, z.object({ total: z.number().int() })),
  /** In the order of the view; none when it is not grouped. */
  'agreements.groups': call(AgreementView, z.array(AgreementGroup)),
  /** Where an agreement stands in a view; null when it does not match. */
  'agreements.position': call(
    AgreementView.extend({ key: AgreementKey }),
    z.object({ index: z.number().int().nullable() }),
  ),
  /** Which agreements stand in a stretch of a view, for selecting a range or all. */
  'agreements.keys': call(KeyStretch, AgreementKeys),
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
  /**
   * A job; its result is a `SyncResult` of this one connection. Reads what the service itself
   * selects, beside what `sync` keeps fresh. Fails with 'invalid' for the other API's selection.
   */
  'agreements.syncSelection': call(
    z.object({ connectionId: ConnectionId, selection: Selection }),
    JobStarted,
  ),
  'agreements.syncStatus': call(z.object({}), z.array(SyncStatus)),
  /** Saves the concluded PDF; `file` is where, and must not exist. */
  'agreements.download': call(AgreementKey.extend({ file: z.string().min(1) }), SavedFile),
  /**
   * A job; its result is a `SavedCopies`. Saves signed PDFs in a folder under the names of the
   * archive, never over a file. They are copies to work with: they do not count as archived.
   */
  'agreements.saveCopies': call(
    z.object({ keys: z.array(AgreementKey).min(1), folder: z.string().min(1) }),
    JobStarted,
  ),
  /**
   * Takes copies off this computer, and what is searched of them. Archived files, evidence and the
   * agreements on the service stay; one that changes there is copied again. Throws 'conflict' with
   * 'outcome-unknown' while what was done to one from here is not settled.
   */
  'agreements.forget': call(
    z.object({
      keys: z.array(AgreementKey).min(1).max(MAX_KEYS),
      /** How many; another number changes nothing. */
      confirm: z.number().int(),
    }),
    z.object({ forgotten: z.number().int() }),
  ),
  'agreements.storage': call(z.object({}), AgreementStorage),
} as const;

export const agreementEvents = {
  /** Copies that are new or different since it was last said; both 0 when that is not known. */
  'agreements.changed': z.object({
    connectionId: ConnectionId,
    added: z.number().int(),
    changed: z.number().int(),
  }),
  'agreements.syncChanged': z.object({ connectionId: ConnectionId }),
} as const;
