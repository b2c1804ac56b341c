import type { Party } from '../../../shared/model/agreement.ts';
import type { AgreementId, ConnectionId } from '../../../shared/model/ids.ts';

/** A party of a request as it was sent from here. */
export interface SentParty {
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
}

/** An agreement of API v2 that can still be signed. */
export interface OpenOfV2 {
  readonly connectionId: ConnectionId;
  readonly id: AgreementId;
  /** Its place in the order in which they are read. */
  readonly number: number;
  readonly title: string;
  /** Null until the service gave them; never with addresses, which it does not tell. */
  readonly parties: readonly Pick<Party, 'kind' | 'name' | 'state'>[] | null;
  /** Null where it was not sent from here, or its request is gone. */
  readonly sent: readonly SentParty[] | null;
}

export interface CorrectionStore {
  /** So many with a larger number than `after`, by number. */
  openOfV2(after: number, limit: number): readonly OpenOfV2[];
}
