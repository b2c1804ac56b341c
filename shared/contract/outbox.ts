import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { AgreementId, ConnectionId, DraftId, Instant, OutboxRef } from './ids.ts';

export const OutboxKind = z.enum(['create', 'sign']);

/** queued: not yet on the wire. unknown: bytes left, and no one knows what became of them. */
export const OutboxState = z.enum([
  'queued',
  'sending',
  'sent',
  'rejected',
  'unknown',
  'abandoned',
]);
export type OutboxState = z.infer<typeof OutboxState>;

export const OutboxItem = z.object({
  ref: OutboxRef,
  kind: OutboxKind,
  state: OutboxState,
  title: z.string(),
  connectionId: ConnectionId,
  /** The agreement's own id, once known. */
  remoteId: AgreementId.nullable(),
  draftId: DraftId.nullable(),
  /** Names of the people told, or of the one who signs. */
  people: z.array(z.string()),
  /** How often bytes may have left this computer. */
  attempts: z.number().int(),
  /** When a queued item goes out; null waits for a person. */
  nextAt: Instant.nullable(),
  /** Why it is where it is. */
  reason: Failure.nullable(),
  /** Files that went up so far, while some have to before the agreement itself can be sent. */
  progress: z.object({ done: z.number().int(), total: z.number().int() }).optional(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type OutboxItem = z.infer<typeof OutboxItem>;

/** `sent` needs the agreement's id, which is read back; `abandon` gives the draft back. */
export const Settlement = z.discriminatedUnion('as', [
  z.object({ as: z.literal('sent'), remoteId: AgreementId }),
  z.object({ as: z.literal('abandon') }),
]);

export const outboxCalls = {
  /** Open items first, then those of the last 30 days; newest first. */
  'outbox.list': call(z.object({}), z.array(OutboxItem)),
  'outbox.show': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** Takes a queued or rejected send back: its draft can be edited again. */
  'outbox.undo': call(z.object({ ref: OutboxRef }), z.object({ draftId: DraftId.nullable() })),
  'outbox.sendNow': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** Looks on the service for what became of an unknown outcome. Sends nothing. */
  'outbox.look': call(z.object({ ref: OutboxRef }), OutboxItem),
  /** A person's recorded decision about an unknown outcome. */
  'outbox.settle': call(z.object({ ref: OutboxRef, decision: Settlement }), OutboxItem),
  /** Works until nothing can move without time or a person. */
  'outbox.run': call(z.object({}), z.array(OutboxItem)),
} as const;

export const outboxEvents = { 'outbox.changed': z.object({ ref: OutboxRef }) } as const;
