import * as z from 'zod';
import { Failure } from '../errors.ts';
import { PartyNotification, RemoteExtras } from '../model/remote-extras.ts';
import { AgreementDetails, SavedFile } from './agreements.ts';
import { call } from './call.ts';
import { ActionId, AgreementId, AgreementKey, ConnectionId, Instant } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** What can be done with an agreement on the service beside sending, signing and its PDF. */
export const ActionName = z.enum([
  'revoke',
  'remove',
  'change',
  'correctEmail',
  'replaceRecipients',
  'silence',
  'remind',
  'reject',
  'share',
  'fieldValues',
  'raw',
  'rawXml',
  'signingLink',
  'saveDocuments',
  'uploads',
]);
export type ActionName = z.infer<typeof ActionName>;

/**
 * Why an action is not offered: the API lacks it, the agreement belongs to somebody else, or is not
 * in a state for it.
 */
export const ActionReason = z.enum([
  'v1-cannot-reject',
  'v1-cannot-share',
  'v1-has-no-template-fields',
  'v1-has-no-xml',
  'v1-has-no-uploads',
  'v2-cannot-change',
  'v2-cannot-remind',
  'v2-has-no-signing-links',
  'v2-has-no-attachments',
  'not-sent',
  'not-open',
  'only-rejected',
  'not-owner',
  'no-delete-right',
  'deleted',
  'no-access',
  /** The connection is for trying, and the new address is none that it reaches. */
  'not-reached',
]);
export type ActionReason = z.infer<typeof ActionReason>;

// ---------------------------------------------------------------- the journal of actions

/** Actions that change something; each is written down before its request leaves. */
export const ActionKind = z.enum([
  'revoke',
  'remove',
  'change',
  'correct-email',
  'replace-recipients',
  'silence',
  'remind',
  'reject',
  'share',
  'upload-add',
  'upload-remove',
]);
export type ActionKind = z.infer<typeof ActionKind>;

/** refused: nothing was changed. unknown: bytes left, and no one knows what became of them. */
export const ActionState = z.enum(['queued', 'sending', 'done', 'refused', 'unknown']);
export type ActionState = z.infer<typeof ActionState>;

export const ActionRow = z.object({
  actionId: ActionId,
  kind: ActionKind,
  state: ActionState,
  connectionId: ConnectionId,
  /** Null for uploads. */
  agreementId: AgreementId.nullable(),
  title: z.string(),
  /** The party, notification or upload it is about, by id; never a person's number. */
  partyId: z.string().nullable(),
  notificationId: z.string().nullable(),
  token: z.string().nullable(),
  /** The name of the rule that did it; null where a person did. */
  rule: z.string().nullable(),
  /** Why it is where it is. */
  failure: Failure.nullable(),
  /** From the answer to a revoke; API v2 tells it nowhere else. */
  revokedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ActionRow = z.infer<typeof ActionRow>;

// ---------------------------------------------------------------- several agreements at once

const ActedOn = AgreementKey.extend({ title: z.string() });

/** Result of the jobs that act on several agreements. */
export const ActionsResult = z.object({
  done: z.array(
    ActedOn.extend({
      /** It was so already, as the service says or as was read back. */
      wasAlready: z.boolean(),
      /** The service's own sentence, where it says one (v2 delete). */
      told: z.string().nullable(),
      /** How many notifications were asked to go out again; 0 for other actions. */
      reminded: z.number().int(),
    }),
  ),
  failed: z.array(ActedOn.extend({ failure: Failure })),
  unknown: z.array(ActedOn.extend({ failure: Failure })),
});
export type ActionsResult = z.infer<typeof ActionsResult>;

const Several = z.object({
  keys: z.array(AgreementKey).min(1).max(1000),
  /** The number of agreements. */
  confirm: z.number().int(),
});

export const RemindTarget = AgreementKey.extend({
  /** Without it, every party whose turn it is. */
  partyId: z.string().optional(),
  /** Without it, the party's notifications that carry the link for signing. */
  notificationId: z.string().optional(),
});
export type RemindTarget = z.infer<typeof RemindTarget>;

// ---------------------------------------------------------------- one agreement

const Unknown = z.object({
  outcome: z.literal('unknown'),
  actionId: ActionId,
  failure: Failure,
});

const Done = z.object({ outcome: z.literal('done'), actionId: ActionId });

/** A refusal is thrown; what is known otherwise is data. */
const SimpleOutcome = z.discriminatedUnion('outcome', [
  Done.extend({ wasAlready: z.boolean() }),
  Unknown,
]);
type SimpleOutcome = z.infer<typeof SimpleOutcome>;

/** `etag`: for applying the same again after a person compared; null when it could not be read. */
const Changed = z.object({ outcome: z.literal('changed'), etag: z.string().nullable() });

/** Somebody changed it since (412): nothing was done. `fresh` is null when it could not be read. */
export const ChangeOutcome = z.discriminatedUnion('outcome', [
  Done.extend({ etag: z.string().nullable() }),
  Unknown,
  Changed.extend({ fresh: AgreementDetails.nullable() }),
]);
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/** What became of telling the party at the corrected address; a failure leaves it corrected. */
export const Notice = z.object({
  state: z.enum(['not-asked', 'reminded', 'nobody', 'failed', 'unknown']),
  failure: Failure.nullable(),
});
export type Notice = z.infer<typeof Notice>;

export const CorrectionOutcome = z.discriminatedUnion('outcome', [
  Done.extend({ etag: z.string().nullable(), notice: Notice }),
  Unknown,
  Changed.extend({ fresh: AgreementDetails.nullable() }),
]);
export type CorrectionOutcome = z.infer<typeof CorrectionOutcome>;

/** `notification` is null when it is gone or could not be read. */
export const NotificationOutcome = z.discriminatedUnion('outcome', [
  Done.extend({ etag: z.string().nullable() }),
  Unknown,
  Changed.extend({
    fresh: AgreementDetails.nullable(),
    notification: PartyNotification.nullable(),
  }),
]);
export type NotificationOutcome = z.infer<typeof NotificationOutcome>;

export const NewRecipient = z.object({
  medium: z.enum(['EMAIL', 'SMS']),
  address: z.string().trim().min(1).max(320),
});
export type NewRecipient = z.infer<typeof NewRecipient>;

/** All recipients a notification will have; none tells nobody. */
export const NewRecipients = z.array(NewRecipient).max(100);

const NotificationPlace = z.object({
  key: AgreementKey,
  partyId: z.string().min(1),
  notificationId: z.string().min(1),
});

/** Digits only: 12 of a person, 10 of an organisation. */
export const PersonNo = z.string().regex(/^\d{12}$/);
export const OrgNo = z.string().regex(/^\d{10}$/);

/** For whom it is rejected (API v2, "Reject Agreement"). */
export const Rejection = z.discriminatedUnion('partyType', [
  z.object({ partyType: z.literal('PRIVATE'), personNo: PersonNo }),
  z.object({ partyType: z.literal('COMPANY'), personNo: PersonNo, orgNo: OrgNo }),
]);
export type Rejection = z.infer<typeof Rejection>;

/** API v2, "Share Agreement". */
export const Sharing = z.object({
  with: z.discriminatedUnion('type', [
    z.object({ type: z.literal('PERSON'), personNo: PersonNo }),
    z.object({ type: z.literal('ORGANIZATION'), orgNo: OrgNo }),
  ]),
  email: z.email(),
  message: z.string().max(30_000).nullable(),
  /** The last day as `yyyy-MM-dd`, counted in Sweden; null shares permanently. */
  until: z.iso.date().nullable(),
});
export type Sharing = z.infer<typeof Sharing>;

/** How long it is shared now, in the service's words where they are not known. */
export const Shared = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('permanent') }),
  z.object({ kind: z.literal('until'), day: z.string() }),
  z.object({ kind: z.literal('other'), text: z.string() }),
]);
export type Shared = z.infer<typeof Shared>;

export const FieldValues = z.object({
  templateId: z.string().nullable(),
  fields: z
    .array(
      z.object({
        name: z.string(),
        value: z.union([z.string(), z.boolean()]).nullable(),
      }),
    )
    .readonly(),
});
export type FieldValues = z.infer<typeof FieldValues>;

export const SavedDocuments = z.object({
  files: z.array(SavedFile.extend({ documentId: z.string(), name: z.string() })),
  failed: z.array(
    z.object({ documentId: z.string().nullable(), name: z.string(), failure: Failure }),
  ),
});
export type SavedDocuments = z.infer<typeof SavedDocuments>;

export const actionCalls = {
  /** What the copy here does not hold: owner, rights, notifications, signing methods, the ETag. */
  'actions.extras': call(z.object({ key: AgreementKey }), RemoteExtras),
  /** Actions of the last 30 days and those of unknown outcome, newest first. */
  'actions.list': call(
    z.object({ connectionId: ConnectionId.optional(), agreementId: AgreementId.optional() }),
    z.array(ActionRow),
  ),
  /** Reads back what became of an unknown outcome. Sends nothing that changes anything. */
  'actions.look': call(z.object({ actionId: ActionId }), ActionRow),
  /** A job; its result is an `ActionsResult`. */
  'actions.revoke': call(Several, JobStarted),
  /**
   * A job; its result is an `ActionsResult`. Deletes for good. With `archiveTo`, concluded ones
   * are saved into that folder first, and those that cannot be are not deleted. `typedTitle` is
   * the title of the first, as a person typed it; a wrong one deletes nothing.
   */
  'actions.remove': call(
    Several.extend({ typedTitle: z.string().optional(), archiveTo: z.string().min(1).optional() }),
    JobStarted,
  ),
  /** A job; its result is an `ActionsResult`. Done means scheduled, not delivered. */
  'actions.remind': call(
    z.object({ targets: z.array(RemindTarget).min(1).max(1000), confirm: z.number().int() }),
    JobStarted,
  ),
  /**
   * A job; its result is an `ActionsResult`. Until when each can be signed: epoch milliseconds. One
   * after the other, each against what the service has at that time.
   */
  'actions.setExpiry': call(Several.extend({ expiresAt: Instant }), JobStarted),
  /** Epoch milliseconds; a date that is left out stays. Without `etag`, the newest is read first. */
  'actions.change': call(
    z.object({
      key: AgreementKey,
      expiresAt: Instant.optional(),
      deletesAt: Instant.optional(),
      etag: z.string().optional(),
    }),
    ChangeOutcome,
  ),
  /** Also moves the party's notifications that went to exactly the old address. */
  'actions.correctEmail': call(
    z.object({
      key: AgreementKey,
      partyId: z.string().min(1),
      address: z.email(),
      notify: z.boolean(),
      etag: z.string().optional(),
    }),
    CorrectionOutcome,
  ),
  /** One notification of a party as it is now, with the ETag for changing it. */
  'actions.notification': call(
    NotificationPlace,
    z.object({ notification: PartyNotification, etag: z.string().nullable() }),
  ),
  /** Replaces all of them. An empty list, which tells nobody any more, needs `nobody`. */
  'actions.replaceRecipients': call(
    NotificationPlace.extend({
      recipients: NewRecipients,
      nobody: z.boolean().default(false),
      etag: z.string().optional(),
    }),
    NotificationOutcome,
  ),
  /** Deletes the notification. */
  'actions.silence': call(
    NotificationPlace.extend({ etag: z.string().optional() }),
    NotificationOutcome,
  ),
  'actions.reject': call(
    z.object({ key: AgreementKey, rejection: Rejection, confirm: z.number().int() }),
    SimpleOutcome,
  ),
  /**
   * Tells the receiver by e-mail, each time; `confirm` is the number of agreements. Nothing can
   * tell later whether an unknown one was done.
   */
  'actions.share': call(
    z.object({ key: AgreementKey, sharing: Sharing, confirm: z.number().int() }),
    z.discriminatedUnion('outcome', [Done.extend({ shared: Shared }), Unknown]),
  ),
  /** Null when it was not made of a template. */
  'actions.fieldValues': call(z.object({ key: AgreementKey }), FieldValues.nullable()),
  /** The service's own text, at most 4 MiB, links for signing left out; XML on v2 only. */
  'actions.raw': call(
    z.object({ key: AgreementKey, form: z.enum(['json', 'xml']) }),
    z.object({ text: z.string() }),
  ),
  /** The party's personal address for signing: a secret, asked for at use and kept nowhere. */
  'actions.signingLink': call(
    z.object({ key: AgreementKey, partyId: z.string().min(1) }),
    z.object({ link: z.string() }),
  ),
  /** Saves the attachments, or one of them, under names that are free in the folder. */
  'actions.saveDocuments': call(
    z.object({
      key: AgreementKey,
      folder: z.string().min(1),
      documentId: z.string().optional(),
    }),
    SavedDocuments,
  ),
} as const;

export const actionEvents = {
  /** An action on this connection moved. */
  'actions.changed': z.object({ connectionId: ConnectionId }),
} as const;
