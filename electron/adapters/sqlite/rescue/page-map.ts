import { USABLE_PAGE_BYTES } from './page-cipher.ts';
import type { Pages } from './pages.ts';

/*
 * Reads the pointer map that files with auto_vacuum contain: the kind and the parent of each page
 * (https://sqlite.org/fileformat.html, "Pointer Map Pages").
 */

const MAP_ENTRY_BYTES = 5;
/** Number of pages that a map page describes; they follow the map page. */
const PAGES_PER_MAP = Math.floor(USABLE_PAGE_BYTES / MAP_ENTRY_BYTES);
const FIRST_MAP_PAGE = 2;
const MAX_TREE_DEPTH = 40;
/** Page at 1 GiB, which SQLite reserves for its locks. */
export const LOCK_PAGE_NUMBER = 2 ** 30 / 4096 + 1;

const ROOT_PAGE_KIND = 1;
const FREE_PAGE_KIND = 2;
/** Kind of a non-root page of a tree; kinds 3 and 4 are overflow pages. */
const INNER_PAGE_KIND = 5;

interface MapEntry {
  readonly kind: number;
  readonly parent: number;
}

/** Returns the root page of the tree that a page belongs to; 'none' for free and overflow pages. */
export type RootOf = (number: number) => number | 'none' | 'unknown';

/** Reads the pointer map of a file; pages without a readable entry are 'unknown'. */
export function readPageMap(pages: Pages): RootOf {
  const parts = new Map<number, readonly MapEntry[]>();
  const entryOf = (number: number): MapEntry | undefined => {
    const place = placeOf(number);
    const part = parts.get(place) ?? readPart(pages, place);
    parts.set(place, part);
    return part[number - place - 1];
  };
  return (number) => {
    // The loop ends on cycles: no tree is this deep, but a map may contradict itself.
    for (let [at, depth] = [number, 0]; depth < MAX_TREE_DEPTH; depth += 1) {
      // Page 1 is the root of the schema table; the map does not contain it.
      if (at === 1) return 1;
      if (placeOf(at) === at) return 'none';
      const entry = entryOf(at);
      if (entry === undefined || entry.kind === 0) return 'unknown';
      if (entry.kind === ROOT_PAGE_KIND) return at;
      if (entry.kind !== INNER_PAGE_KIND) return 'none';
      at = entry.parent;
    }
    return 'unknown';
  };
}

/** Returns the number of the map page that describes this page, or is this page. */
function placeOf(number: number): number {
  const place =
    FIRST_MAP_PAGE +
    Math.floor((number - FIRST_MAP_PAGE) / (PAGES_PER_MAP + 1)) * (PAGES_PER_MAP + 1);
  return place === LOCK_PAGE_NUMBER ? place + 1 : place;
}

/**
 * Reads a map page. Empty if the page is unreadable or not a map page, which older files do not
 * have.
 */
function readPart(pages: Pages, place: number): readonly MapEntry[] {
  const page = pages.read(place);
  if (page === null) return [];
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength);
  const count = Math.min(PAGES_PER_MAP, pages.count - place);
  const entries = Array.from({ length: count }, (_, at) => ({
    kind: view.getUint8(MAP_ENTRY_BYTES * at),
    parent: view.getUint32(MAP_ENTRY_BYTES * at + 1),
  }));
  const isMap = entries.every(
    ({ kind, parent }) => kind <= INNER_PAGE_KIND && kind > FREE_PAGE_KIND === parent > 0,
  );
  return isMap ? entries : [];
}
