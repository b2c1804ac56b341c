import type { AgreementCounts } from '../../../../shared/contract/agreements.ts';
import { AgreementState } from '../../../../shared/model/agreement.ts';
import type { AgreementStore } from '../../../core/ports.ts';
import { readFacets, stateCode } from './facets.ts';
import type { AgreementListings } from './listings.ts';
import type { AgreementViews } from './views.ts';

/** Counts the agreements above the list, with the same filters as the lists. */
export function createAgreementCounts(
  listings: AgreementListings,
  views: AgreementViews,
): AgreementStore['counts'] {
  return (connectionId, now): AgreementCounts => {
    const { tally, connections } = listings.snapshot();
    const only = connectionId === undefined ? undefined : (connections.get(connectionId) ?? null);
    const inState = new Map<number, number>();
    for (const [facets, number] of tally) {
      const { state, connection } = readFacets(facets);
      if (only !== undefined && connection !== only) continue;
      inState.set(state, (inState.get(state) ?? 0) + number);
    }
    const of = (state: AgreementState) => inState.get(stateCode(state)) ?? 0;
    const where = connectionId === undefined ? {} : { connectionId };
    const counted = (counter: 'attention' | 'expiring' | 'my-turn' | 'not-archived') =>
      views.count({ ...where, counter }, now);
    return {
      all: AgreementState.options.reduce((sum, state) => sum + of(state), 0),
      byState: {
        draft: of('draft'),
        waiting: of('waiting'),
        'part-signed': of('part-signed'),
        signed: of('signed'),
        rejected: of('rejected'),
        revoked: of('revoked'),
        expired: of('expired'),
        unknown: of('unknown'),
      },
      attention: counted('attention'),
      expiring: counted('expiring'),
      myTurn: counted('my-turn'),
      notArchived: counted('not-archived'),
    };
  };
}
