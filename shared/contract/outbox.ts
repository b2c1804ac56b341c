import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  Instant,
  Nothing,
  OutboxRef,
} from '../model/ids.ts';

const OutboxKind = z.enum(['create', 'sign']);

/**
 * queued: not yet on the wire. unknown: bytes left, and no one knows what became of them. absent:
 * the service was asked twice in full and has none. human: a person must decide. duplicate: the
 * service has more than one. cancelled: stopped before a byte left. abandoned: given up while
 * unknown, and still watched.
 */
export const OutboxState = z.enum([
  'queued',
  'sending',
  'sent',
  'rejected',
  'unknown',
  'absent',
  'human',
  'duplicate',
  'cancelled',
  'abandoned',
]);
export type OutboxState = z.infer<typeof OutboxState>;

/** What happens once it is proven that nothing was made: ask a person, or send the same again. */
export const OutboxPolicy = z.enum(['ask', 'auto']);
export type OutboxPolicy = z.infer<typeof OutboxPolicy>;

/** How an agreement is known again as the one that was sent. */
export const Mark = z.discriminatedUnion('by', [
  /** v1: the tag `desk.ref`. */
  z.object({ by: z.literal('tag') }),
  /** v2: a code at the end of the name. */
  z.object({ by: z.literal('name'), name: z.string() }),
  /** v2: a field of the service's own template that nobody sees. */
  z.object({ by: z.literal('field'), templateId: z.string(), field: z.string() }),
  /** v2: the single-use token of a file that was uploaded for this send only. */
  z.object({ by: z.literal('token') }),
  /** v2: name and parties only, which another agreement may have too. */
  z.object({ by: z.literal('nothing') }),
  /** A signature: the one agreement it was put on. */
  z.object({ by: z.literal('object') }),
]);
export type Mark = z.infer<typeof Mark>;

/** What is being done about an outcome that is not known. */
export const OutboxDoubt = z.object({
  /** Complete scans over the service's list that showed nothing; two are needed. */
  cleanPasses: z.number().int(),
  /** When the next scan may count; null when it can be made now. */
  nextPassAt: Instant.nullable(),
  /** When it will be known at the earliest; null when only a person can tell. */
  knownAt: Instant.nullable(),
});
export type OutboxDoubt = z.infer<typeof OutboxDoubt>;

export const OutboxItem = z.object({
  ref: OutboxRef,
  kind: OutboxKind,
  state: OutboxState,
  title: z.string(),
  connectionId: ConnectionId,
  /** The agreement's own id, once known. */
  remoteId: AgreementId.nullable(),
  draftId: DraftId.nullable(),
  /** The batch it belongs to, and the spreadsheet's own number of its row. */
  batchId: BatchId.nullable(),
  rowNo: z.number().int().nullable(),
  policy: OutboxPolicy,
  mark: Mark,
  /** Names of the people notified, or of the one who signs. */
  people: z.array(z.string()),
  /** How often bytes may have left this computer. */
  attempts: z.number().int(),
  /** When a queued item goes out; null waits for a person. */
  nextAt: Instant.nullable(),
  /** A person chose the time: it waits for that time through restarts. */
  isScheduled: z.boolean(),
  /** That time, whatever has held the item back since; null once a person said that it goes at once. */
  chosenAt: Instant.nullable(),
  /** The service is scanned once before it may go out (again). */
  verify: z.boolean(),
  doubt: OutboxDoubt.nullable(),
  /** The send that this one takes the place of. */
  supersedes: OutboxRef.nullable(),
  /** Why it is where it is. */
  reason: Failure.nullable(),
  /** Files that went up so far, while some have to before the agreement itself can be sent. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type OutboxItem = z.infer<typeof OutboxItem>;

/** Why nothing goes out through a connection. */
export const GateKind = z.enum([
  'rate',
  'auth',
  'offline',
  'clock',
  'disk',
  'keychain',
  'breaker',
  'user',
  'update',
  'office',
]);
export type GateKind = z.infer<typeof GateKind>;

export const Gate = z.object({
  connectionId: ConnectionId,
  kind: GateKind,
  /** When it opens by itself; null when that takes more than time. */
  until: Instant.nullable(),
  reason: Failure.nullable(),
  since: Instant,
});
export type Gate = z.infer<typeof Gate>;

export const BatchGate = z.enum(['open', 'paused', 'stopped', 'asks']);
export type BatchGate = z.infer<typeof BatchGate>;

export const OutboxCounts = z.record(OutboxState, z.number().int());
export type OutboxCounts = z.infer<typeof OutboxCounts>;

/** A batch as the outbox knows it: what waits, what went out, and whether it may go on. */
export const OutboxBatch = z.object({
  batchId: BatchId,
  connectionId: ConnectionId,
  title: z.string(),
  policy: OutboxPolicy,
  /** asks: stopped by the program, until a person says that it goes on. */
  gate: BatchGate,
  reason: Failure.nullable(),
  /** Refusals after which it stops by itself; null never. */
  stopAfter: z.number().int().nullable(),
  armedAt: Instant,
  rows: z.number().int(),
  counts: OutboxCounts,
  /**
   * Rows that stay as they are until a person does something about them. Refused ones that stand in
   * a later batch of the same file are not among them.
   */
  needsPerson: z.number().int(),
});
export type OutboxBatch = z.infer<typeof OutboxBatch>;

export const OutboxAttempt = z.object({
  number: z.number().int(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  /** False: proven that not one byte left. */
  left: z.boolean(),
  outcome: z.string().nullable(),
  failure: Failure.nullable(),
});
export type OutboxAttempt = z.infer<typeof OutboxAttempt>;

/** Why a scan over the service's list proves nothing. */
export const IncompleteReason = z.enum([
  'not-reached',
  'unstable',
  'no-tags',
  'no-canary',
  'other-user',
  'too-early',
]);
export type IncompleteReason = z.infer<typeof IncompleteReason>;

export const OutboxScan = z.object({
  number: z.number().int(),
  startedAt: Instant,
  endedAt: Instant,
  from: Instant,
  pages: z.number().int(),
  agreements: z.number().int(),
  isComplete: z.boolean(),
  lack: IncompleteReason.nullable(),
});
export type OutboxScan = z.infer<typeof OutboxScan>;

/** An agreement of the service that is, or could be, what became of a send. */
const OutboxCandidate = z.object({
  id: AgreementId,
  title: z.string(),
  sentAt: Instant.nullable(),
  state: z.string(),
  /** It carries the mark of this send; else it only looks like it. */
  isMarked: z.boolean(),
});
type OutboxCandidate = z.infer<typeof OutboxCandidate>;

export const OutboxStep = z.object({
  at: Instant,
  from: OutboxState.nullable(),
  to: OutboxState,
  cause: z.string(),
  actor: z.string(),
});
export type OutboxStep = z.infer<typeof OutboxStep>;

/** All that a decision about a send rests on. */
export const OutboxHistory = z.object({
  item: OutboxItem,
  attempts: z.array(OutboxAttempt),
  passes: z.array(OutboxScan),
  candidates: z.array(OutboxCandidate),
  journal: z.array(OutboxStep),
});
export type OutboxHistory = z.infer<typeof OutboxHistory>;

/**
 * `sent` needs the agreement's id, which is read back; `resend` sends the same bytes once more;
 * `abandon` gives the draft back; `keep` is for a duplicate: this one counts.
 */
export const Settlement = z.discriminatedUnion('as', [
  z.object({ as: z.literal('sent'), remoteId: AgreementId }),
  z.object({ as: z.literal('resend') }),
  z.object({ as: z.literal('abandon') }),
  z.object({ as: z.literal('keep'), remoteId: AgreementId }),
]);
export type Settlement = z.infer<typeof Settlement>;

export const outboxCalls = {
  /**
   * Rows of one batch, or, without it, those of none: open ones first, then those of the last 30
   * days; newest first. `needsPerson`: of a batch only those it counts as such.
   */
  'outbox.list': call(
    z.object({ batchId: BatchId.optional(), needsPerson: z.boolean().optional() }),
    z.array(OutboxItem),
  ),
  /** Batches with something open, and those of the last 30 days; newest first. */
  'outbox.batches': call(z.object({}), z.array(OutboxBatch)),
  'outbox.show': call(z.object({ ref: OutboxRef }), OutboxItem),
  'outbox.history': call(z.object({ ref: OutboxRef }), OutboxHistory),
  /** Takes a queued or rejected send back: its draft can be edited again. */
  'outbox.undo': call(z.object({ ref: OutboxRef }), z.object({ draftId: DraftId.nullable() })),
  'outbox.sendNow': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** Reads from the service what became of an unknown outcome. Sends nothing. */
  'outbox.look': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** A person's recorded decision about an unknown outcome; what they were shown is kept with it. */
  'outbox.settle': call(z.object({ ref: OutboxRef, decision: Settlement }), OutboxItem),
  /** Works until nothing can move without time or a person. */
  'outbox.run': call(z.object({}), z.array(OutboxItem)),
  /**
   * Begins no further send in this process, for good; ends once those on the wire have. What was
   * not sent stays in the outbox for the next process.
   */
  'outbox.halt': call(z.object({}), Nothing),
  'outbox.gates': call(z.object({}), z.array(Gate)),
  /** Nothing more goes out through the connection until `outbox.resume`. */
  'outbox.pause': call(z.object({ connectionId: ConnectionId }), Nothing),
  /** A person says that what closed the connection's gates is mended. */
  'outbox.resume': call(z.object({ connectionId: ConnectionId }), Nothing),
} as const;

export const outboxEvents = {
  'outbox.changed': z.object({ ref: OutboxRef }),
  'outbox.gatesChanged': z.object({ connectionId: ConnectionId }),
} as const;
