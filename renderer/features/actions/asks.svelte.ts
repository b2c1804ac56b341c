import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import type { PartyNotification } from '../../../shared/model/remote-extras.ts';

/** A notification with an id, which a query to the service needs. */
export type IdentifiedNotification = PartyNotification & { readonly id: string };

/** A notification of a party as read before a change, with the version that was read. */
export interface NotificationPlace {
  readonly key: AgreementKey;
  readonly party: Party;
  readonly notification: IdentifiedNotification;
  readonly etag: string | null;
}

/** Dialogs about an agreement: a confirmation of an action, or a view. */
export type Ask =
  | { readonly kind: 'save' | 'revoke' | 'remove' | 'deadlines' | 'share' | 'fields' | 'record' }
  | { readonly kind: 'documents'; readonly documentId: string | null }
  | { readonly kind: 'document'; readonly documentId: string; readonly name: string }
  /** If `party` is absent, the dialog is about all parties whose turn it is. */
  | {
      readonly kind: 'remind';
      readonly party?: Party;
      readonly notification?: IdentifiedNotification;
    }
  | { readonly kind: 'email' | 'notifications' | 'link' | 'reject'; readonly party: Party }
  | {
      readonly kind: 'recipients' | 'silence';
      readonly place: NotificationPlace;
    };

/** The one dialog about the shown agreement. Each request is a new dialog that keeps no values. */
class AgreementDialogs {
  now = $state.raw<Ask | null>(null);
  /** Whether the dialog is open; its agreement stays shown until it closes. */
  isOpen = $state(false);

  ask(what: Ask): void {
    this.now = { ...what };
    this.isOpen = true;
  }

  end(): void {
    this.now = null;
    this.isOpen = false;
  }
}

export const asks = new AgreementDialogs();
