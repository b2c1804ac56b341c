import type { HandlersOf } from '../../../shared/contract/index.ts';
import type { Clock, Stores } from '../ports.ts';
import type { AgreementReader } from './ports.ts';
import type { AgreementDetails } from '../../../shared/contract/agreements.ts';

type ListHandlers = Pick<
  HandlersOf<'agreements'>,
  | 'agreements.list'
  | 'agreements.window'
  | 'agreements.rows'
  | 'agreements.count'
  | 'agreements.groups'
  | 'agreements.position'
  | 'agreements.keys'
  | 'agreements.counts'
  | 'agreements.storage'
>;

export function createAgreementLists({
  stores: { agreements },
  lists,
  clock,
}: {
  readonly stores: Pick<Stores, 'agreements'>;
  readonly lists: AgreementReader;
  readonly clock: Clock;
}): ListHandlers {
  return {
    'agreements.list': (query) => lists.list(query, clock.now()),
    'agreements.window': (stretch) => lists.window(stretch, clock.now()),
    'agreements.rows': ({ keys, more }) => lists.named(keys, more),
    'agreements.count': async (filter) => ({ total: await lists.count(filter, clock.now()) }),
    'agreements.groups': (view) => lists.groups(view, clock.now()),
    'agreements.position': async ({ key, ...view }) => ({
      index: await lists.position(view, key, clock.now()),
    }),
    'agreements.keys': (stretch) => lists.keys(stretch, clock.now()),
    'agreements.counts': ({ connectionId }) => lists.counts(connectionId, clock.now()),
    'agreements.storage': async () => agreements.storage(),
  };
}

/**
 * Adds the time of a revocation to the timeline. API v2 reports it only in the answer to the revoke
 * request, so it is taken from the stored action.
 */
export function withRevokedAt(
  details: AgreementDetails,
  actions: Stores['actions'],
): AgreementDetails {
  const { connectionId, id: agreementId, state, timeline } = details;
  if (state !== 'revoked' || timeline.some(({ what }) => what === 'revoked')) return details;
  const at = actions
    .list({ connectionId, agreementId }, 0)
    .flatMap(({ kind, revokedAt }) =>
      kind === 'revoke' && revokedAt !== null ? [revokedAt] : [],
    )[0];
  if (at === undefined) return details;
  const entry = { at, what: 'revoked', party: null } as const;
  return { ...details, timeline: [...timeline, entry].toSorted((a, b) => a.at - b.at) };
}
