import type { Stores } from '../../ports.ts';

import type { KnownItem, NewItemVersion } from './ports.ts';
import type { ItemKeeper } from './keeper.ts';

/**
 * Creates the version that removes an item. For a draft, the version states whether a user removed
 * the draft for everyone, as far as this computer knows.
 */
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
