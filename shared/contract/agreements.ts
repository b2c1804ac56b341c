import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState, Party, RemoteAgreement } from '../model/agreement.ts';
import {
  AgreementFilter,
  AgreementGroup,
  AgreementKeys,
  AgreementQuery,
  AgreementSlice,
  AgreementView,
  AgreementKeySlice,
  MAX_BULK_KEYS,
  OptionalRowPart,
} from './agreement-query.ts';
import { Selection } from './agreement-selection.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ApiName, ConnectionId, Instant } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** Why the service no longer returns an agreement, whose local copy is kept. @internal */
export const GoneReason = z.enum(['deleted', 'no-access']);

/**
 * Extra columns of a row, as requested by `OptionalRowPart`; a value is null if not known. Personal
 * numbers are removed from free text.
 */
export const AgreementExtraDetails = z.object({
  /** Tags of the agreement; v1 only, without the tags of this program. */
  tags: z.record(z.string(), z.string()).nullable(),
  people: z
    .array(Party.pick({ name: true, state: true, nativeState: true, email: true, mobile: true }))
    .nullable(),
  /** v1: name of the owner who created the agreement. */
  sentBy: z.string().nullable(),
  /** Batch from which this computer sent the agreement, with the row number in the spreadsheet. */
  batch: z.string().nullable(),
  batchRow: z.number().int().nullable(),
  /**
   * Name of the batch's template or of the service's own template (v2); its ID if this computer
   * does not know the name.
   */
  template: z.string().nullable(),
  /** Names of the parties that can sign now; empty if the agreement is not open. */
  awaited: z.array(z.string()),
});
export type AgreementExtraDetails = z.infer<typeof AgreementExtraDetails>;

/** Damage of an archived file: different content, or no file. */
const ArchiveDamage = z.enum(['changed', 'missing']);

/** Row of the agreement list. `parties` is null until the service returned them. */
export const Agreement = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  api: ApiName,
  title: z.string(),
  state: AgreementState,
  nativeState: z.string(),
  /**
   * Whether v2 reports the agreement as rejected although no party rejected it: it may have
   * expired.
   */
  perhapsExpired: z.boolean(),
  parties: z.array(z.string()).nullable(),
  signedCount: z.number().int().nullable(),
  partyCount: z.number().int().nullable(),
  /** Whether one of our parties can sign through the API now. */
  myTurn: z.boolean(),
  sentAt: Instant.nullable(),
  updatedAt: Instant.nullable(),
  closedAt: Instant.nullable(),
  expiresAt: Instant.nullable(),
  deletesAt: Instant.nullable(),
  /** Time at which the PDF was archived; null if there is none, or if its file is damaged. */
  archivedAt: Instant.nullable(),
  /** Whether the archived file was found missing or changed; null if it was not. */
  archiveDamage: ArchiveDamage.nullish(),
  gone: GoneReason.nullable(),
  more: AgreementExtraDetails.optional(),
});
export type Agreement = z.infer<typeof Agreement>;

/** Whole local copy of an agreement; `readAt` is the time of its last read from the service. */
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
  /** User of this connection's credential; null if not known. v1 only. */
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

/**
 * Part of a view. `items[0]` has the position `from`; `items` is empty past the end of the view.
 */
export const AgreementWindow = z.object({
  items: z.array(Agreement),
  from: z.number().int(),
  /** Number of all matches; `countUpTo` + 1 if the total is not known. */
  total: z.number().int(),
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

/**
 * Freshness of one connection's copies. A failed refresh keeps the `checkedAt` of the last
 * successful one.
 */
export const SyncStatus = z.object({
  connectionId: ConnectionId,
  running: z.boolean(),
  /** Agreements read so far, and their number according to the service. */
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
  /**
   * Number of agreements without a PDF: not signed by everyone, or the service has not made the PDF
   * yet.
   */
  withoutPdf: z.number().int(),
  failed: z.array(AgreementKey.extend({ title: z.string(), failure: Failure })),
  /** Agreements that were not tried, because the job ended early. */
  left: z.array(AgreementKey),
});
export type SavedCopies = z.infer<typeof SavedCopies>;

export const AgreementStorage = z.object({
  /** Size of the whole data file on disk, including drafts and everything else. */
  fileBytes: z.number().int(),
  connections: z.array(
    z.object({
      connectionId: ConnectionId,
      /** False if the connection was removed but its agreements were kept. */
      live: z.boolean(),
      agreements: z.number().int(),
      /**
       * Number of signed, rejected, revoked or expired agreements, to which the retention setting
       * applies.
       */
      closed: z.number().int(),
      /** Size of the data received from the service, without indexes. */
      bytes: z.number().int(),
    }),
  ),
});
export type AgreementStorage = z.infer<typeof AgreementStorage>;

const MAX_SLICE_ROWS = 500;

export const agreementCalls = {
  /** Returns one page of agreements, starting where the previous page ended. */
  'agreements.list': call(AgreementQuery, AgreementPage),
  /** Returns any part of the matches, for a list with random access. */
  'agreements.window': call(AgreementSlice, AgreementWindow),
  /**
   * Returns the agreements with these keys as rows, in the order of the keys. Omits agreements that
   * have no local copy.
   */
  'agreements.rows': call(
    z.object({ keys: z.array(AgreementKey).max(MAX_SLICE_ROWS), more: z.array(OptionalRowPart) }),
    z.array(Agreement),
  ),
  /** Counts all matches, for a view that stopped counting early. */
  'agreements.count': call(AgreementFilter, z.object({ total: z.number().int() })),
  /** Returns the groups in the order of the view; empty if the view is not grouped. */
  'agreements.groups': call(AgreementView, z.array(AgreementGroup)),
  /** Returns the position of an agreement in a view; null if the agreement does not match. */
  'agreements.position': call(
    AgreementView.extend({ key: AgreementKey }),
    z.object({ index: z.number().int().nullable() }),
  ),
  /** Returns the keys of a part of a view, for selecting a range or all. */
  'agreements.keys': call(AgreementKeySlice, AgreementKeys),
  'agreements.counts': call(z.object({ connectionId: ConnectionId.optional() }), AgreementCounts),
  /** Returns an agreement. With `refresh`, it is read from the service first. */
  'agreements.show': call(AgreementKey.extend({ refresh: z.boolean() }), AgreementDetails),
  /**
   * Returns the agreements with this ID in any connection, for the command line, where an ID is
   * given without a connection.
   */
  'agreements.find': call(z.object({ id: AgreementId }), z.array(AgreementKey)),
  /**
   * Reads changes of one connection or, without a connection, of all. Runs as a job whose result is
   * a `SyncResult`.
   */
  'agreements.sync': call(
    z.object({ connectionId: ConnectionId.optional(), full: z.boolean().default(false) }),
    JobStarted,
  ),
  /**
   * Reads a selection of the service's agreements, in addition to `sync`. Runs as a job whose
   * result is a `SyncResult` of this connection. Fails with 'invalid' for a selection of the other
   * API.
   */
  'agreements.syncSelection': call(
    z.object({ connectionId: ConnectionId, selection: Selection }),
    JobStarted,
  ),
  'agreements.syncStatus': call(z.object({}), z.array(SyncStatus)),
  /** Saves the PDF of a concluded agreement as `file`, which must not exist. */
  'agreements.download': call(AgreementKey.extend({ file: z.string().min(1) }), SavedFile),
  /**
   * Saves signed PDFs in a folder under the names of the archive and never overwrites a file. These
   * working copies do not count as archived. Runs as a job whose result is a `SavedCopies`.
   */
  'agreements.saveCopies': call(
    z.object({ keys: z.array(AgreementKey).min(1), folder: z.string().min(1) }),
    JobStarted,
  ),
  /**
   * Removes copies of agreements and their search index from this computer. Archived files,
   * evidence and the agreements on the service stay; a later change on the service copies the
   * agreement again. Throws 'conflict' with 'outcome-unknown' while the outcome of an action on the
   * agreement is unknown.
   */
  'agreements.forget': call(
    z.object({
      keys: z.array(AgreementKey).min(1).max(MAX_BULK_KEYS),
      /** Number of keys; with any other number, nothing is removed. */
      confirm: z.number().int(),
    }),
    z.object({ forgotten: z.number().int() }),
  ),
  'agreements.storage': call(z.object({}), AgreementStorage),
} as const;

export const agreementEvents = {
  /**
   * Emitted with the numbers of local copies that are new or changed since the last event; both 0
   * if not known.
   */
  'agreements.changed': z.object({
    connectionId: ConnectionId,
    added: z.number().int(),
    changed: z.number().int(),
  }),
  'agreements.syncChanged': z.object({ connectionId: ConnectionId }),
} as const;
