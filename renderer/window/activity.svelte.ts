import type { Failure } from '../../shared/errors.ts';
import { sentenceFor } from '../ui/failure-words.ts';
import { failureOf } from './desk.ts';

/**
 * Asked for again whenever it is drawn, so that a sentence follows the language. It outlives the
 * component that says it: values of that are read before.
 */
export type Words = () => string;

/** Where a sentence leads: *Show* opens what it is about. */
export interface NoticeAction {
  readonly label: Words;
  readonly run: () => void;
}

interface Notice {
  readonly words: Words;
  readonly action: NoticeAction | null;
  /** Until it is closed, the next one comes, or it was read and another screen opens. */
  readonly stays: boolean;
}

/** A sentence as it stands in the list of messages. */
export interface PastNotice {
  readonly words: Words;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly isWarning: boolean;
}

/** Messages that can be read again; of more, the oldest are dropped. */
const MAX_PAST = 200;

/** How long a sentence can be read, milliseconds: short ones take a second, long ones four. */
const LEAVES_AFTER = 10_000;

/** What the activity bar says: the one place where the program speaks up, and is heard. */
class Activity {
  notice = $state.raw<Notice | null>(null);
  /** What was said since the window opened; the newest first. */
  past = $state.raw<readonly PastNotice[]>([]);
  isListOpen = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Somebody reads it, or is about to use its action. */
  #isHeld = false;

  /** Shows and announces what happened; it leaves by itself. */
  say(words: Words, action: NoticeAction | null = null): void {
    this.#show({ words, action, stays: false });
  }

  /** Shows and announces what a person has to know; it stays until it is closed. */
  warn(words: Words, action: NoticeAction | null = null): void {
    this.#show({ words, action, stays: true });
  }

  fail(failure: Failure): void {
    this.warn(() => sentenceFor(failure));
  }

  close(): void {
    clearTimeout(this.#timer);
    this.notice = null;
  }

  /**
   * A person went to another screen: what they had time to read there is no news here. It stays in the list
   * of messages.
   */
  leaveScreen(): void {
    const [newest] = this.past;
    const isRead = newest !== undefined && Date.now() - newest.at >= LEAVES_AFTER;
    if (this.notice?.stays === true && isRead && !this.#isHeld) this.close();
  }

  /** Does not leave while the pointer or the focus is on it. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#leaveLater();
  }

  /** Does something a person asked for, and says so when it fails. Gives whether it worked. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.fail(failureOf(error));
      return false;
    }
  }

  #show(notice: Notice): void {
    this.notice = notice;
    const { words, stays } = notice;
    const said = { words, at: Date.now(), isWarning: stays };
    this.past = [said, ...this.past].slice(0, MAX_PAST);
    this.#leaveLater();
  }

  #leaveLater(): void {
    clearTimeout(this.#timer);
    if (this.notice === null || this.notice.stays || this.#isHeld) return;
    this.#timer = setTimeout(() => this.close(), LEAVES_AFTER);
  }
}

export const activity = new Activity();
