import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';

export interface SentParty {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** An API v2 agreement that can still be signed. */
export interface OpenOfV2 {
  readonly connectionId: ConnectionId;
  readonly id: AgreementId;
  /** Position in the reading order. */
  readonly number: number;
  readonly title: string;
  /** Null until the service returned them; API v2 returns no addresses. */
  readonly parties: readonly Pick<Party, 'kind' | 'name' | 'state'>[] | null;
  /** Null if it was not sent from here, or its request is gone. */
  readonly sent: readonly SentParty[] | null;
}

export interface CorrectionStore {
  /** Up to `limit` open agreements with number > `after`, ascending. */
  openOfV2(after: number, limit: number): readonly OpenOfV2[];
}
