import * as z from 'zod';

/** The last millisecond of the year 9999. */
export const LAST_INSTANT = 253_402_300_799_999;

/** Epoch milliseconds, of the years 0 to 9999, as the texts of both APIs say them. */
export const Instant = z.number().int().min(-62_167_219_200_000).max(LAST_INSTANT);

/** Which of the service's two APIs; a draft and a connection each belong to one. */
export const ApiName = z.enum(['v1', 'v2']);
export type ApiName = z.infer<typeof ApiName>;

export const ConnectionId = z.uuid().brand<'ConnectionId'>();
export type ConnectionId = z.infer<typeof ConnectionId>;

/** The service's own: a UUID on v1, a reference number on v2. Always text, leading zeros kept. */
export const AgreementId = z.string().min(1).max(200).brand<'AgreementId'>();
export type AgreementId = z.infer<typeof AgreementId>;

export const DraftId = z.uuid().brand<'DraftId'>();
export type DraftId = z.infer<typeof DraftId>;

export const TemplateId = z.uuid().brand<'TemplateId'>();
export type TemplateId = z.infer<typeof TemplateId>;

export const FileId = z.uuid().brand<'FileId'>();
export type FileId = z.infer<typeof FileId>;

/** One send or one signature in the outbox; on v1 it is also the tag `desk.ref` of the agreement. */
export const OutboxRef = z.uuid().brand<'OutboxRef'>();
export type OutboxRef = z.infer<typeof OutboxRef>;

/** One action on an agreement or an upload, as it stands in the journal of actions. */
export const ActionId = z.uuid().brand<'ActionId'>();
export type ActionId = z.infer<typeof ActionId>;

/** One spreadsheet's worth of sends that were confirmed together. */
export const BatchId = z.uuid().brand<'BatchId'>();
export type BatchId = z.infer<typeof BatchId>;

export const IdentityId = z.uuid().brand<'IdentityId'>();
export type IdentityId = z.infer<typeof IdentityId>;

/** Documents fetched for one review, while the program runs. */
export const ReviewId = z.uuid().brand<'ReviewId'>();
export type ReviewId = z.infer<typeof ReviewId>;

export const JobId = z.uuid().brand<'JobId'>();
export type JobId = z.infer<typeof JobId>;

/** Bytes handed over outside the call, by URL; see the hosts' private origin. */
export const BytesId = z.uuid().brand<'BytesId'>();
export type BytesId = z.infer<typeof BytesId>;

/** A call that says nothing more than that it is done. */
export const Nothing = z.object({});

/** An agreement is named by its connection and its id: two connections may know the same id. */
export const AgreementKey = z.object({ connectionId: ConnectionId, id: AgreementId });
export type AgreementKey = z.infer<typeof AgreementKey>;
