import { setImmediate } from 'node:timers/promises';

/** Maximum number of pages requested in advance; more would only burden the service. */
export const MAX_PAGES_AHEAD = 3;

/** Returns `count` positions from `first` on, `step` apart; empty if `count` is below 1. */
export function pagePositions(first: number, step: number, count: number): readonly number[] {
  const whole = Math.max(0, Math.floor(count));
  return Array.from({ length: whole }, (_, index) => first + index * step);
}

/** Number of identical pages in a row after which the list counts as endless. */
const MAX_IDENTICAL_PAGES = 3;

/** Detects a list that repeats itself, which the numbers in the list may not show. */
export class RepeatedPageGuard {
  #last = '';
  #alike = 1;

  /** Returns true if the same page was received too often in a row. */
  goesRound(ids: readonly string[]): boolean {
    const page = ids.join('\n');
    this.#alike = page !== '' && page === this.#last ? this.#alike + 1 : 1;
    this.#last = page;
    return this.#alike >= MAX_IDENTICAL_PAGES;
  }
}

/**
 * Number of agreements that may be added while a list is read, in addition to 10 % of the announced
 * total.
 */
const MAX_LENGTH_DRIFT = 1000;
/** Maximum total, far above any company's; a list that announces more is not read. */
const MAX_LISTED_ROWS = 2_000_000;

/**
 * Detects a list that exceeds its announced total: each page may have new IDs and announce another
 * page. The total on the first page counts.
 */
export class LengthGuard {
  #announced: number | null = null;
  #rows = 0;

  /** Returns a description of the fault; null if there is no fault. */
  excess(rows: number, total: number): string | null {
    this.#announced ??= total;
    this.#rows += rows;
    if (this.#announced > MAX_LISTED_ROWS) {
      return `it announces ${String(this.#announced)} agreements, more than ${String(MAX_LISTED_ROWS)}`;
    }
    if (this.#rows > Math.max(0, this.#announced) * 1.1 + MAX_LENGTH_DRIFT) {
      return `it continues after ${String(this.#rows)} agreements, although it announced ${String(this.#announced)}`;
    }
    return null;
  }
}

/** Yields to the event loop, so that answers that arrived together are not processed in one go. */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}

/** Number of agreements that can be stored within a frame of the window. */
const SLICE_ROWS = 25;

/** Splits pages into small ones, yielding to the event loop in between. */
export async function* inSlices<Page extends { readonly items: readonly unknown[] }>(
  pages: AsyncIterable<Page>,
): AsyncGenerator<Page, void> {
  for await (const page of pages) {
    yield { ...page, items: page.items.slice(0, SLICE_ROWS) };
    for (let at = SLICE_ROWS; at < page.items.length; at += SLICE_ROWS) {
      await yieldToEventLoop();
      yield { ...page, items: page.items.slice(at, at + SLICE_ROWS) };
    }
  }
}

/** Requested pages by position. Pages that are never read are dropped. */
export class PagesAhead<Page> {
  readonly #ask: (position: number | null) => Promise<Page>;
  readonly #asked = new Map<number, Promise<Page>>();

  constructor(ask: (position: number | null) => Promise<Page>) {
    this.#ask = ask;
  }

  start(wanted: readonly number[]): void {
    for (const position of wanted) {
      if (this.#asked.has(position)) continue;
      const answer = this.#ask(position);
      // The error is reported when the page is read, or never if the list ends before that page.
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
