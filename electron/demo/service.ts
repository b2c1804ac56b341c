import type { PresignedLinks } from './presigned.ts';
import type { SignedPdfs } from './signed-pdfs.ts';
import type { Store } from './store.ts';

/** What every handler is given. */
export interface Service {
  readonly store: Store;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** How long the other parties wait before they act; null when they never do by themselves. */
  readonly counterpartDelayMs: number | null;
  readonly page: { readonly cap: number; readonly usual: number };
  readonly links: PresignedLinks;
  readonly pdfs: SignedPdfs;
}
