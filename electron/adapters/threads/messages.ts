import type { Failure } from '../../../shared/errors.ts';

/** Sent by the thread when it serves. */
export const READY = 'ready';
/** Requests the thread to end. */
export const END = 'end';

/** Only failures of an `AppError` are passed on; other errors send their stack, for the log. */
export interface ThrownError {
  readonly failure: Failure | null;
  readonly stack: string;
}

/** Reports progress: `(done, all)`, or the increment. */
export type ReportProgress = (...numbers: readonly number[]) => void;

/** A message of a thread: birpc's own, an error in parts, or progress. */
export type FromThread =
  | typeof READY
  | { readonly t: string }
  | { readonly thrown: ThrownError }
  | { readonly progress: readonly number[] };
