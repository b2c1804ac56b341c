import type { Failure } from '../../../shared/errors.ts';

/** The thread serves. */
export const READY = 'ready';
/** The thread is to end. */
export const END = 'end';

/** Only failures the program throws on purpose keep their words; others report their stack to the log. */
export interface Thrown {
  readonly failure: Failure | null;
  readonly stack: string;
}

/** Reports how far a thread is: `(done, all)`, or how much more it has done. */
export type ReportProgress = (...numbers: readonly number[]) => void;

/** What a thread posts: birpc's own message, an error by its parts, or how far it is. */
export type FromThread =
  | typeof READY
  | { readonly t: string }
  | { readonly thrown: Thrown }
  | { readonly progress: readonly number[] };
