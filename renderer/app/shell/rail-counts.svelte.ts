import { agreements } from '../../features/agreements/state.svelte.ts';
import { drafts } from '../../features/drafts/state.svelte.ts';
import { outbox } from '../../features/outbox/state.svelte.ts';
import type { ScreenName } from '../../window/router.svelte.ts';

/** Number of waiting items for each screen; screens without a number are missing. */
class RailCounts {
  readonly drafts = drafts.list;
  readonly byScreen: Readonly<Partial<Record<ScreenName, number>>> = $derived({
    agreements: agreements.counts.value?.all ?? 0,
    drafts: drafts.list.value?.length ?? 0,
    outbox: outbox.openCount,
    signing: agreements.counts.value?.myTurn ?? 0,
  });
}

export const railCounts = new RailCounts();
