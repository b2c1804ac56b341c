import type { OfficeItemKind } from '../../../../shared/contract/office/items.ts';
import type { KnownItem, OfficeStore } from '../ports.ts';

/** Read at once. */
const PAGE = 100;

/** Everything of a kind that this desk knows of the office. */
export function* itemsOf(office: OfficeStore, kind: OfficeItemKind): Generator<KnownItem> {
  for (let after = ''; ;) {
    const page = office.itemsBehind(kind, after, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.id;
  }
}
