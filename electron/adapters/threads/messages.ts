import type { Failure } from '../../../shared/errors.ts';

/** The thread serves. */
export const READY = 'ready';
/** The thread is to end. */
export const END = 'end';

/** Only failures the program throws on purpose keep their words; others tell their stack to the log. */
export interface Thrown {
  readonly failure: Failure | null;
  readonly stack: string;
}

/** What a thread posts: birpc's own message, an error by its parts. */
export type FromThread = typeof READY | { readonly t: string } | { readonly thrown: Thrown };
