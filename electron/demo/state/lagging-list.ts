/** Maximum number of selections to keep: only a few are paged through at the same time. */
const MAX_KEPT_SELECTIONS = 16;

/** Agreements as lists show them: with a delay, in the state that they had at that earlier time. */
export class LaggingList<Item extends { readonly version: number }> {
  readonly #live: ReadonlyMap<string, Item>;
  readonly #now: () => number;
  readonly #lagMs: number;
  /**
   * Versions of each item by its ID, the oldest first, with the time of the change (epoch ms);
   * `item` is null for a deletion.
   */
  readonly #past = new Map<string, { readonly at: number; readonly item: Item | null }[]>();

  /** Selections computed since the last change, by their key. */
  readonly #kept = new Map<string, readonly Item[]>();

  constructor(live: ReadonlyMap<string, Item>, now: () => number, lagMs: number) {
    this.#live = live;
    this.#now = now;
    this.#lagMs = lagMs;
  }

  /** Treats the current items as if they had always existed. */
  start(): void {
    this.#note(Number.NEGATIVE_INFINITY);
  }

  /** Records a change: stores a copy of each changed item. */
  note(): void {
    this.#kept.clear();
    this.#note(this.#now());
  }

  items(): readonly Item[] {
    if (this.#lagMs === 0) return [...this.#live.values()];
    const until = this.#now() - this.#lagMs;
    return [...this.#past.values()].flatMap(
      (versions) => versions.findLast(({ at }) => at <= until)?.item ?? [],
    );
  }

  /**
   * Returns the items chosen by `select`, computed once for all pages.
   * @param key identifies the selection; null if it depends on the time.
   */
  selected(key: string | null, select: (items: readonly Item[]) => readonly Item[]) {
    if (key === null || this.#lagMs > 0) return select(this.items());
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#kept.size >= MAX_KEPT_SELECTIONS) this.#kept.clear();
    const selected = select(this.items());
    this.#kept.set(key, selected);
    return selected;
  }

  #note(at: number): void {
    if (this.#lagMs === 0) return;
    for (const [id, item] of this.#live) {
      const versions = this.#past.get(id) ?? [];
      if (versions.at(-1)?.item?.version === item.version) continue;
      this.#past.set(id, [...versions, { at, item: structuredClone(item) }]);
    }
    for (const [id, versions] of this.#past) {
      if (!this.#live.has(id) && versions.at(-1)?.item !== null) versions.push({ at, item: null });
    }
  }
}
