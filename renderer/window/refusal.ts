import { sentenceFor } from '../ui/failure-words.ts';
import { failureOf } from './desk.ts';

/**
 * Runs a dialog's work. Returns the error sentence that keeps the dialog open, or null on success.
 */
export async function errorSentenceOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return sentenceFor(failureOf(error));
  }
}
