import type { Failure } from '../../../shared/errors.ts';

/** Message of a thread that is ready to answer calls. */
export const READY_MESSAGE = 'ready';
/** Message that requests the thread to end. */
export const END_MESSAGE = 'end';

/**
 * Error that a thread sends: `failure` is null unless it is an `AppError`; `stack` is for the log.
 */
export interface ThrownError {
  readonly failure: Failure | null;
  readonly stack: string;
}

/** Reports progress: `(done, all)`, or only the amount done since the last report. */
export type ReportProgress = (...numbers: readonly number[]) => void;

/** A message of a thread: birpc's own, an error in parts, or progress. */
export type FromThread =
  | typeof READY_MESSAGE
  | { readonly t: string }
  | { readonly thrown: ThrownError }
  | { readonly progress: readonly number[] };
