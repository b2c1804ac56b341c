/** Pages asked for before the one in hand is used up; more would only press a service for nothing. */
export const PAGES_AHEAD = 3;

/** `count` positions from `first` on, `step` apart; none when `count` is below one. */
export function positions(first: number, step: number, count: number): readonly number[] {
  const whole = Math.max(0, Math.floor(count));
  return Array.from({ length: whole }, (_, index) => first + index * step);
}

/** Answers that are on their way, by position. What is asked for and not fetched is let go. */
export class Underway<Page> {
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
