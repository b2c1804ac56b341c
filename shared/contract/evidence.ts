import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { AgreementKey, ConnectionId, IdentityId, Instant } from '../model/ids.ts';

/** A document as it was when it was read: what the hash covers is the file's bytes. */
export const EvidenceDocument = z.object({
  /** v1: the attachment's UUID. Null for the concluded PDF. */
  id: z.string().nullable(),
  name: z.string(),
  bytes: z.number().int(),
  sha256: z.string(),
});
export type EvidenceDocument = z.infer<typeof EvidenceDocument>;

const Act = z.enum(['sign', 'reject']);

const Reviewed = z.object({
  kind: z.literal('reviewed'),
  /** here: every document was opened in the program. elsewhere: the person states to have read it. */
  how: z.enum(['here', 'elsewhere']),
  documents: z.array(EvidenceDocument),
});

const Approved = z.object({
  kind: z.literal('approved'),
  /** The number of the review that was approved. */
  review: z.number().int(),
  /** Between two desks of an office: `by` which seat it was approved, or `for` which one. */
  office: z
    .object({
      id: z.uuid(),
      by: z.string().optional(),
      for: z.string().optional(),
      /** When it was decided there, by the office's clock. */
      at: Instant.optional(),
    })
    .optional(),
});

/** Written before the first byte of the request leaves. */
const Intended = z.object({
  kind: z.literal('intended'),
  act: Act,
  party: z.object({ id: z.string(), name: z.string(), orgNo: z.string().nullable() }),
  /** Everyone in the agreement, as the service gave it at that moment. */
  parties: z.array(z.object({ name: z.string(), state: z.string() })),
  documents: z.array(EvidenceDocument),
  review: z.number().int().nullable(),
  approval: z.number().int().nullable(),
  requestSha256: z.string(),
  /** reject: of the person it is done for, who need not be one of ours. */
  personNumberMasked: z.string().optional(),
  /** The time that stands in the signature; the same on every try. */
  signedAt: Instant.nullable(),
});

/** What became of an intent; the last one of several counts. */
const Ended = z.object({
  kind: z.literal('ended'),
  act: Act,
  /** The number of the intent. */
  intent: z.number().int(),
  outcome: z.enum(['done', 'refused', 'unknown', 'not-done']),
  /** answer: the service said so. read: it shows so. person: somebody decided. */
  known: z.enum(['answer', 'read', 'person', 'program']),
  /** The date of the answer, by the service's clock; null when none was heard. */
  serverAt: Instant.nullish(),
  /** The agreement's state on the service afterwards, in its own word. */
  state: z.string().nullable(),
  failure: z.string().nullable(),
});

/** The concluded PDF was saved. */
const Archived = z.object({ kind: z.literal('archived'), document: EvidenceDocument });

/** Where the log stood once, kept outside of it: how many entries, and the hash of the last. */
const Place = z.object({ entries: z.number().int(), hash: z.string() });

/** Entries after `after`, up to `until`, which stand between others. */
export const EvidenceHole = z.object({ after: z.number().int(), until: z.number().int() });
export type EvidenceHole = z.infer<typeof EvidenceHole>;

/**
 * All the data was taken out of a backup, or read out of a damaged file: what was written after the
 * backup, or could not be read, is not in this log.
 */
const Restored = z.object({
  kind: z.literal('restored'),
  /** A backup, where it does not say. */
  from: z.literal('damaged-file').optional(),
  /** When the backup was made, or the damaged file was written last. */
  backupAt: Instant,
  /** What a damaged file did not give. */
  unread: z.array(EvidenceHole).optional(),
  /** Where the log ended in it. */
  entries: z.number().int(),
  hash: z.string(),
  /** Later places of it that were noted outside of the data, as far as that could be read. */
  missing: z.array(Place),
});

/** All the data goes to another computer: from here on nothing leaves this one. */
const Moving = z.object({
  kind: z.literal('moving'),
  /** Where the backup goes. */
  folder: z.string(),
});

/** The backup was written and opened with the person's words; nothing has left since `moving`. */
const Moved = z.object({
  kind: z.literal('moved'),
  file: z.string(),
  bytes: z.number().int(),
  backupAt: Instant,
});

/** This computer goes on after all. not-moved: the backup could not be made, and nobody has one. */
const Woken = z.object({ kind: z.literal('woken'), because: z.enum(['person', 'not-moved']) });

export const EvidenceFact = z.discriminatedUnion('kind', [
  Reviewed,
  Approved,
  Intended,
  Ended,
  Archived,
  Restored,
  Moving,
  Moved,
  Woken,
]);
export type EvidenceFact = z.infer<typeof EvidenceFact>;

/** The person for whom something was done, as the identity stood then; the number masked. */
export const EvidencePerson = z.object({
  id: IdentityId,
  name: z.string(),
  role: z.string().nullable(),
  personNumberMasked: z.string().nullable(),
  email: z.string().nullable(),
});
export type EvidencePerson = z.infer<typeof EvidencePerson>;

/** One entry of the log. `hash` covers all the rest, and `previous` is the hash of the one before. */
export const EvidenceEntry = z.object({
  /** 1 for the first; without gaps. */
  number: z.number().int(),
  at: Instant,
  /** The row of the outbox or of the journal of actions. */
  ref: z.uuid().nullable(),
  /** Null, as the agreement, where an entry is about the log itself. */
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
  /** The account of the computer, and the person it stood for. */
  by: z.object({
    user: z.string(),
    computer: z.string(),
    person: EvidencePerson.nullable(),
  }),
  program: z.string(),
  fact: EvidenceFact,
  /** Empty for the first. */
  previous: z.string(),
  hash: z.string(),
});
export type EvidenceEntry = z.infer<typeof EvidenceEntry>;

/** Where the log ended at a time, kept outside of it. */
export const EvidenceAnchor = z.object({
  format: z.literal('signing-desk-evidence-anchor'),
  entries: z.number().int().min(0),
  hash: z.string(),
  at: Instant,
});
export type EvidenceAnchor = z.infer<typeof EvidenceAnchor>;

/** What the office's folder holds of it, as far as this program knows. */
export const AnchorState = z.object({
  /** Null when the settings name none. */
  folder: z.string().nullable(),
  /** Of the last anchor; null before the first. */
  entries: z.number().int().nullable(),
  at: Instant.nullable(),
  /** Why what came since could not be noted there; it is tried again. */
  failure: Failure.nullable(),
});
export type AnchorState = z.infer<typeof AnchorState>;

/**
 * changed: its text does not give its hash. missing: a number was left out. moved: it stands at
 * another number than its own. unlinked: it does not follow from the one before. cut: the log ends
 * before an anchor's place. replaced: an anchor holds another hash for that place.
 */
export const EvidenceBreak = z.object({
  number: z.number().int(),
  why: z.enum(['changed', 'missing', 'moved', 'unlinked', 'cut', 'replaced']),
});
export type EvidenceBreak = z.infer<typeof EvidenceBreak>;

/** The data was restored: what the log held after `after`, up to `until` if that is known, is gone. */
export const EvidenceGap = z.object({
  from: z.enum(['backup', 'damaged-file']),
  after: z.number().int(),
  /** Null: no note outside says that there was more. */
  until: z.number().int().nullable(),
  backupAt: Instant,
  restoredAt: Instant,
});
export type EvidenceGap = z.infer<typeof EvidenceGap>;

export const EvidenceVerdict = z.object({
  entries: z.number().int(),
  /** note-missing: it was noted outside of the data how far the log had come, and is no longer. */
  chain: z.enum(['ok', 'note-missing', 'broken']),
  firstBroken: EvidenceBreak.nullable(),
  /** Of each time that the data was restored, oldest first. */
  gaps: z.array(EvidenceGap),
  /** The places outside the log it was compared with. */
  anchors: z.number().int(),
  head: z.string(),
});
export type EvidenceVerdict = z.infer<typeof EvidenceVerdict>;

export const EvidenceQuery = z.object({
  key: AgreementKey.optional(),
  from: Instant.optional(),
  to: Instant.optional(),
  /** Entries before this number; for the page after. */
  before: z.number().int().optional(),
  limit: z.number().int().min(1).max(500).default(100),
});
export type EvidenceQuery = z.infer<typeof EvidenceQuery>;

const Written = z.object({ file: z.string(), entries: z.number().int(), sha256: z.string() });

export const evidenceCalls = {
  /** Newest first. */
  'evidence.list': call(
    EvidenceQuery,
    z.object({ items: z.array(EvidenceEntry), total: z.number().int() }),
  ),
  /** Where the log knows an agreement from, by connections as they were called; some may be gone. */
  'evidence.find': call(
    AgreementKey.pick({ id: true }),
    z.array(AgreementKey.extend({ connection: z.string() })),
  ),
  /**
   * Proves the whole chain, against what the credential store and the office's folder noted, and
   * the anchor files named.
   */
  'evidence.verify': call(
    z.object({ anchors: z.array(z.string().min(1)).max(20).default([]) }),
    EvidenceVerdict,
  ),
  /** JSON holds the entries exactly as they are hashed; `file` must not exist. */
  'evidence.export': call(
    EvidenceQuery.pick({ key: true, from: true, to: true }).extend({
      file: z.string().min(1),
      form: z.enum(['json', 'csv']),
    }),
    Written,
  ),
  /** A readable PDF of everything known about one agreement; `file` must not exist. */
  'evidence.statement': call(AgreementKey.extend({ file: z.string().min(1) }), Written),
  /** Writes where the log ends now into a folder the office keeps. */
  'evidence.anchor': call(
    z.object({ folder: z.string().min(1) }),
    z.object({ file: z.string(), anchor: EvidenceAnchor }),
  ),
  'evidence.lastAnchor': call(z.object({}), AnchorState),
} as const;

export const evidenceEvents = {
  'evidence.changed': z.object({}),
  /** Another anchor stands in the office's folder, or could not be put there. */
  'evidence.anchored': z.object({}),
} as const;
