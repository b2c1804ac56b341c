import * as z from 'zod';
import { Failure } from '../errors.ts';
import { PartyNotification, RemoteExtras } from '../model/remote-extras.ts';
import { AgreementDetails, SavedFile } from './agreements.ts';
import { call } from './call.ts';
import {
  ActionId,
  AgreementId,
  AgreementKey,
  BytesId,
  ConnectionId,
  Instant,
} from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** Actions on an agreement on the service, except sending, signing and downloading its PDF. */
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
 * Why an action is not available: the API lacks it, the agreement has another owner, or its state
 * does not allow it.
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
  /**
   * The connection is a test connection, and its list of allowed recipients lacks the new address.
   */
  'not-reached',
]);
export type ActionReason = z.infer<typeof ActionReason>;

// ---------------------------------------------------------------- the journal of actions

/**
 * Actions that change data on the service. Each is recorded before its request leaves this
 * computer.
 */
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

/**
 * State of an action. `refused`: nothing was changed. `unknown`: bytes left this computer, and the
 * outcome is not known.
 */
export const ActionState = z.enum(['queued', 'sending', 'done', 'refused', 'unknown']);
export type ActionState = z.infer<typeof ActionState>;

export const ActionRow = z.object({
  actionId: ActionId,
  kind: ActionKind,
  state: ActionState,
  connectionId: ConnectionId,
  /** Agreement of the action; null for uploads. */
  agreementId: AgreementId.nullable(),
  title: z.string(),
  /** ID of the party, notification or upload that the action concerns; never a personal number. */
  partyId: z.string().nullable(),
  notificationId: z.string().nullable(),
  token: z.string().nullable(),
  /** Name of the rule that started the action; null if the user did. */
  rule: z.string().nullable(),
  failure: Failure.nullable(),
  /** Time of the revocation, from the response to `revoke`: API v2 returns it nowhere else. */
  revokedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
});
export type ActionRow = z.infer<typeof ActionRow>;

// ---------------------------------------------------------------- several agreements at once

const ActionTarget = AgreementKey.extend({ title: z.string() });

export const ActionsResult = z.object({
  done: z.array(
    ActionTarget.extend({
      /** Whether the requested state already existed, according to the service or a later read. */
      wasAlready: z.boolean(),
      /** The service's own message (v2 delete); null if it sent none. */
      told: z.string().nullable(),
      /** Number of notifications requested again; 0 for other actions. */
      reminded: z.number().int(),
    }),
  ),
  failed: z.array(ActionTarget.extend({ failure: Failure })),
  unknown: z.array(ActionTarget.extend({ failure: Failure })),
});
export type ActionsResult = z.infer<typeof ActionsResult>;

const SeveralAgreements = z.object({
  keys: z.array(AgreementKey).min(1).max(1000),
  confirm: z.number().int(),
});

export const RemindTarget = AgreementKey.extend({
  /** Party to remind; default: every party whose turn it is. */
  partyId: z.string().optional(),
  /** Notification to send again; default: the party's notifications that carry the signing link. */
  notificationId: z.string().optional(),
});
export type RemindTarget = z.infer<typeof RemindTarget>;

// ---------------------------------------------------------------- one agreement

const UnknownActionOutcome = z.object({
  outcome: z.literal('unknown'),
  actionId: ActionId,
  failure: Failure,
});

const DoneActionOutcome = z.object({ outcome: z.literal('done'), actionId: ActionId });

/** A rejected request is thrown as an error; every other outcome is data. */
const SimpleOutcome = z.discriminatedUnion('outcome', [
  DoneActionOutcome.extend({ wasAlready: z.boolean() }),
  UnknownActionOutcome,
]);
type SimpleOutcome = z.infer<typeof SimpleOutcome>;

/**
 * Outcome for an agreement that was changed by someone else in the meantime. With `etag`, the
 * request can be repeated after the user has compared the versions; null if the ETag could not be
 * read.
 */
const ChangedActionOutcome = z.object({
  outcome: z.literal('changed'),
  etag: z.string().nullable(),
});

/**
 * Result of a change. If the agreement changed in the meantime (412), nothing was done, and `fresh`
 * is its current version, or null if that could not be read.
 */
export const ChangeOutcome = z.discriminatedUnion('outcome', [
  DoneActionOutcome.extend({ etag: z.string().nullable() }),
  UnknownActionOutcome,
  ChangedActionOutcome.extend({ fresh: AgreementDetails.nullable() }),
]);
export type ChangeOutcome = z.infer<typeof ChangeOutcome>;

/**
 * Result of notifying the party at the corrected address. If the notification fails, the correction
 * stays.
 */
export const Notice = z.object({
  state: z.enum(['not-asked', 'reminded', 'nobody', 'failed', 'unknown']),
  failure: Failure.nullable(),
});
export type Notice = z.infer<typeof Notice>;

export const CorrectionOutcome = z.discriminatedUnion('outcome', [
  DoneActionOutcome.extend({ etag: z.string().nullable(), notice: Notice }),
  UnknownActionOutcome,
  ChangedActionOutcome.extend({ fresh: AgreementDetails.nullable() }),
]);
export type CorrectionOutcome = z.infer<typeof CorrectionOutcome>;

/**
 * Result of changing a notification. `notification` is null if it no longer exists or could not be
 * read.
 */
export const NotificationOutcome = z.discriminatedUnion('outcome', [
  DoneActionOutcome.extend({ etag: z.string().nullable() }),
  UnknownActionOutcome,
  ChangedActionOutcome.extend({
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

/** All recipients that the notification will have; an empty list notifies no one. */
export const NewRecipients = z.array(NewRecipient).max(100);

const NotificationAddress = z.object({
  key: AgreementKey,
  partyId: z.string().min(1),
  notificationId: z.string().min(1),
});

/** Personal or organisation number, digits only: 12 for a person, 10 for an organisation. */
export const PersonNo = z.string().regex(/^\d{12}$/);
export const OrgNo = z.string().regex(/^\d{10}$/);

/** Party for which the agreement is rejected (API v2, "Reject Agreement"). */
export const Rejection = z.discriminatedUnion('partyType', [
  z.object({ partyType: z.literal('PRIVATE'), personNo: PersonNo }),
  z.object({ partyType: z.literal('COMPANY'), personNo: PersonNo, orgNo: OrgNo }),
]);
export type Rejection = z.infer<typeof Rejection>;

/** Recipient and rights of a share (API v2, "Share Agreement"). */
export const Sharing = z.object({
  with: z.discriminatedUnion('type', [
    z.object({ type: z.literal('PERSON'), personNo: PersonNo }),
    z.object({ type: z.literal('ORGANIZATION'), orgNo: OrgNo }),
  ]),
  email: z.email(),
  message: z.string().max(30_000).nullable(),
  /** Last day as `yyyy-MM-dd` in Swedish time; null shares permanently. */
  until: z.iso.date().nullable(),
});
export type Sharing = z.infer<typeof Sharing>;

/**
 * Current duration of the share, or the service's own text if the program does not understand it.
 */
export const SharePeriod = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('permanent') }),
  z.object({ kind: z.literal('until'), day: z.string() }),
  z.object({ kind: z.literal('other'), text: z.string() }),
]);
export type SharePeriod = z.infer<typeof SharePeriod>;

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
  /**
   * Returns data that the local copy lacks: owner, rights, notifications, signing methods, ETag.
   */
  'actions.extras': call(z.object({ key: AgreementKey }), RemoteExtras),
  /** Lists the actions of the last 30 days and those with an unknown outcome, newest first. */
  'actions.list': call(
    z.object({ connectionId: ConnectionId.optional(), agreementId: AgreementId.optional() }),
    z.array(ActionRow),
  ),
  /**
   * Reads the outcome of an action in state `unknown` from the service. Changes nothing on the
   * service.
   */
  'actions.look': call(z.object({ actionId: ActionId }), ActionRow),
  /** Revokes agreements. Runs as a job whose result is an `ActionsResult`. */
  'actions.revoke': call(SeveralAgreements, JobStarted),
  /**
   * Deletes agreements permanently. Runs as a job whose result is an `ActionsResult`. With
   * `archiveTo`, concluded agreements are saved into that folder first; those that cannot be saved
   * are not deleted. `typedTitle` is the title of the first agreement as the user typed it; a wrong
   * title deletes nothing.
   */
  'actions.remove': call(
    SeveralAgreements.extend({
      typedTitle: z.string().optional(),
      archiveTo: z.string().min(1).optional(),
    }),
    JobStarted,
  ),
  /**
   * Reminds parties. Runs as a job whose result is an `ActionsResult`, in which `done` means that
   * the service scheduled the reminder, not that it was delivered.
   */
  'actions.remind': call(
    z.object({ targets: z.array(RemindTarget).min(1).max(1000), confirm: z.number().int() }),
    JobStarted,
  ),
  /**
   * Changes the expiry of one agreement after the other, each from its current state on the
   * service. Runs as a job whose result is an `ActionsResult`. `expiresAt`: epoch milliseconds.
   */
  'actions.setExpiry': call(SeveralAgreements.extend({ expiresAt: Instant }), JobStarted),
  /**
   * Changes dates of an agreement (epoch ms); an omitted date is not changed. Without `etag`, the
   * newest version is read first.
   */
  'actions.change': call(
    z.object({
      key: AgreementKey,
      expiresAt: Instant.optional(),
      deletesAt: Instant.optional(),
      etag: z.string().optional(),
    }),
    ChangeOutcome,
  ),
  /**
   * Corrects a party's email address, also in the party's notifications that were sent to exactly
   * the old address.
   */
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
  /** Returns the current notification of a party, with the ETag for changing it. */
  'actions.notification': call(
    NotificationAddress,
    z.object({ notification: PartyNotification, etag: z.string().nullable() }),
  ),
  /**
   * Replaces all recipients of a notification. An empty list, which notifies no one, requires
   * `nobody`.
   */
  'actions.replaceRecipients': call(
    NotificationAddress.extend({
      recipients: NewRecipients,
      nobody: z.boolean().default(false),
      etag: z.string().optional(),
    }),
    NotificationOutcome,
  ),
  'actions.silence': call(
    NotificationAddress.extend({ etag: z.string().optional() }),
    NotificationOutcome,
  ),
  'actions.reject': call(
    z.object({ key: AgreementKey, rejection: Rejection, confirm: z.number().int() }),
    SimpleOutcome,
  ),
  /**
   * Shares agreements; the service emails the recipient on each call. `confirm` is the number of
   * agreements. An unknown outcome cannot be resolved later.
   */
  'actions.share': call(
    z.object({ key: AgreementKey, sharing: Sharing, confirm: z.number().int() }),
    z.discriminatedUnion('outcome', [
      DoneActionOutcome.extend({ shared: SharePeriod }),
      UnknownActionOutcome,
    ]),
  ),
  /**
   * Returns the values of the template's fields; null if the agreement was not made from a
   * template.
   */
  'actions.fieldValues': call(z.object({ key: AgreementKey }), FieldValues.nullable()),
  /**
   * Returns the agreement as the service's own text, at most 4 MiB, without signing links; XML only
   * with v2.
   */
  'actions.raw': call(
    z.object({ key: AgreementKey, form: z.enum(['json', 'xml']) }),
    z.object({ text: z.string() }),
  ),
  /**
   * Reads the party's personal signing address: a secret, requested only when it is used and never
   * stored.
   */
  'actions.signingLink': call(
    z.object({ key: AgreementKey, partyId: z.string().min(1) }),
    z.object({ link: z.string() }),
  ),
  /**
   * Downloads one attachment that is a PDF, to show it; its bytes are under `/bytes/out/`. Throws
   * 'service' if it is not a PDF or too large.
   */
  'actions.openDocument': call(
    z.object({ key: AgreementKey, documentId: z.string().min(1) }),
    z.object({ out: BytesId }),
  ),
  /** Saves all attachments or one attachment, under names that do not exist in the folder yet. */
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
  'actions.changed': z.object({ connectionId: ConnectionId }),
} as const;
