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
 * State of an item. `queued`: not yet in flight. `unknown`: bytes left this computer, and the
 * outcome is not known. `absent`: two full scans of the service did not find the agreement.
 * `human`: the user must decide. `duplicate`: the service has more than one. `cancelled`: stopped
 * before a byte left this computer. `abandoned`: given up while unknown, and still watched.
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
 * What the program does once it is proven that nothing was created: ask the user, or send the same
 * request again.
 */
export const OutboxPolicy = z.enum(['ask', 'auto']);
export type OutboxPolicy = z.infer<typeof OutboxPolicy>;

/** How a sent agreement is recognised on the service. */
export const SendMark = z.discriminatedUnion('by', [
  /** v1: by the tag `desk.ref`. */
  z.object({ by: z.literal('tag') }),
  /** v2: by a code at the end of the name. */
  z.object({ by: z.literal('name'), name: z.string() }),
  /** v2: by an invisible field of the service's own template. */
  z.object({ by: z.literal('field'), templateId: z.string(), field: z.string() }),
  /** v2: by the single-use token of a file that was uploaded only for this send. */
  z.object({ by: z.literal('token') }),
  /** v2: only by name and parties, which another agreement may share. */
  z.object({ by: z.literal('nothing') }),
  /** For a signature: by the agreement that was signed. */
  z.object({ by: z.literal('object') }),
]);
export type SendMark = z.infer<typeof SendMark>;

/** Progress of resolving an unknown outcome. */
export const UnknownOutcomeProgress = z.object({
  /** Number of complete scans of the service's list that found nothing; two are needed. */
  cleanPasses: z.number().int(),
  /**
   * Earliest time at which a further scan counts towards the two that are needed; null if that is
   * now.
   */
  nextPassAt: Instant.nullable(),
  /** Earliest time at which the outcome will be known; null if only the user can decide. */
  knownAt: Instant.nullable(),
});
export type UnknownOutcomeProgress = z.infer<typeof UnknownOutcomeProgress>;

export const OutboxItem = z.object({
  ref: OutboxRef,
  kind: OutboxKind,
  state: OutboxState,
  title: z.string(),
  connectionId: ConnectionId,
  /** The agreement's ID on the service; null until it is known. */
  remoteId: AgreementId.nullable(),
  draftId: DraftId.nullable(),
  /** Batch of the item, and row number in the spreadsheet (`rowNo`); null for a single send. */
  batchId: BatchId.nullable(),
  rowNo: z.number().int().nullable(),
  policy: OutboxPolicy,
  mark: SendMark,
  /**
   * Names or addresses of the notified people, each person once, or name of the signer. '' is the
   * owner of the account, whose name only the service knows.
   */
  people: z.array(z.string()),
  /** Number of attempts in which bytes may have left this computer. */
  attempts: z.number().int(),
  /** Time at which a queued item is sent; null if the item waits for the user. */
  nextAt: Instant.nullable(),
  /**
   * Whether the user chose the time: if so, the item waits for it, also when the program restarts.
   */
  isScheduled: z.boolean(),
  /**
   * The time that the user chose, even if the item was held back after it; null if none was chosen,
   * or once the user sends the item immediately.
   */
  chosenAt: Instant.nullable(),
  /** Whether the service must be scanned once before the item may be sent or sent again. */
  verify: z.boolean(),
  doubt: UnknownOutcomeProgress.nullable(),
  /** Reference of the send that this one replaces; null if it replaces none. */
  supersedes: OutboxRef.nullable(),
  reason: Failure.nullable(),
  /**
   * Number of files uploaded so far, if files must be uploaded before the agreement can be sent.
   */
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

export const ConnectionGate = z.object({
  connectionId: ConnectionId,
  kind: GateKind,
  /** Time at which the gate opens automatically; null if more than time is needed. */
  until: Instant.nullable(),
  reason: Failure.nullable(),
  since: Instant,
});
export type ConnectionGate = z.infer<typeof ConnectionGate>;

export const BatchGate = z.enum(['open', 'paused', 'stopped', 'asks']);
export type BatchGate = z.infer<typeof BatchGate>;

export const OutboxCounts = z.record(OutboxState, z.number().int());
export type OutboxCounts = z.infer<typeof OutboxCounts>;

/** A batch in the outbox, with its pending and sent rows, and whether it may continue. */
export const OutboxBatch = z.object({
  batchId: BatchId,
  connectionId: ConnectionId,
  title: z.string(),
  policy: OutboxPolicy,
  /**
   * Whether the batch may continue. `asks`: the program stopped the batch until the user resumes
   * it.
   */
  gate: BatchGate,
  reason: Failure.nullable(),
  /** Number of refused rows after which the batch stops automatically; null: never. */
  stopAfter: z.number().int().nullable(),
  armedAt: Instant,
  rows: z.number().int(),
  counts: OutboxCounts,
  /**
   * Number of rows that wait for the user. Excludes refused rows that are in a later batch of the
   * same file.
   */
  needsPerson: z.number().int(),
});
export type OutboxBatch = z.infer<typeof OutboxBatch>;

export const OutboxAttempt = z.object({
  number: z.number().int(),
  startedAt: Instant,
  endedAt: Instant.nullable(),
  /** Whether bytes may have left this computer; false if it is proven that none did. */
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
  /** Whether the agreement has the mark of this send; if not, it only resembles the send. */
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
 * The user's decision about an unknown outcome. `sent` needs the agreement's ID, which is read
 * back; `resend` sends the same bytes again; `abandon` returns the send to drafts; `keep` chooses
 * the valid one of duplicates.
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
   * Lists the rows of one batch or, without a batch, the items of no batch: open ones first, then
   * those of the last 30 days; newest first. `needsPerson`: only the rows that the batch's
   * `needsPerson` includes.
   */
  'outbox.list': call(
    z.object({ batchId: BatchId.optional(), needsPerson: z.boolean().optional() }),
    z.array(OutboxItem),
  ),
  /** Lists batches with open rows, and those of the last 30 days; newest first. */
  'outbox.batches': call(z.object({}), z.array(OutboxBatch)),
  'outbox.show': call(z.object({ ref: OutboxRef }), OutboxItem),
  'outbox.history': call(z.object({ ref: OutboxRef }), OutboxHistory),
  /** Returns a queued or rejected send to the drafts, where the user can edit it again. */
  'outbox.undo': call(z.object({ ref: OutboxRef }), z.object({ draftId: DraftId.nullable() })),
  'outbox.sendNow': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** Reads the result of a send with an unknown outcome from the service. Sends nothing. */
  'outbox.look': call(z.object({ ref: OutboxRef }), OutboxItem),
  /**
   * Records the user's decision about an unknown outcome, together with the data they were shown.
   */
  'outbox.settle': call(z.object({ ref: OutboxRef, decision: ManualDecision }), OutboxItem),
  /** Sends and resolves items until none can progress without waiting or the user. */
  'outbox.run': call(z.object({}), z.array(OutboxItem)),
  /**
   * Permanently stops new sends in this process; returns once the sends in flight have ended.
   * Unsent items stay in the outbox for the next process.
   */
  'outbox.halt': call(z.object({}), EmptyObject),
  'outbox.gates': call(z.object({}), z.array(ConnectionGate)),
  /** Stops all sends through the connection until `outbox.resume`. */
  'outbox.pause': call(z.object({ connectionId: ConnectionId }), EmptyObject),
  /** Opens the connection's closed gates: the user confirms that their cause is fixed. */
  'outbox.resume': call(z.object({ connectionId: ConnectionId }), EmptyObject),
} as const;

export const outboxEvents = {
  'outbox.changed': z.object({ ref: OutboxRef }),
  'outbox.gatesChanged': z.object({ connectionId: ConnectionId }),
} as const;
