import type { ConnectionId } from '../../../../shared/model/ids.ts';
import type { Stores } from '../../../core/ports.ts';
import type { CopyPage, WrittenCounts } from '../../../core/sync/ports.ts';

interface StartedPage {
  readonly page: CopyPage;
  readonly resolve: (written: WrittenCounts) => void;
  readonly reject: (error: unknown) => void;
  at: number;
  isWhole: boolean;
  added: number;
  changed: number;
}

interface PageRange {
  readonly begun: StartedPage;
  readonly end: number;
}

export interface WritePace {
  /** Returns the maximum number of agreements in the next commit. */
  most(): number;
  /** Maximum number of pages in a commit. */
  readonly pages: number;
  /** Number of agreements written between two checks for a waiting writer. */
  readonly between: number;
  /** Whether the commit must be rolled back; its agreements are then written again later. */
  isOver(): boolean;
  /** Reports the duration of a COMMIT, without the time to write its rows (ms). */
  committed(agreements: number, milliseconds: number): void;
}

export type CopyStores = Pick<Stores, 'sync' | 'agreements' | 'quickTransaction'>;

/** Error that rolls a commit back because another write comes first. */
const writePreemptedError = new Error('Another write comes first');

/** Writes pages in order of arrival, several per commit if the pace allows. */
export class PageWriter {
  readonly #stores: CopyStores;
  readonly #pace: WritePace;
  #pages: StartedPage[] = [];

  constructor(stores: CopyStores, pace: WritePace) {
    this.#stores = stores;
    this.#pace = pace;
  }

  get isIdle(): boolean {
    return this.#pages.length === 0;
  }

  add(page: CopyPage): Promise<WrittenCounts> {
    return new Promise((resolve, reject) => {
      this.#pages.push({ page, resolve, reject, at: 0, isWhole: false, added: 0, changed: 0 });
    });
  }

  /**
   * Makes one commit for one connection. If the commit fails, all queued pages of that connection
   * fail: a page must not count as stored if an earlier page is not.
   */
  step(): void {
    const parts = this.#next(this.#pace.most());
    try {
      this.#write(parts);
    } catch (error) {
      if (error === writePreemptedError) return;
      this.#fail(parts[0]?.begun.page.connectionId, error);
      return;
    }
    for (const { resolve, isWhole, added, changed } of [...this.#pages]) {
      if (!isWhole) return;
      this.#pages.shift();
      resolve({ added, changed });
    }
  }

  #fail(connectionId: ConnectionId | undefined, error: unknown): void {
    const isFailing = ({ page }: StartedPage) => page.connectionId === connectionId;
    const failing = this.#pages.filter(isFailing);
    this.#pages = this.#pages.filter((begun) => !isFailing(begun));
    for (const { reject } of failing) reject(error);
  }

  /** Returns the next agreements, from one or several pages; an empty page also has one range. */
  #next(most: number): readonly PageRange[] {
    const parts: PageRange[] = [];
    let left = most;
    const of = this.#pages[0]?.page.connectionId;
    for (const begun of this.#pages) {
      if (begun.page.connectionId !== of) break;
      if (left <= 0 || parts.length === this.#pace.pages) break;
      const end = Math.min(begun.page.items.length, begun.at + left);
      left -= Math.max(1, end - begun.at);
      parts.push({ begun, end });
    }
    return parts;
  }

  #write(parts: readonly PageRange[]): void {
    let rowsWritten = 0;
    const written = this.#stores.quickTransaction(() => {
      const counts = parts.map((part) => this.#writePart(part));
      rowsWritten = performance.now();
      return counts;
    });
    const agreements = parts.reduce((sum, { begun, end }) => sum + end - begun.at, 0);
    this.#pace.committed(agreements, performance.now() - rowsWritten);
    for (const [index, { begun, end }] of parts.entries()) {
      begun.added += written[index]?.added ?? 0;
      begun.changed += written[index]?.changed ?? 0;
      begun.at = end;
      begun.isWhole = end === begun.page.items.length;
    }
  }

  #writePart({ begun: { page, at }, end }: PageRange): WrittenCounts {
    const { sync, agreements } = this.#stores;
    const { connectionId, api, items, readAt, full } = page;
    const part = items.slice(at, end);
    const ids = [...new Set(part.map(({ id }) => id))];
    const added = ids.length - sync.known(connectionId, ids);
    let changed = 0;
    for (const some of this.#inTurn(part)) {
      changed += agreements.put(connectionId, api, some, readAt);
    }
    if (end === items.length && full !== null) sync.saveFull(connectionId, full);
    return { added, changed };
  }

  *#inTurn<Item>(items: readonly Item[]): Generator<readonly Item[]> {
    const { between } = this.#pace;
    for (let at = 0; at < items.length; at += between) {
      if (this.#pace.isOver()) throw writePreemptedError;
      yield items.slice(at, at + between);
    }
  }
}
