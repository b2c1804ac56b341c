import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { AgreementKey, ConnectionId, IdentityId, Instant } from '../model/ids.ts';

/** A document as it was when it was read; the hash covers the file's bytes. */
export const EvidenceDocument = z.object({
  /** v1: the attachment's UUID; null for the concluded PDF. */
  id: z.string().nullable(),
  name: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type EvidenceDocument = z.infer<typeof EvidenceDocument>;

const SigningAct = z.enum(['sign', 'reject']);

const ReviewFact = z.object({
  kind: z.literal('reviewed'),
  /**
   * How the documents were read. `here`: every document was opened in the program. `elsewhere`: the
   * person states that they read at least one of them outside the program.
   */
  how: z.enum(['here', 'elsewhere']),
  documents: z.array(EvidenceDocument),
  /**
   * IDs of the documents that the person states to have read outside the program, because it could
   * not show them. Absent in older entries, and if the program had no documents.
   */
  elsewhere: z.array(z.string()).optional(),
});

const ApprovalFact = z.object({
  kind: z.literal('approved'),
  /** Entry number of the approved review. */
  review: z.number().int(),
  /**
   * For an approval between two computers of an office: the user of the other computer, `by` whom
   * or `for` whom the review was approved.
   */
  office: z
    .object({
      id: z.uuid(),
      by: z.string().optional(),
      for: z.string().optional(),
      /** Time of the decision, by the office's clock. */
      at: Instant.optional(),
    })
    .optional(),
});

/** Intent to sign or reject, written before the first byte of the request leaves this computer. */
const IntentFact = z.object({
  kind: z.literal('intended'),
  act: SigningAct,
  party: z.object({ id: z.string(), name: z.string(), orgNo: z.string().nullable() }),
  /** All parties of the agreement, as the service returned them just before the request. */
  parties: z.array(z.object({ name: z.string(), state: z.string() })),
  documents: z.array(EvidenceDocument),
  review: z.number().int().nullable(),
  approval: z.number().int().nullable(),
  requestSha256: z.string(),
  /**
   * For a rejection: masked number of the person for whom the agreement is rejected, who need not
   * be one of ours.
   */
  personNumberMasked: z.string().optional(),
  /** Time in the signature, which is the same on every attempt. */
  signedAt: Instant.nullable(),
});

/** Result of an intent; if there are several, the last one counts. */
const OutcomeFact = z.object({
  kind: z.literal('ended'),
  act: SigningAct,
  /** Entry number of the intent. */
  intent: z.number().int(),
  outcome: z.enum(['done', 'refused', 'unknown', 'not-done']),
  /**
   * Source of the outcome. `answer`: response of the service. `read`: later read. `person`: a
   * person's decision.
   */
  known: z.enum(['answer', 'read', 'person', 'program']),
  /** Date of the response, by the service's clock; null without a response. */
  serverAt: Instant.nullish(),
  /** The agreement's state on the service afterwards, in its own word. */
  state: z.string().nullable(),
  failure: z.string().nullable(),
});

const ArchivingFact = z.object({ kind: z.literal('archived'), document: EvidenceDocument });

/** A position of the log, stored outside the log: number of entries, and hash of the last. */
const EvidencePosition = z.object({ entries: z.number().int(), hash: z.string() });

/**
 * Entries missing after number `after`, up to and including `until`; the log has entries before and
 * after them.
 */
export const MissingEvidenceRange = z.object({ after: z.number().int(), until: z.number().int() });
export type MissingEvidenceRange = z.infer<typeof MissingEvidenceRange>;

/**
 * Restoring of all data from a backup or from a damaged file: this log lacks the later or
 * unreadable entries.
 */
const RestoreFact = z.object({
  kind: z.literal('restored'),
  /** Source of the data; default: a backup. */
  from: z.literal('damaged-file').optional(),
  /** Time at which the backup was made, or the damaged file was last written. */
  backupAt: Instant,
  /** Entries that could not be read from the damaged file. */
  unread: z.array(MissingEvidenceRange).optional(),
  /** Number of entries of the log in the backup or file; `hash` is the hash of the last. */
  entries: z.number().int(),
  hash: z.string(),
  /** Later positions of the log that were stored outside the data, if they could be read. */
  missing: z.array(EvidencePosition),
});

/**
 * Start of the move of all data to another computer: after this entry, this computer sends nothing.
 */
const MoveIntentFact = z.object({
  kind: z.literal('moving'),
  folder: z.string(),
});

/**
 * End of the move: the backup was written and opened with the person's phrase; nothing was sent
 * since the entry `moving`.
 */
const MoveFact = z.object({
  kind: z.literal('moved'),
  file: z.string(),
  bytes: z.number().int(),
  backupAt: Instant,
});

/** Reactivation of this computer. `not-moved`: the backup could not be made and does not exist. */
const ReactivationFact = z.object({
  kind: z.literal('woken'),
  because: z.enum(['person', 'not-moved']),
});

export const EvidenceFact = z.discriminatedUnion('kind', [
  ReviewFact,
  ApprovalFact,
  IntentFact,
  OutcomeFact,
  ArchivingFact,
  RestoreFact,
  MoveIntentFact,
  MoveFact,
  ReactivationFact,
]);
export type EvidenceFact = z.infer<typeof EvidenceFact>;

/**
 * The person for whom something was done, with their identity at that time; the number is masked.
 */
export const EvidencePerson = z.object({
  id: IdentityId,
  name: z.string(),
  role: z.string().nullable(),
  personNumberMasked: z.string().nullable(),
  email: z.string().nullable(),
});
export type EvidencePerson = z.infer<typeof EvidencePerson>;

/**
 * One entry of the log. `hash` covers all other properties; `previous` is the hash of the entry
 * before.
 */
export const EvidenceEntry = z.object({
  /** Number of the entry: 1 for the first, without gaps. */
  number: z.number().int(),
  at: Instant,
  /** Reference of the row in the outbox or the action journal; null if the entry has none. */
  ref: z.uuid().nullable(),
  /** Connection of the entry; null, like the agreement, if the entry is about the log itself. */
  connection: z
    .object({
      id: ConnectionId,
      name: z.string(),
      api: z.string(),
      environment: z.string(),
      origin: z.string(),
    })
    .nullable(),
  agreement: z.object({ id: AgreementKey.shape.id, title: z.string() }).nullable(),
  /** System account on the computer, and the person for whom it acted. */
  by: z.object({
    user: z.string(),
    computer: z.string(),
    person: EvidencePerson.nullable(),
  }),
  program: z.string(),
  fact: EvidenceFact,
  /** Hash of the entry before; empty for the first entry. */
  previous: z.string(),
  hash: z.string(),
});
export type EvidenceEntry = z.infer<typeof EvidenceEntry>;

/** End of the log at a certain time, stored outside the log. */
export const EvidenceAnchor = z.object({
  format: z.literal('signing-desk-evidence-anchor'),
  entries: z.number().int().min(0),
  hash: z.string(),
  at: Instant,
});
export type EvidenceAnchor = z.infer<typeof EvidenceAnchor>;

/** State of the anchors in the office's folder, as far as this program knows. */
export const AnchorState = z.object({
  /** Folder for anchors; null if the settings have none. */
  folder: z.string().nullable(),
  /** Number of entries in the last anchor; null before the first anchor. */
  entries: z.number().int().nullable(),
  at: Instant.nullable(),
  /**
   * Why later entries could not be anchored in the folder; null if they could. The program retries.
   */
  failure: Failure.nullable(),
});
export type AnchorState = z.infer<typeof AnchorState>;

/**
 * Fault of an entry. `changed`: its text does not match its hash. `missing`: a number was skipped.
 * `moved`: the entry is stored under another number. `unlinked`: it does not follow the previous
 * entry. `cut`: the log ends before an anchor's position. `replaced`: an anchor has another hash
 * for that position.
 */
export const EvidenceFault = z.object({
  number: z.number().int(),
  why: z.enum(['changed', 'missing', 'moved', 'unlinked', 'cut', 'replaced']),
});
export type EvidenceFault = z.infer<typeof EvidenceFault>;

/**
 * Gap after a restore of the data: entries after number `after`, up to `until` if known, are lost.
 */
export const EvidenceGap = z.object({
  from: z.enum(['backup', 'damaged-file']),
  after: z.number().int(),
  /**
   * Number of the last lost entry; null if no external state shows that there were more entries.
   */
  until: z.number().int().nullable(),
  backupAt: Instant,
  restoredAt: Instant,
});
export type EvidenceGap = z.infer<typeof EvidenceGap>;

export const EvidenceVerification = z.object({
  entries: z.number().int(),
  /**
   * State of the chain. `note-missing`: the external state of the log existed before and is now
   * missing.
   */
  chain: z.enum(['ok', 'note-missing', 'broken']),
  firstBroken: EvidenceFault.nullable(),
  /** Gaps, one for each restore, oldest first. */
  gaps: z.array(EvidenceGap),
  /** Number of positions stored outside the log (anchors) with which the log was compared. */
  anchors: z.number().int(),
  head: z.string(),
});
export type EvidenceVerification = z.infer<typeof EvidenceVerification>;

export const EvidenceQuery = z.object({
  key: AgreementKey.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  /** Number before which the entries are listed; for the next page. */
  before: z.number().int().optional(),
  limit: z.number().int().min(1).max(500).default(100),
});
export type EvidenceQuery = z.infer<typeof EvidenceQuery>;

const ExportedEvidence = z.object({
  file: z.string(),
  entries: z.number().int(),
  sha256: z.string(),
});

export const evidenceCalls = {
  /** Lists entries, newest first. */
  'evidence.list': call(
    EvidenceQuery,
    z.object({ items: z.array(EvidenceEntry), total: z.number().int() }),
  ),
  /**
   * Returns the connections in which the log has an agreement with this ID, by their names at that
   * time; some connections may no longer exist.
   */
  'evidence.find': call(
    AgreementKey.pick({ id: true }),
    z.array(AgreementKey.extend({ connection: z.string() })),
  ),
  /**
   * Verifies the whole chain against the credential store, the office's folder and the named anchor
   * files.
   */
  'evidence.verify': call(
    z.object({ anchors: z.array(z.string().min(1)).max(20).default([]) }),
    EvidenceVerification,
  ),
  /**
   * Exports the log. A JSON file has the entries exactly as they are hashed; `file` must not exist.
   */
  'evidence.export': call(
    EvidenceQuery.pick({ key: true, from: true, to: true }).extend({
      file: z.string().min(1),
      form: z.enum(['json', 'csv']),
    }),
    ExportedEvidence,
  ),
  /** Writes a readable PDF of everything known about one agreement; `file` must not exist. */
  'evidence.statement': call(AgreementKey.extend({ file: z.string().min(1) }), ExportedEvidence),
  /** Writes the current end of the log into a folder that the office keeps. */
  'evidence.anchor': call(
    z.object({ folder: z.string().min(1) }),
    z.object({ file: z.string(), anchor: EvidenceAnchor }),
  ),
  'evidence.lastAnchor': call(z.object({}), AnchorState),
} as const;

export const evidenceEvents = {
  'evidence.changed': z.object({}),
  /** Emitted when a new anchor was written to the office's folder, or could not be written. */
  'evidence.anchored': z.object({}),
} as const;
