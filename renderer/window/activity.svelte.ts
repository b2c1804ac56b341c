import type { Api } from '../../shared/contract/index.ts';
import type { Failure } from '../../shared/errors.ts';
import { sentenceFor } from '../ui/failure-words.ts';
import { failureOf } from './desk.ts';

/**
 * Text of a message. It is called at each redraw, so that the message follows the language. A
 * message outlives its component, so read the component's values before.
 */
export type Words = () => string;

/** Link of a message: *Show* opens the subject. */
export interface NoticeAction {
  readonly label: Words;
  readonly run: () => void;
}

/**
 * Cause of a warning. The warning disappears as soon as its cause is gone: the named thing is in
 * order again, or the call with this name succeeds. A warning without a cause reports an event, and
 * disappears with its screen.
 */
export type Cause =
  | 'connection'
  | 'document'
  | 'outbox'
  | 'people-file'
  | 'service'
  | 'spreadsheet'
  | keyof Api;

interface Notice {
  readonly words: Words;
  readonly action: NoticeAction | null;
  /** Each of these causes; the message disappears as soon as one is gone. */
  readonly causes: readonly Cause[];
  /**
   * Whether the message stays until it is closed or replaced, its cause is gone, or the user opens
   * another screen after reading it.
   */
  readonly stays: boolean;
}

export interface PastNotice {
  readonly words: Words;
  /** Time of the message (epoch ms). */
  readonly at: number;
  readonly isWarning: boolean;
}

/** Maximum number of past messages; the oldest are dropped. */
const MAX_PAST_NOTICES = 200;

/** Time until a message disappears (ms). Short ones take a second to read, long ones four. */
const NOTICE_DURATION_MS = 10_000;

/** The activity bar: the only place where the program shows messages, and announces them. */
class Activity {
  notice = $state.raw<Notice | null>(null);
  /** Messages since the window opened, newest first. */
  past = $state.raw<readonly PastNotice[]>([]);
  isListOpen = $state(false);
  /** The last result that a screen shows, and that is read out; null after some time. */
  announced = $state.raw<PastNotice | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #announcedTimer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the user is reading the message or about to use its action. */
  #isHeld = false;

  /** Shows and announces an event; the message disappears automatically. */
  notify(words: Words, action: NoticeAction | null = null): void {
    this.#show({ words, action, causes: [], stays: false });
  }

  /** Shows and announces an important message; it stays until it is closed or its cause is gone. */
  warn(words: Words, action: NoticeAction | null = null, cause: Cause | null = null): void {
    this.#show({ words, action, causes: cause === null ? [] : [cause], stays: true });
  }

  /**
   * Announces a result that the open screen shows: it is read out and listed, and not shown in the
   * bar a second time.
   */
  announce(words: Words, isGood: boolean): void {
    this.announced = this.#list(words, !isGood);
    clearTimeout(this.#announcedTimer);
    this.#announcedTimer = setTimeout(() => (this.announced = null), NOTICE_DURATION_MS);
  }

  fail(failure: Failure, cause: Cause | null = null): void {
    const causes: readonly Cause[] = failure.code === 'offline' ? ['service'] : [];
    this.#show({
      words: () => sentenceFor(failure),
      action: null,
      causes: cause === null ? causes : [cause, ...causes],
      stays: true,
    });
  }

  /**
   * Removes a warning from the bar whose cause is gone. If the user is reading it, it disappears
   * some time later. It stays in the list of messages.
   */
  resolve(cause: Cause): void {
    if (this.notice?.causes.includes(cause) !== true) return;
    const { words, action } = this.notice;
    if (this.#isHeld) this.notice = { words, action, causes: [], stays: false };
    else this.close();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.notice = null;
  }

  /**
   * Called when the user opens another screen: messages they had time to read disappear from the
   * bar. They stay in the list of messages.
   */
  leaveScreen(): void {
    const [newest] = this.past;
    const isRead = newest !== undefined && Date.now() - newest.at >= NOTICE_DURATION_MS;
    if (this.notice?.stays === true && isRead && !this.#isHeld) this.close();
  }

  /** Keeps the message while the pointer or the focus is on it. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#leaveLater();
  }

  /**
   * Runs work the user requested and shows a message if it fails. Returns whether it worked.
   * @param cause Cause of the failure, which is gone as soon as such work succeeds.
   */
  async attempt(work: () => Promise<unknown>, cause: Cause | null = null): Promise<boolean> {
    const before = this.notice;
    try {
      await work();
      // A warning from the work itself reports its result.
      if (cause !== null && this.notice === before) this.resolve(cause);
      return true;
    } catch (error) {
      this.fail(failureOf(error), cause);
      return false;
    }
  }

  #show(notice: Notice): void {
    this.notice = notice;
    this.#list(notice.words, notice.stays);
    this.#leaveLater();
  }

  #list(words: Words, isWarning: boolean): PastNotice {
    const said = { words, at: Date.now(), isWarning };
    this.past = [said, ...this.past].slice(0, MAX_PAST_NOTICES);
    return said;
  }

  #leaveLater(): void {
    clearTimeout(this.#timer);
    if (this.notice === null || this.notice.stays || this.#isHeld) return;
    this.#timer = setTimeout(() => this.close(), NOTICE_DURATION_MS);
  }
}

export const activity = new Activity();
