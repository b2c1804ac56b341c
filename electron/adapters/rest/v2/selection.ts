import type { SelectionV2 } from '../../../../shared/contract/agreement-selection.ts';
import { printV2 } from '../../../../shared/rules/time/wire-time.ts';
import type { Query } from '../http/endpoint.ts';

/** Later than any agreement, and even a clock that is days slow hides nothing. */
const MAX_DATE_MS = Date.UTC(2100, 0, 1);
/** Before any agreement; `to` without `from` is undocumented. */
const MIN_DATE_MS = Date.UTC(2000, 0, 1);

/** API v2, "List Agreements": both ends are always sent, as Swedish wall times. */
export function selectionQuery(selection: SelectionV2): Query {
  const { status, templateId, from = MIN_DATE_MS, to = MAX_DATE_MS } = selection;
  return {
    status,
    from: printV2(from),
    to: printV2(to),
    ...(templateId === undefined ? {} : { templateId }),
  };
}
