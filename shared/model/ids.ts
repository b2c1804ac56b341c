import * as z from 'zod';

/** Last millisecond of the year 9999 (epoch ms). */
export const LAST_INSTANT = 253_402_300_799_999;

/**
 * Point in time as epoch milliseconds, of the years 0 to 9999: the range of the date texts of both
 * APIs.
 */
export const Instant = z.number().int().min(-62_167_219_200_000).max(LAST_INSTANT);

/** One of the two APIs of the service; each draft and each connection belongs to one of them. */
export const ApiName = z.enum(['v1', 'v2']);
export type ApiName = z.infer<typeof ApiName>;

export const ConnectionId = z.uuid().brand<'ConnectionId'>();
export type ConnectionId = z.infer<typeof ConnectionId>;

/**
 * The service's own ID: a UUID on v1, a reference number on v2. Always text, to keep leading zeros.
 */
export const AgreementId = z.string().min(1).max(200).brand<'AgreementId'>();
export type AgreementId = z.infer<typeof AgreementId>;

export const DraftId = z.uuid().brand<'DraftId'>();
export type DraftId = z.infer<typeof DraftId>;

export const TemplateId = z.uuid().brand<'TemplateId'>();
export type TemplateId = z.infer<typeof TemplateId>;

export const FileId = z.uuid().brand<'FileId'>();
export type FileId = z.infer<typeof FileId>;

/** ID of one send or signature in the outbox; on v1 it is also the agreement's tag `desk.ref`. */
export const OutboxRef = z.uuid().brand<'OutboxRef'>();
export type OutboxRef = z.infer<typeof OutboxRef>;

/** ID of one action on an agreement or an upload, in the action journal. */
export const ActionId = z.uuid().brand<'ActionId'>();
export type ActionId = z.infer<typeof ActionId>;

/** ID of the sends of one spreadsheet that were confirmed together. */
export const BatchId = z.uuid().brand<'BatchId'>();
export type BatchId = z.infer<typeof BatchId>;

export const IdentityId = z.uuid().brand<'IdentityId'>();
export type IdentityId = z.infer<typeof IdentityId>;

/** ID of the documents fetched for one review, valid until the program ends. */
export const ReviewId = z.uuid().brand<'ReviewId'>();
export type ReviewId = z.infer<typeof ReviewId>;

export const JobId = z.uuid().brand<'JobId'>();
export type JobId = z.infer<typeof JobId>;

/**
 * ID of bytes that are transferred outside the call, by URL; see the private origin of the hosts.
 */
export const BytesId = z.uuid().brand<'BytesId'>();
export type BytesId = z.infer<typeof BytesId>;

/** Result of a call that returns no data. */
export const EmptyObject = z.object({});

/**
 * Key of an agreement: connection and ID, because two connections may have the same agreement ID.
 */
export const AgreementKey = z.object({ connectionId: ConnectionId, id: AgreementId });
export type AgreementKey = z.infer<typeof AgreementKey>;
