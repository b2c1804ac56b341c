import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import {
  AgreementId,
  BatchId,
  ConnectionId,
  DraftId,
  Instant,
  EmptyObject,
  OutboxRef,
} from '../model/ids.ts';

const OutboxKind = z.enum(['create', 'sign']);

/**
 * queued: not yet in flight. unknown: bytes left, and the outcome is not known. absent: two full
 * scans of the service did not find it. human: the user must decide. duplicate: the service has
 * more than one. cancelled: stopped before a byte left. abandoned: given up while unknown, and
 * still watched.
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

/**
 * What happens once it is proven that nothing was created: ask the user, or send the same again.
 */
export const OutboxPolicy = z.enum(['ask', 'auto']);
export type OutboxPolicy = z.infer<typeof OutboxPolicy>;

/** How a sent agreement is recognised on the service. */
export const Mark = z.discriminatedUnion('by', [
  /** v1: the tag `desk.ref`. */
  z.object({ by: z.literal('tag') }),
  /** v2: a code at the end of the name. */
  z.object({ by: z.literal('name'), name: z.string() }),
  /** v2: an invisible field of the service's own template. */
  z.object({ by: z.literal('field'), templateId: z.string(), field: z.string() }),
  /** v2: the single-use token of a file that was uploaded only for this send. */
  z.object({ by: z.literal('token') }),
  /** v2: only name and parties, which another agreement may share. */
  z.object({ by: z.literal('nothing') }),
  /** A signature: the one agreement it was put on. */
  z.object({ by: z.literal('object') }),
]);
export type Mark = z.infer<typeof Mark>;

/** Progress of resolving an unknown outcome. */
export const UnknownOutcomeProgress = z.object({
  /** Complete scans of the service's list that found nothing; two are needed. */
  cleanPasses: z.number().int(),
  /** When the next scan may count; null: now. */
  nextPassAt: Instant.nullable(),
  /** Earliest time at which it will be known; null if only the user can decide. */
  knownAt: Instant.nullable(),
});
export type UnknownOutcomeProgress = z.infer<typeof UnknownOutcomeProgress>;

export const OutboxItem = z.object({
  ref: OutboxRef,
  kind: OutboxKind,
  state: OutboxState,
  title: z.string(),
  connectionId: ConnectionId,
  /** The agreement's ID on the service, once known. */
  remoteId: AgreementId.nullable(),
  draftId: DraftId.nullable(),
  /** Its batch, and its row number in the spreadsheet. */
  batchId: BatchId.nullable(),
  rowNo: z.number().int().nullable(),
  policy: OutboxPolicy,
  mark: Mark,
  /** Names of the notified people, or of the signer. */
  people: z.array(z.string()),
  /** How often bytes may have left this computer. */
  attempts: z.number().int(),
  /** When a queued item is sent; null waits for the user. */
  nextAt: Instant.nullable(),
  /** The user chose the time: the item waits for it through restarts. */
  isScheduled: z.boolean(),
  /**
   * The chosen time, even if the item was held back since; null once the user sends it immediately.
   */
  chosenAt: Instant.nullable(),
  /** The service is scanned once before it may be sent (again). */
  verify: z.boolean(),
  doubt: UnknownOutcomeProgress.nullable(),
  /** The send that this one replaces. */
  supersedes: OutboxRef.nullable(),
  reason: Failure.nullable(),
  /** Uploaded files so far, if files must be uploaded before the agreement can be sent. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type OutboxItem = z.infer<typeof OutboxItem>;

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
  /** When it opens automatically; null if it needs more than time. */
  until: Instant.nullable(),
  reason: Failure.nullable(),
  since: Instant,
});
export type Gate = z.infer<typeof Gate>;

export const BatchGate = z.enum(['open', 'paused', 'stopped', 'asks']);
export type BatchGate = z.infer<typeof BatchGate>;

export const OutboxCounts = z.record(OutboxState, z.number().int());
export type OutboxCounts = z.infer<typeof OutboxCounts>;

/** A batch in the outbox: pending and sent rows, and whether it may continue. */
export const OutboxBatch = z.object({
  batchId: BatchId,
  connectionId: ConnectionId,
  title: z.string(),
  policy: OutboxPolicy,
  /** asks: stopped by the program until the user resumes it. */
  gate: BatchGate,
  reason: Failure.nullable(),
  /** Number of refusals after which it stops automatically; null: never. */
  stopAfter: z.number().int().nullable(),
  armedAt: Instant,
  rows: z.number().int(),
  counts: OutboxCounts,
  /**
   * Rows that wait for the user. Excludes refused rows that are in a later batch of the same file.
   */
  needsPerson: z.number().int(),
});
export type OutboxBatch = z.infer<typeof OutboxBatch>;

export const OutboxAttempt = z.object({
  number: z.number().int(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  /** False: proven that no byte left. */
  left: z.boolean(),
  outcome: z.string().nullable(),
  failure: Failure.nullable(),
});
export type OutboxAttempt = z.infer<typeof OutboxAttempt>;

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

/** An agreement of the service that is, or could be, the result of a send. */
const OutboxCandidate = z.object({
  id: AgreementId,
  title: z.string(),
  sentAt: Instant.nullable(),
  state: z.string(),
  /** It carries the mark of this send; otherwise it only looks like it. */
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

/** Everything that a decision about a send is based on. */
export const OutboxHistory = z.object({
  item: OutboxItem,
  attempts: z.array(OutboxAttempt),
  passes: z.array(OutboxScan),
  candidates: z.array(OutboxCandidate),
  journal: z.array(OutboxStep),
});
export type OutboxHistory = z.infer<typeof OutboxHistory>;

/**
 * `sent` needs the agreement's ID, which is read back; `resend` sends the same bytes again;
 * `abandon` returns it to drafts; `keep` chooses the valid one of duplicates.
 */
export const ManualDecision = z.discriminatedUnion('as', [
  z.object({ as: z.literal('sent'), remoteId: AgreementId }),
  z.object({ as: z.literal('resend') }),
  z.object({ as: z.literal('abandon') }),
  z.object({ as: z.literal('keep'), remoteId: AgreementId }),
]);
export type ManualDecision = z.infer<typeof ManualDecision>;

export const outboxCalls = {
  /**
   * Rows of one batch or, without it, rows of no batch: open ones first, then those of the last 30
   * days; newest first. `needsPerson`: only the rows of the batch that it counts.
   */
  'outbox.list': call(
    z.object({ batchId: BatchId.optional(), needsPerson: z.boolean().optional() }),
    z.array(OutboxItem),
  ),
  /** Batches with open rows, and those of the last 30 days; newest first. */
  'outbox.batches': call(z.object({}), z.array(OutboxBatch)),
  'outbox.show': call(z.object({ ref: OutboxRef }), OutboxItem),
  'outbox.history': call(z.object({ ref: OutboxRef }), OutboxHistory),
  /** Returns a queued or rejected send to drafts, where it can be edited again. */
  'outbox.undo': call(z.object({ ref: OutboxRef }), z.object({ draftId: DraftId.nullable() })),
  'outbox.sendNow': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** Reads the result of an unknown outcome from the service. Sends nothing. */
  'outbox.look': call(z.object({ ref: OutboxRef }), OutboxItem),
  /**
   * Records the user's decision about an unknown outcome, together with the data they were shown.
   */
  'outbox.settle': call(z.object({ ref: OutboxRef, decision: ManualDecision }), OutboxItem),
  /** Works until nothing can progress without time or the user. */
  'outbox.run': call(z.object({}), z.array(OutboxItem)),
  /**
   * Permanently stops new sends in this process; returns once those in flight have ended. Unsent
   * items stay in the outbox for the next process.
   */
  'outbox.halt': call(z.object({}), EmptyObject),
  'outbox.gates': call(z.object({}), z.array(Gate)),
  /** Sends nothing through the connection until `outbox.resume`. */
  'outbox.pause': call(z.object({ connectionId: ConnectionId }), EmptyObject),
  /** The user confirms that the cause of the connection's closed gates is fixed. */
  'outbox.resume': call(z.object({ connectionId: ConnectionId }), EmptyObject),
} as const;

export const outboxEvents = {
  'outbox.changed': z.object({ ref: OutboxRef }),
  'outbox.gatesChanged': z.object({ connectionId: ConnectionId }),
} as const;
