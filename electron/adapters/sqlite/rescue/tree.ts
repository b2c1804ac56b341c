import type { Pages } from './pages.ts';
import {
  type Cell,
  btreePageKinds,
  type Payload,
  readOverflow,
  readRecord,
  readTreePage,
  type TreePage,
  type Value,
} from './records.ts';

export interface StoredRow {
  /** Rowid; null in WITHOUT ROWID tables and indexes. */
  readonly rowid: bigint | null;
  readonly values: readonly Value[];
}

/** Unreadable part of a tree. A null bound means that the range has no limit on that side. */
export type TreeHole =
  | {
      /** Rows with `after` < rowid <= `until`. */
      readonly kind: 'pages';
      readonly after: bigint | null;
      readonly until: bigint | null;
    }
  /** A row with the values before its missing part. */
  | { readonly kind: 'row'; readonly row: StoredRow };

type FoundInTree = { readonly row: StoredRow } | { readonly hole: TreeHole };

/** Maximum depth of a tree that SQLite opens (BTCURSOR_MAX_DEPTH). */
const MAX_BTREE_DEPTH = 20;

/** Reads b-trees from pages that may be damaged, and records the pages that it visited. */
export class Trees {
  readonly #pages: Pages;
  /** Pages that belong to a tree, including overflow pages. */
  readonly #seen = new Set<number>();

  constructor(pages: Pages) {
    this.#pages = pages;
  }

  isSeen(number: number): boolean {
    return this.#seen.has(number);
  }

  /** Yields, in order, every readable row below this page, and every hole. */
  *read(root: number, isTable: boolean): Generator<FoundInTree> {
    yield* this.#read({ number: root, depth: 1 }, isTable, null, null);
  }

  /**
   * Marks the pages of a tree whose rows are not needed. Returns whether all of the tree was
   * readable.
   */
  pass(root: number): boolean {
    const bytes = this.#pages.read(root);
    const page = bytes === null ? null : readTreePage(bytes, root);
    if (page === null) return false;
    let isWhole = true;
    for (const found of this.read(root, isOfTable(page))) isWhole &&= 'row' in found;
    return isWhole;
  }

  /**
   * Returns a page outside all readable trees; null if the page has no rows or belongs to a tree.
   */
  loose(number: number): TreePage | null {
    if (this.#seen.has(number)) return null;
    const page = this.#pages.read(number);
    const found = page === null ? null : readTreePage(page, number);
    return found?.kind === btreePageKinds.tableInner ? null : found;
  }

  /** Yields the rows of a page whose table is not known yet. */
  *rowsOn({ cells }: TreePage): Generator<FoundInTree> {
    for (const cell of cells) if (cell.payload !== null) yield this.#row(cell, cell.payload, false);
  }

  /** Marks this page and its overflow pages as part of a tree. */
  take(number: number, { cells }: TreePage): void {
    this.#seen.add(number);
    for (const cell of cells) if (cell.payload !== null) this.#row(cell, cell.payload, true);
  }

  *#read(
    { number, depth }: { readonly number: number; readonly depth: number },
    isTable: boolean,
    after: bigint | null,
    until: bigint | null,
  ): Generator<FoundInTree> {
    const page = depth > MAX_BTREE_DEPTH ? null : this.#page(number, isTable, after, until);
    if (page === null) {
      yield { hole: { kind: 'pages', after, until } };
      return;
    }
    let from = after;
    const below = (child: number) => ({ number: child, depth: depth + 1 });
    for (const cell of page.cells) {
      if (cell.left !== null) yield* this.#read(below(cell.left), isTable, from, cell.rowid);
      if (cell.payload !== null) yield this.#row(cell, cell.payload, true);
      from = cell.rowid;
    }
    if (page.right !== null) yield* this.#read(below(page.right), isTable, from, until);
  }

  /**
   * Returns a page; null if it is damaged or does not fit its tree. If the newest pages are lost,
   * older pages may have been reused.
   */
  #page(
    number: number,
    isTable: boolean,
    after: bigint | null,
    until: bigint | null,
  ): TreePage | null {
    if (number < 1 || number > this.#pages.count || this.#seen.has(number)) return null;
    const bytes = this.#pages.read(number);
    const page = bytes === null ? null : readTreePage(bytes, number);
    if (page === null || isOfTable(page) !== isTable) return null;
    const isWithin = ({ rowid }: Cell): boolean =>
      rowid === null || ((after === null || rowid > after) && (until === null || rowid <= until));
    if (!page.cells.every(isWithin)) return null;
    this.#seen.add(number);
    return page;
  }

  #row({ rowid }: Cell, payload: Payload, isTaken: boolean): FoundInTree {
    const bytes = this.#whole(payload, isTaken);
    const values = readRecord(bytes);
    const row = { rowid, values: values ?? [] };
    return bytes.length === payload.size && values !== null
      ? { row }
      : { hole: { kind: 'row', row } };
  }

  /** Returns the readable beginning of a payload. */
  #whole({ size, here, next }: Payload, isTaken: boolean): Uint8Array {
    if (next === 0) return here;
    const parts = [here];
    let length = here.length;
    // An unreferenced page may contain no rows at all, so its overflow chain may be a cycle.
    const own = new Set<number>();
    for (let number = next; number !== 0 && length < size;) {
      const isFree = !this.#seen.has(number) && !own.has(number);
      const page = isFree ? this.#pages.read(number) : null;
      if (page === null) break;
      own.add(number);
      if (isTaken) this.#seen.add(number);
      const more = readOverflow(page);
      const part = more.bytes.subarray(0, size - length);
      parts.push(part);
      length += part.length;
      number = more.next;
    }
    return Buffer.concat(parts);
  }
}

function isOfTable({ kind }: TreePage): boolean {
  return kind === btreePageKinds.tableLeaf || kind === btreePageKinds.tableInner;
}
