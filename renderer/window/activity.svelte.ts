import { sentenceFor } from '../ui/failure-words.ts';
import { failureOf } from './desk.ts';

/** What the activity bar says: the one place where the program speaks up, and is heard. */
class Activity {
  message = $state('');

  /** Shows and announces a sentence until the next one. */
  say(sentence: string): void {
    this.message = sentence;
  }

  /** Does something a person asked for, and says so when it fails. Gives whether it worked. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.say(sentenceFor(failureOf(error)));
      return false;
    }
  }
}

export const activity = new Activity();
