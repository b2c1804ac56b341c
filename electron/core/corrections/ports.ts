import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';

export interface SentParty {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** An API v2 agreement that can still be signed. */
export interface OpenAgreementV2 {
  readonly connectionId: ConnectionId;
  readonly id: AgreementId;
  /** Position in the reading order. */
  readonly number: number;
  readonly title: string;
  /**
   * Parties as the service returned them, without addresses, which API v2 does not return; null
   * until then.
   */
  readonly parties: readonly Pick<Party, 'kind' | 'name' | 'state'>[] | null;
  /**
   * Parties of the send; null if the agreement was not sent from this computer, or its request is
   * gone.
   */
  readonly sent: readonly SentParty[] | null;
}

export interface CorrectionStore {
  /** Returns up to `limit` open agreements with number > `after`, ascending. */
  openOfV2(after: number, limit: number): readonly OpenAgreementV2[];
}
