import { USABLE } from './page-cipher.ts';
import type { Pages } from './pages.ts';

/*
 * Files that can give back free pages (auto_vacuum) keep a map of what each page is, and which page
 * leads to it (https://sqlite.org/fileformat.html, "Pointer Map Pages").
 */

const ENTRY = 5;
/** Pages that one page of the map describes, which follow it. */
const DESCRIBED = Math.floor(USABLE / ENTRY);
const FIRST = 2;
const DEEPEST = 40;
/** SQLite keeps the page at the first gibibyte free for its locks. */
export const LOCK_PAGE = 2 ** 30 / 4096 + 1;

const ROOT = 1;
const FREE = 2;
/** A page of a tree that another one leads to; the kinds between are what rows go on. */
const WITHIN = 5;

interface Entry {
  readonly kind: number;
  readonly parent: number;
}

/** The first page of the tree that a page belongs to; none for one that is free or that a row goes on. */
export type RootOf = (number: number) => number | 'none' | 'unknown';

/** Reads the map of a file, as far as the file has one and it can be read. */
export function readPageMap(pages: Pages): RootOf {
  const parts = new Map<number, readonly Entry[]>();
  const entryOf = (number: number): Entry | undefined => {
    const place = placeOf(number);
    const part = parts.get(place) ?? readPart(pages, place);
    parts.set(place, part);
    return part[number - place - 1];
  };
  return (number) => {
    // No tree is as deep as this, however the pages of the map contradict each other.
    for (let [at, depth] = [number, 0]; depth < DEEPEST; depth += 1) {
      // The tree of the file's tables begins on the first page, of which the map does not tell.
      if (at === 1) return 1;
      if (placeOf(at) === at) return 'none';
      const entry = entryOf(at);
      if (entry === undefined || entry.kind === 0) return 'unknown';
      if (entry.kind === ROOT) return at;
      if (entry.kind !== WITHIN) return 'none';
      at = entry.parent;
    }
    return 'unknown';
  };
}

/** The page of the map that describes this one, or is it. */
function placeOf(number: number): number {
  const place = FIRST + Math.floor((number - FIRST) / (DESCRIBED + 1)) * (DESCRIBED + 1);
  return place === LOCK_PAGE ? place + 1 : place;
}

/** Empty for what cannot be read, and for a page that is no map: older files have none. */
function readPart(pages: Pages, place: number): readonly Entry[] {
  const page = pages.read(place);
  if (page === null) return [];
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const count = Math.min(DESCRIBED, pages.count - place);
  const entries = Array.from({ length: count }, (_, at) => ({
    kind: view.getUint8(ENTRY * at),
    parent: view.getUint32(ENTRY * at + 1),
  }));
  const isMap = entries.every(({ kind, parent }) => kind <= WITHIN && kind > FREE === parent > 0);
  return isMap ? entries : [];
}
