import type { SelectionV2 } from '../../../../shared/contract/agreement-selection.ts';
import { formatV2Time } from '../../../../shared/rules/time/wire-time.ts';
import type { Query } from '../http/endpoint.ts';

/**
 * End of a period without `to`. It is later than any agreement, so that a clock that is days slow
 * hides nothing.
 */
const MAX_DATE_MS = Date.UTC(2100, 0, 1);
/** Start of a period without `from`, before any agreement; `to` without `from` is undocumented. */
const MIN_DATE_MS = Date.UTC(2000, 0, 1);

/**
 * Returns the query of a selection (API v2, "List Agreements"). Both ends are always sent, as
 * Swedish wall times.
 */
export function selectionQuery(selection: SelectionV2): Query {
  const { status, templateId, from = MIN_DATE_MS, to = MAX_DATE_MS } = selection;
  return {
    status,
    from: formatV2Time(from),
    to: formatV2Time(to),
    ...(templateId === undefined ? {} : { templateId }),
  };
}
