import type { Behaviour } from '../server/behaviour.ts';
import type { LaggingList } from './lagging-list.ts';
import type { PresignedLinks } from './presigned.ts';
import type { SignedPdfs } from './signed-pdfs.ts';
import type { Store } from './store.ts';
import type { Agreement } from './record-v1.ts';
import type { LegacyAgreement } from './record-v2.ts';

export interface Service {
  readonly store: Store;
  /** Current time of the service (epoch ms). */
  readonly now: () => number;
  /** Delay before the other parties act (ms); null if they never act automatically. */
  readonly counterpartDelayMs: number | null;
  readonly behaviour: Behaviour;
  readonly links: PresignedLinks;
  readonly pdfs: SignedPdfs;
  /** Agreements as lists show them, which may be later than they change. */
  readonly listed: {
    readonly v1: LaggingList<Agreement>;
    readonly v2: LaggingList<LegacyAgreement>;
  };
}
