import type { Pages } from './pages.ts';
import {
  type Cell,
  kinds,
  type Payload,
  readOverflow,
  readRecord,
  readTreePage,
  type TreePage,
  type Value,
} from './records.ts';

/** A row as it stands in a b-tree. */
export interface StoredRow {
  /** Null in trees that are ordered by their values. */
  readonly rowid: bigint | null;
  readonly values: readonly Value[];
}

/** What of a tree cannot be read. Bounds are null where nothing stands on that side. */
export type Hole =
  | {
      /** Rows behind `after`, up to and with `until`. */
      readonly kind: 'pages';
      readonly after: bigint | null;
      readonly until: bigint | null;
    }
  /** One row, with what stands before the part that is gone. */
  | { readonly kind: 'row'; readonly row: StoredRow };

type Found = { readonly row: StoredRow } | { readonly hole: Hole };

/** SQLite opens no tree that is deeper (its BTCURSOR_MAX_DEPTH). */
const DEEPEST = 20;

/** Reads b-trees out of pages that may be damaged, and remembers which pages it came by. */
export class Trees {
  readonly #pages: Pages;
  /** Pages that belong to a tree, also those that a row goes on. */
  readonly #seen = new Set<number>();

  constructor(pages: Pages) {
    this.#pages = pages;
  }

  isSeen(number: number): boolean {
    return this.#seen.has(number);
  }

  /** Every row that can be read from this page on, in order, and what cannot. */
  *read(root: number, isTable: boolean): Generator<Found> {
    yield* this.#read({ number: root, depth: 1 }, isTable, null, null);
  }

  /** Remembers every page of a tree whose rows are of no use. Gives whether all of it could be read. */
  pass(root: number): boolean {
    const bytes = this.#pages.read(root);
    const page = bytes === null ? null : readTreePage(bytes, root);
    if (page === null) return false;
    let isWhole = true;
    for (const found of this.read(root, isOfTable(page))) isWhole &&= 'row' in found;
    return isWhole;
  }

  /** A page that belongs to no tree that could be read; null when it has no rows, or a tree has it. */
  loose(number: number): TreePage | null {
    if (this.#seen.has(number)) return null;
    const page = this.#pages.read(number);
    const found = page === null ? null : readTreePage(page, number);
    return found?.kind === kinds.tableInner ? null : found;
  }

  /** The rows of one page, of which nobody knows yet where they belong. */
  *rowsOn({ cells }: TreePage): Generator<Found> {
    for (const cell of cells) if (cell.payload !== null) yield this.#row(cell, cell.payload, false);
  }

  /** From now on this page belongs to a tree, with those that its rows go on. */
  take(number: number, { cells }: TreePage): void {
    this.#seen.add(number);
    for (const cell of cells) if (cell.payload !== null) this.#row(cell, cell.payload, true);
  }

  *#read(
    { number, depth }: { readonly number: number; readonly depth: number },
    isTable: boolean,
    after: bigint | null,
    until: bigint | null,
  ): Generator<Found> {
    const page = depth > DEEPEST ? null : this.#page(number, isTable, after, until);
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
   * Null for a page that is damaged, and for one that is not what its tree says: where the newest
   * pages are lost, older ones may have become part of something else since.
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

  #row({ rowid }: Cell, payload: Payload, isTaken: boolean): Found {
    const bytes = this.#whole(payload, isTaken);
    const values = readRecord(bytes);
    const row = { rowid, values: values ?? [] };
    return bytes.length === payload.size && values !== null
      ? { row }
      : { hole: { kind: 'row', row } };
  }

  /** As much of a payload as can be read from its beginning on. */
  #whole({ size, here, next }: Payload, isTaken: boolean): Uint8Array {
    if (next === 0) return here;
    const parts = [here];
    let length = here.length;
    // Of a page that no tree leads to, nothing says that it is a row: it may go on in a circle.
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
  return kind === kinds.tableLeaf || kind === kinds.tableInner;
}
