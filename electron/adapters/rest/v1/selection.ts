import type { SelectionV1 } from '../../../../shared/contract/agreement-selection.ts';
import { printV1 } from '../../../../shared/rules/time/wire-time.ts';
import type { Query } from '../http/endpoint.ts';

type Active = Extract<SelectionV1, { readonly active: unknown }>['active'];

/**
 * Returns one filter, since a request may have only one (API v1, "List Agreements"). Its times
 * contain no colon.
 */
export function filterOf(selection: SelectionV1): Query {
  if ('state' in selection) return { 'filter[state]': selection.state };
  return { 'filter[lastActivityOn]': windowOf(selection.active) };
}

function windowOf(active: Active): string {
  if (!('from' in active)) return `before:${printV1(active.to)}`;
  const from = printV1(active.from);
  return active.to === undefined ? `after:${from}` : `between:${from}:${printV1(active.to)}`;
}
