import type { Behaviour } from '../server/behaviour.ts';
import type { LaggingList } from './lagging-list.ts';
import type { PresignedLinks } from './presigned.ts';
import type { SignedPdfs } from './signed-pdfs.ts';
import type { Store } from './store.ts';
import type { Agreement } from './record-v1.ts';
import type { LegacyAgreement } from './record-v2.ts';

export interface Service {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Delay before the other parties act; null: they never act automatically. */
  readonly counterpartDelayMs: number | null;
  readonly behaviour: Behaviour;
  readonly links: PresignedLinks;
  readonly pdfs: SignedPdfs;
  /** Data for lists. */
  readonly listed: {
    readonly v1: LaggingList<Agreement>;
    readonly v2: LaggingList<LegacyAgreement>;
  };
}
