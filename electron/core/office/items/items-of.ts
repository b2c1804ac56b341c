import type { OfficeItemKind } from '../../../../shared/contract/office/items.ts';

import type { KnownItem } from './ports.ts';
import type { OfficeStore } from '../ports.ts';

const ITEMS_PER_READ = 100;

/** Yields all items of a kind that this computer knows from the office; reads them in pages. */
export function* itemsOf(office: OfficeStore, kind: OfficeItemKind): Generator<KnownItem> {
  for (let after = ''; ;) {
    const page = office.itemsBehind(kind, after, ITEMS_PER_READ);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < ITEMS_PER_READ) return;
    after = last.id;
  }
}
