import { printV2 } from '../../../shared/rules/wire-time.ts';
import type { SelectionV2 } from '../../core/action-ports.ts';
import type { Clock } from '../../core/ports.ts';
import type { Query } from './endpoint.ts';

const HOUR = 3_600_000;
/** Nothing is dated later than now; far enough that a slow clock here hides nothing. */
const AHEAD = 48 * HOUR;
/** Before there was anything to list; `to` without `from` is not described. */
const BEGINNING = Date.UTC(2000, 0, 1);

/** API v2, "List Agreements": both ends are always sent, as Swedish wall times. */
export function selectionQuery(selection: SelectionV2, clock: Clock): Query {
  const { status, templateId, from = BEGINNING, to = clock.now() + AHEAD } = selection;
  return {
    status,
    from: printV2(from),
    to: printV2(to),
    ...(templateId === undefined ? {} : { templateId }),
  };
}
