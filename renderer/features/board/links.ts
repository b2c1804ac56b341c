import type { Board, FailedKind } from '../../../shared/contract/board.ts';
import type { ListFilter } from '../../../shared/contract/agreement-views.ts';
import type { PlotName } from '../../../shared/rules/board/plots.ts';
import { hrefOf } from '../../window/router.svelte.ts';
import { agreements } from '../agreements/state.svelte.ts';
import { archive } from '../archive/state.svelte.ts';

/** Link to a list, and the filter that the list gets before it is shown. */
export interface BoardLink {
  readonly href: string;
  readonly narrow: () => void;
}

/** Links of a plot's groups, in the same order; null for a group without such a list. */
export type PlotLinks = readonly (BoardLink | null)[];

/** Link to the agreements with exactly this filter, without the search. */
export const agreementsLink = (filter: ListFilter): BoardLink => ({
  href: hrefOf('agreements'),
  narrow() {
    agreements.search = '';
    void agreements.narrow(filter);
  },
});

const problemsLink: BoardLink = {
  href: hrefOf('archive'),
  narrow: () => archive.showProblems(),
};

/**
 * Links of the groups of which a list can show exactly the counted items. The lists have no filter
 * by the time of sending, by a template's name, or by the kind of a failed action.
 */
export function boardLinks({
  signing,
  expiring,
  failed,
}: Board): Readonly<Record<PlotName, PlotLinks>> {
  return {
    waiting: [],
    templates: [],
    signing: signing.months.map(({ month }) =>
      // The plot excludes agreements without a time of sending, but the list shows them.
      signing.unknown > 0 ? null : agreementsLink(signedIn(month)),
    ),
    expiring: expiring.bars.map(({ from, to, count }) =>
      count === 0
        ? null
        : agreementsLink({
            states: ['waiting', 'part-signed', 'unknown'],
            gone: false,
            connected: true,
            expiresFrom: from,
            expiresTo: to,
          }),
    ),
    failed: failed.bars.map(({ kind, count }) => (count === 0 ? null : failureLinks[kind])),
  };
}

const failureLinks: Readonly<Record<FailedKind, BoardLink | null>> = {
  'send-refused': null,
  'send-unclear': null,
  'action-refused': null,
  'action-unclear': null,
  'archive-file': problemsLink,
  'archive-run': null,
};

/** Filter for the agreements that were signed in a month such as `2026-11`, in local time. */
function signedIn(name: string): ListFilter {
  const [year = 0, month = 1] = name.split('-').map(Number);
  return {
    states: ['signed'],
    closedFrom: new Date(year, month - 1, 1).getTime(),
    closedTo: new Date(year, month, 1).getTime(),
  };
}
