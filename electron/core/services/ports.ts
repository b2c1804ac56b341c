import type { NewRecipient } from '../../../shared/contract/actions.ts';
import type { SelectionV1, SelectionV2 } from '../../../shared/contract/agreement-selection.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { UploadedFile } from '../../../shared/contract/uploads.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { AgreementState, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { ChangePage, OnServiceTime, WriteResult } from '../ports.ts';
import type { PartyNotification, RemoteExtras } from '../../../shared/model/remote-extras.ts';

// ---------------------------------------------------------------- outcomes

type UnsuccessfulWrite = Exclude<WriteResult, { readonly kind: 'done' }>;

/** Result of one attempt at an action; `reply` is the service's answer. */
export type ActionResult<Reply = null> =
  | {
      readonly kind: 'done';
      readonly reply: Reply;
      /** ETag of the answer, unchanged; null if it had none. */
      readonly etag: string | null;
      /** The server's `Date`, epoch milliseconds. */
      readonly serverTime: number | null;
    }
  | UnsuccessfulWrite;

/** Result of an action whose request has an ETag. */
export type GuardedResult<Fresh> =
  | ActionResult
  /**
   * The object has changed since it was read (412). The action was not done and is not retried
   * automatically.
   */
  | { readonly kind: 'changed'; readonly failure: Failure; readonly fresh: SettledRead<Fresh> };

/** A value that was read, or the reason why it could not be read. */
export type SettledRead<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** Current state of a notification at the service, to compare with the intended change. */
export interface FreshNotification {
  readonly agreement: RemoteAgreement;
  /** The notification; null if it no longer exists. */
  readonly notification: NotificationReading | null;
  /**
   * ETag for applying the change again. API v1 does not document whether it means the
   * notification's or the agreement's ETag: this is the agreement's ETag if the notification's own
   * was rejected although the notification had not changed.
   */
  readonly etag: string | null;
}

// ---------------------------------------------------------------- requests

/**
 * Address of a party's notification; an agreement's own notifications cannot be addressed (API v1).
 */
export interface NotificationPlace {
  readonly id: AgreementId;
  readonly partyId: string;
  readonly notificationId: string;
}

export interface NotificationReading {
  readonly notification: PartyNotification;
  readonly etag: string | null;
}

/** New deadlines of an agreement (epoch ms); an omitted key keeps the value at the service. */
export interface NewDeadlines {
  readonly expiresAt?: number;
  readonly deletesAt?: number;
}

/** Party that rejects an API v2 agreement; numbers in the API's format, 12 and 10 digits. */
export type Rejection =
  | { readonly partyType: 'PRIVATE'; readonly personNo: string }
  | { readonly partyType: 'COMPANY'; readonly personNo: string; readonly orgNo: string };

export interface ShareParameters {
  readonly with:
    | { readonly type: 'PERSON'; readonly personNo: string }
    | { readonly type: 'ORGANIZATION'; readonly orgNo: string };
  readonly email: string;
  readonly message: string | null;
  /** Last day of the share as `yyyy-MM-dd` (CET); null shares permanently. */
  readonly until: string | null;
}

// ---------------------------------------------------------------- answers

/** Answer to a revoke request. API v2 returns the time of a revocation only in this answer. */
export interface RevokeReply {
  readonly nativeState: string | null;
  readonly revokedAt: number | null;
}

/** Duration of a share; unknown values in the service's words. */
export type ShareDuration =
  | { readonly kind: 'permanent' }
  | { readonly kind: 'until'; readonly day: string }
  | { readonly kind: 'other'; readonly text: string };

/** @internal */
export interface FieldValues {
  readonly templateId: string | null;
  readonly fields: readonly { readonly name: string; readonly value: string | boolean | null }[];
}

interface UploadList {
  readonly files: readonly UploadedFile[];
  readonly total: number;
}

// ---------------------------------------------------------------- actions

type RawForm = 'json' | 'xml';

/** Abilities of an API. The window disables actions that the API lacks, and shows the reason. */
export interface ActionCapabilities {
  readonly rawForms: readonly RawForm[];
  /** States in which the service deletes an agreement; null if it does in any state. */
  readonly removable: readonly AgreementState[] | null;
  readonly corrections: boolean;
  readonly rejection: boolean;
  readonly sharing: boolean;
  readonly fieldValues: boolean;
  readonly uploads: boolean;
}

/**
 * Actions of both APIs. Reads throw `AppError`; other calls send one request and return its result.
 */
interface CommonActions {
  readonly can: ActionCapabilities;
  /** Returns the number of requests sent since the service was opened. */
  requestCount(): number;
  extras(id: AgreementId, signal: AbortSignal): Promise<RemoteExtras>;
  /**
   * Returns the service's original text of an agreement, neither parsed nor masked, but without
   * signing links. Throws 'invalid' for a format the API does not have, 'too-large' above 4 MiB.
   */
  raw(id: AgreementId, form: RawForm, signal: AbortSignal): Promise<string>;
  revoke(id: AgreementId, signal: AbortSignal): Promise<ActionResult<RevokeReply>>;
  /**
   * Deletes an agreement permanently. `reply` is the service's message, if it returns one (API v2).
   */
  remove(id: AgreementId, signal: AbortSignal): Promise<ActionResult<string | null>>;
}

/**
 * Actions of API v1. An argument `etag` is the unchanged ETag of the last answer about the object.
 */
export interface ActionsV1 extends CommonActions {
  readonly api: 'v1';
  select(selection: SelectionV1, signal: AbortSignal): AsyncIterable<ChangePage>;
  /**
   * Returns the address at which the party signs. The address is a secret: it is read when it is
   * used, and never stored.
   */
  signingLink(id: AgreementId, partyId: string, signal: AbortSignal): Promise<string>;
  /** Changes the deadlines. Throws 'invalid' if neither date is given. */
  change(
    id: AgreementId,
    deadlines: NewDeadlines,
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<RemoteAgreement>>;
  /**
   * Changes a party's email address, also in those of its notifications that have exactly the old
   * address. Notifies no one.
   */
  correctEmail(
    at: { readonly id: AgreementId; readonly partyId: string },
    address: string,
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<RemoteAgreement>>;
  readNotification(place: NotificationPlace, signal: AbortSignal): Promise<NotificationReading>;
  /** Replaces all recipients of a notification; with an empty list, no one is notified any more. */
  replaceRecipients(
    place: NotificationPlace,
    recipients: readonly NewRecipient[],
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<FreshNotification>>;
  silence(
    place: NotificationPlace,
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<FreshNotification>>;
  /**
   * Sends a notification again. `done` means scheduled, not delivered; a later read cannot show
   * whether it was scheduled.
   */
  remind(place: NotificationPlace, signal: AbortSignal): Promise<ActionResult>;
}

export interface Uploads {
  list(signal: AbortSignal): Promise<UploadList>;
  add(name: string, data: Uint8Array, signal: AbortSignal): Promise<ActionResult<UploadedFile>>;
  /**
   * Reads an uploaded file; null if it was used, was deleted or has expired. Throws 'not-found'.
   */
  show(token: string, signal: AbortSignal): Promise<UploadedFile | null>;
  /** Deletes an uploaded file; `reply` is null if the file no longer existed. */
  remove(token: string, signal: AbortSignal): Promise<ActionResult<UploadedFile | null>>;
}

/**
 * Actions of API v2, which has no ETags: the agreement must be read before any action that cannot
 * be undone.
 */
export interface ActionsV2 extends CommonActions {
  readonly api: 'v2';
  select(selection: SelectionV2, signal: AbortSignal): AsyncIterable<ChangePage>;
  /** Returns the exact bytes of a reject request. */
  encodeReject(rejection: Rejection): Uint8Array;
  reject(id: AgreementId, body: Uint8Array, signal: AbortSignal): Promise<ActionResult>;
  share(
    id: AgreementId,
    sharing: ShareParameters,
    signal: AbortSignal,
  ): Promise<ActionResult<ShareDuration>>;
  /**
   * Returns the values of the agreement's template fields; null if it was not created from a
   * template.
   */
  fieldValues(id: AgreementId, signal: AbortSignal): Promise<FieldValues | null>;
  readonly uploads: Uploads;
}

export type AgreementActions = ActionsV1 | ActionsV2;

/** Opens a connection's actions with its secret. Validates the address: throws 'invalid'. */
export type OpenActions = (
  connection: Pick<Connection, 'api' | 'url' | 'accountId' | 'orgNo' | 'environment'>,
  secret: string,
  hearClock?: OnServiceTime,
) => AgreementActions;
