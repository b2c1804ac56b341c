import type { Stores } from '../../ports.ts';
import type { KnownItem, NewItemVersion } from '../ports.ts';
import type { ItemKeeper } from './keeper.ts';

/** The version that removes an item. Says of a draft whether a person removed it for all, as far as this desk knows. */
export function removalOf(
  { kind, id, content }: KnownItem,
  version: number,
  keeper: Pick<ItemKeeper, 'isKept'>,
  privacy: Pick<Stores['privacy'], 'wasRemoved'>,
): NewItemVersion {
  const isRemoved =
    kind === 'draft' &&
    keeper.isKept?.(id) !== true &&
    (content !== null || privacy.wasRemoved(kind, id));
  return { kind, id, version, content: null, ...(isRemoved && { isRemoved }) };
}
