import { setImmediate } from 'node:timers/promises';

/** Pages asked for before the one in hand is used up; more would only press a service for nothing. */
export const PAGES_AHEAD = 3;

/** `count` positions from `first` on, `step` apart; none when `count` is below one. */
export function positions(first: number, step: number, count: number): readonly number[] {
  const whole = Math.max(0, Math.floor(count));
  return Array.from({ length: whole }, (_, index) => first + index * step);
}

/** So many pages alike, and the service gives the same one for ever. */
const MAX_ALIKE = 3;

/** Tells when a listing goes in a circle, which its own numbers need not say. */
export class CircleGuard {
  #last = '';
  #alike = 1;

  /** True when this page has come too often, one time upon the other. */
  goesRound(ids: readonly string[]): boolean {
    const page = ids.join('\n');
    this.#alike = page !== '' && page === this.#last ? this.#alike + 1 : 1;
    this.#last = page;
    return this.#alike >= MAX_ALIKE;
  }
}

/** Agreements that may come into a list while it is read, beside a tenth of what it announced. */
const DRIFT = 1000;
/** Far more than any company has; who announces more is not read at all. */
const MAX_ROWS = 2_000_000;

/**
 * Tells when a listing goes on beyond what it announced, which its pages need not show: each may
 * have other ids and promise another page. What its first page announces is what it is held to.
 */
export class LengthGuard {
  #announced: number | null = null;
  #rows = 0;

  /** What the listing did that no list does; null while it is in order. */
  excess(rows: number, total: number): string | null {
    this.#announced ??= total;
    this.#rows += rows;
    if (this.#announced > MAX_ROWS) {
      return `it announces ${String(this.#announced)} agreements, more than ${String(MAX_ROWS)}`;
    }
    if (this.#rows > Math.max(0, this.#announced) * 1.1 + DRIFT) {
      return `it continues after ${String(this.#rows)} agreements, although it announced ${String(this.#announced)}`;
    }
    return null;
  }
}

/** Lets everything else have its turn: answers that came together are not read in one go. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** So many are written without the window waiting longer than a frame. */
const SLICE = 25;

/** The same pages in small pieces, between which everything else has its turn. */
export async function* inSlices<Page extends { readonly items: readonly unknown[] }>(
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void> {
  for await (const page of pages) {
    yield { ...page, items: page.items.slice(0, SLICE) };
    for (let at = SLICE; at < page.items.length; at += SLICE) {
      await yieldToEventLoop();
      yield { ...page, items: page.items.slice(at, at + SLICE) };
    }
  }
}

/** Answers that are on their way, by position. What is asked for and not fetched is let go. */
export class PagesAhead<Page> {
  readonly #ask: (position: number | null) => Promise<Page>;
  readonly #asked = new Map<number, Promise<Page>>();

  constructor(ask: (position: number | null) => Promise<Page>) {
    this.#ask = ask;
  }

  /** Asks for what was not asked for yet. */
  start(wanted: readonly number[]): void {
    for (const position of wanted) {
      if (this.#asked.has(position)) continue;
      const answer = this.#ask(position);
      // Its failure is met when its turn comes, or never, when the listing ends before.
      answer.catch(() => {});
      this.#asked.set(position, answer);
    }
  }

  fetch(position: number | null): Promise<Page> {
    const early = position === null ? undefined : this.#asked.get(position);
    if (position !== null) this.#asked.delete(position);
    return early ?? this.#ask(position);
  }
}
