import type { AgreementKey } from '../../../shared/model/ids.ts';
import type { Party } from '../../../shared/model/agreement.ts';
import type { PartyNotification } from '../../../shared/model/remote-extras.ts';

/** A notification that the service can be asked about by its id. */
export type NamedNotification = PartyNotification & { readonly id: string };

/** A notification of a party as it was read for changing it, and the version that was. */
export interface NotificationPlace {
  readonly key: AgreementKey;
  readonly party: Party;
  readonly notification: NamedNotification;
  readonly etag: string | null;
}

/** What a person is asked before something is done, or shown on request. */
export type Ask =
  | { readonly kind: 'save' | 'revoke' | 'remove' | 'deadlines' | 'share' | 'fields' | 'record' }
  | { readonly kind: 'documents'; readonly documentId: string | null }
  /** Without a party, everybody whose turn it is. */
  | { readonly kind: 'remind'; readonly party?: Party; readonly notification?: NamedNotification }
  | { readonly kind: 'email' | 'notifications' | 'link' | 'reject'; readonly party: Party }
  | {
      readonly kind: 'recipients' | 'silence';
      readonly place: NotificationPlace;
    };

/** The one dialog about the shown agreement. Each asking is a new one, with nothing kept in it. */
class AgreementAsks {
  now = $state.raw<Ask | null>(null);
  /** The dialog is on screen; until then its agreement stays the shown one. */
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

export const asks = new AgreementAsks();
