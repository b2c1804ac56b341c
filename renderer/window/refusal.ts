import { sentenceFor } from '../ui/failure-words.ts';
import { failureOf } from './desk.ts';

/** Does what a dialog asks for; gives the sentence it says instead of closing, null when all went well. */
export async function refusalOf(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (error) {
    return sentenceFor(failureOf(error));
  }
}
