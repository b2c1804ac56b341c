import type { NewRecipient } from '../../../shared/contract/actions.ts';
import type { SelectionV1, SelectionV2 } from '../../../shared/contract/agreement-selection.ts';
import type { AgreementId } from '../../../shared/model/ids.ts';
import type { Connection } from '../../../shared/contract/connections.ts';
import type { UploadedFile } from '../../../shared/contract/uploads.ts';
import type { Failure } from '../../../shared/errors.ts';
import type { AgreementState, RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { ChangePage, HearClock, WriteResult } from '../ports.ts';
import type { PartyNotification, RemoteExtras } from '../../../shared/model/remote-extras.ts';

// ---------------------------------------------------------------- outcomes

type NotDone = Exclude<WriteResult, { readonly kind: 'done' }>;

/** What is known after trying an action once; `reply` is what the service said of it. */
export type ActionResult<Reply = null> =
  | {
      readonly kind: 'done';
      readonly reply: Reply;
      /** The ETag of the answer, as it came; null when it carried none. */
      readonly etag: string | null;
      /** The server's `Date`, epoch milliseconds. */
      readonly serverTime: number | null;
    }
  | NotDone;

/** The outcome of an action that names the ETag it starts from. */
export type GuardedResult<Fresh> =
  | ActionResult
  /** Somebody changed it since (412). Nothing was done, and nothing is tried again by itself. */
  | { readonly kind: 'changed'; readonly failure: Failure; readonly fresh: Settled<Fresh> };

/** What was read, or why it could not be. */
export type Settled<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: Failure };

/** What lies on the service now, to be compared with what a change of a notification meant. */
export interface FreshNotification {
  readonly agreement: RemoteAgreement;
  /** Null when it is gone. */
  readonly notification: NotificationReading | null;
  /**
   * The ETag for applying it again. API v1 does not say whether the notification's or the
   * agreement's is meant: the agreement's is given when the notification's own was refused
   * although it is still the same.
   */
  readonly etag: string | null;
}

// ---------------------------------------------------------------- what is asked for

/** A notification of a party; those of the agreement itself cannot be addressed (API v1). */
export interface NotificationPlace {
  readonly id: AgreementId;
  readonly partyId: string;
  readonly notificationId: string;
}

export interface NotificationReading {
  readonly notification: PartyNotification;
  readonly etag: string | null;
}

/** Epoch milliseconds; a key that is left out stays as it is on the service. */
export interface NewDeadlines {
  readonly expiresAt?: number;
  readonly deletesAt?: number;
}

/** For whom an agreement of v2 is rejected; numbers as the API takes them, 12 and 10 digits. */
export type Rejection =
  | { readonly partyType: 'PRIVATE'; readonly personNo: string }
  | { readonly partyType: 'COMPANY'; readonly personNo: string; readonly orgNo: string };

export interface Sharing {
  readonly with:
    | { readonly type: 'PERSON'; readonly personNo: string }
    | { readonly type: 'ORGANIZATION'; readonly orgNo: string };
  readonly email: string;
  readonly message: string | null;
  /** The last day as `yyyy-MM-dd` (CET); null shares permanently. */
  readonly until: string | null;
}

// ---------------------------------------------------------------- what the service says

/** What the answer to a revoke gives; v2 gives the time nowhere else. */
export interface Revoked {
  readonly nativeState: string | null;
  readonly revokedAt: number | null;
}

/** How long something is shared, in the service's words where they are not known. */
export type Shared =
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

/** What the API has no words for is disabled on the screen, with the reason. */
export interface ActionCapabilities {
  readonly rawForms: readonly RawForm[];
  /** States in which the service deletes; null when it does in any. */
  readonly removable: readonly AgreementState[] | null;
  readonly corrections: boolean;
  readonly rejection: boolean;
  readonly sharing: boolean;
  readonly fieldValues: boolean;
  readonly uploads: boolean;
}

/** What both APIs do. Reads throw `AppError`; the rest leaves once and says what is known. */
interface CommonActions {
  readonly can: ActionCapabilities;
  /** Calls that left since the service was opened. */
  requestCount(): number;
  extras(id: AgreementId, signal: AbortSignal): Promise<RemoteExtras>;
  /**
   * The service's own text, neither parsed nor masked, links for signing left out.
   * Throws 'invalid' for a form the API does not have, 'too-large' above 4 MiB.
   */
  raw(id: AgreementId, form: RawForm, signal: AbortSignal): Promise<string>;
  revoke(id: AgreementId, signal: AbortSignal): Promise<ActionResult<Revoked>>;
  /** Deletes for good. `reply` is the service's sentence where it says one (v2). */
  remove(id: AgreementId, signal: AbortSignal): Promise<ActionResult<string | null>>;
}

/** API v1. An `etag` is what the last answer about the same object carried, unchanged. */
export interface ActionsV1 extends CommonActions {
  readonly api: 'v1';
  select(selection: SelectionV1, signal: AbortSignal): AsyncIterable<ChangePage>;
  /** The party's personal address for signing: a secret, to be asked for at use and kept nowhere. */
  signingLink(id: AgreementId, partyId: string, signal: AbortSignal): Promise<string>;
  /** Throws 'invalid' when neither date is given. */
  change(
    id: AgreementId,
    deadlines: NewDeadlines,
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<RemoteAgreement>>;
  /** Also moves the party's notifications that went to exactly the old address; tells nobody. */
  correctEmail(
    at: { readonly id: AgreementId; readonly partyId: string },
    address: string,
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<RemoteAgreement>>;
  readNotification(place: NotificationPlace, signal: AbortSignal): Promise<NotificationReading>;
  /** Replaces all of them; an empty list tells nobody any more. */
  replaceRecipients(
    place: NotificationPlace,
    recipients: readonly NewRecipient[],
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<FreshNotification>>;
  /** Deletes the notification. */
  silence(
    place: NotificationPlace,
    etag: string,
    signal: AbortSignal,
  ): Promise<GuardedResult<FreshNotification>>;
  /** Done means scheduled, not delivered. Nothing can tell later whether it was done. */
  remind(place: NotificationPlace, signal: AbortSignal): Promise<ActionResult>;
}

export interface Uploads {
  list(signal: AbortSignal): Promise<UploadList>;
  add(name: string, data: Uint8Array, signal: AbortSignal): Promise<ActionResult<UploadedFile>>;
  /** Null when the file was used, deleted, or waited too long. Throws 'not-found'. */
  show(token: string, signal: AbortSignal): Promise<UploadedFile | null>;
  /** `reply` is null when the file was gone before. */
  remove(token: string, signal: AbortSignal): Promise<ActionResult<UploadedFile | null>>;
}

/** API v2, which has no ETags: read before what cannot be undone. */
export interface ActionsV2 extends CommonActions {
  readonly api: 'v2';
  select(selection: SelectionV2, signal: AbortSignal): AsyncIterable<ChangePage>;
  /** The exact bytes a rejection will send. */
  encodeReject(rejection: Rejection): Uint8Array;
  reject(id: AgreementId, body: Uint8Array, signal: AbortSignal): Promise<ActionResult>;
  share(id: AgreementId, sharing: Sharing, signal: AbortSignal): Promise<ActionResult<Shared>>;
  /** Null when the agreement was not made of a template. */
  fieldValues(id: AgreementId, signal: AbortSignal): Promise<FieldValues | null>;
  readonly uploads: Uploads;
}

export type AgreementActions = ActionsV1 | ActionsV2;

/** Opens a connection's actions with its secret. Checks the address: throws 'invalid'. */
export type OpenActions = (
  connection: Pick<Connection, 'api' | 'url' | 'accountId' | 'orgNo' | 'environment'>,
  secret: string,
  hearClock?: HearClock,
) => AgreementActions;
