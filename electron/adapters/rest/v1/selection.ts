import type { SelectionV1 } from '../../../../shared/contract/agreement-selection.ts';
import { formatV1Time } from '../../../../shared/rules/time/wire-time.ts';
import type { Query } from '../http/endpoint.ts';

type ActivityPeriod = Extract<SelectionV1, { readonly active: unknown }>['active'];

/**
 * Returns one filter, since a request may have only one (API v1, "List Agreements"). Its times
 * contain no colon.
 */
export function selectionFilter(selection: SelectionV1): Query {
  if ('state' in selection) return { 'filter[state]': selection.state };
  return { 'filter[lastActivityOn]': activityFilter(selection.active) };
}

function activityFilter(active: ActivityPeriod): string {
  if (!('from' in active)) return `before:${formatV1Time(active.to)}`;
  const from = formatV1Time(active.from);
  return active.to === undefined ? `after:${from}` : `between:${from}:${formatV1Time(active.to)}`;
}
