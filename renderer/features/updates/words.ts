import type { UpdateState, UpdateMethod } from '../../../shared/contract/updates.ts';
import { formatBytes } from '../../ui/format.ts';
import { m } from '../../ui/language.svelte.ts';

export const updateMethodWords = {
  here: m.updates_way_here,
  window: m.updates_way_here,
  'package-manager': m.updates_way_package_manager,
  checkout: m.updates_way_checkout,
  'by-hand': m.updates_way_by_hand,
} as const satisfies Record<UpdateMethod, () => string>;

export function offerSentence({ kind, release }: NonNullable<UpdateState['offer']>): string {
  const { version, size } = release;
  switch (kind) {
    case 'newer':
      if (size === null) return m.updates_newer({ version });
      return m.updates_newer_size({ version, size: formatBytes(size) });
    case 'same':
      return m.updates_same({ version });
    case 'older':
      return m.updates_older({ version });
  }
}
