import type { Zone } from '../server/behaviour.ts';
import { json, type Answer, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import { parseWallStamp, SECOND } from '../server/stamps.ts';
import { isOurAgreement, isCommitted } from './access.ts';
import type { LegacyAgreement } from '../state/record-v2.ts';
import { viewLegacy } from './view.ts';

const MAX_PAGE_SIZE = 100;
const LIST_PARAMETERS = ['templateId', 'status', 'from', 'to', 'offset', 'max'];

interface StatusSelection {
  readonly statuses: readonly LegacyAgreement['status'][];
  readonly date: (agreement: LegacyAgreement) => number | null;
}

const listedStatuses = ['POSTED', 'REJECTED', 'SIGNED_BY_ALL'] as const;

/** States selected by each value of `status`, and the date for sorting and filtering. */
const selectionsByStatus: Readonly<Record<string, StatusSelection>> = {
  NOT_SIGNED: { statuses: ['POSTED'], date: ({ postedOn }) => postedOn },
  CLOSED: { statuses: ['SIGNED_BY_ALL'], date: ({ closedOn }) => closedOn },
  REJECTED: { statuses: ['REJECTED'], date: ({ rejectedOn }) => rejectedOn },
  MODIFIED: { statuses: listedStatuses, date: ({ lastModifiedOn }) => lastModifiedOn },
  ALL: { statuses: listedStatuses, date: ({ postedOn }) => postedOn },
};

/** Lists agreements, the newest first; an empty result is an error 404. */
export function listLegacy({ query }: Exchange, service: Service): Answer {
  const { v2Zone, v2FilterZone, commitDelayMs } = service.behaviour;
  for (const key of query.keys()) {
    if (!LIST_PARAMETERS.includes(key)) throw new Refusal(400, `Unknown query parameter '${key}'.`);
  }
  const { statuses, date } = readSelection(query.get('status') ?? 'ALL');
  const from = readDate(query, 'from', 'start', v2FilterZone) ?? Number.NEGATIVE_INFINITY;
  const to = readDate(query, 'to', 'end', v2FilterZone) ?? service.now();
  const templateId = query.get('templateId');
  const isTimed = commitDelayMs > 0 || !query.has('to');
  const key = ['status', 'templateId', 'from', 'to'].map((name) => query.get(name)).join(' ');
  const found = service.listed.v2.selected(isTimed ? null : key, (items) =>
    items
      .filter((one) => isCommitted(one, service) && isOurAgreement(one))
      .filter((one) => statuses.includes(one.status))
      .filter((one) => templateId === null || one.templateId === templateId)
      .map((agreement) => ({ agreement, at: toWholeSecond(date(agreement)) }))
      .filter(({ at }) => at >= from && at <= to)
      .sort(
        (a, b) =>
          b.at - a.at || (a.agreement.referenceNumber < b.agreement.referenceNumber ? 1 : -1),
      )
      .map(({ agreement }) => agreement),
  );
  const start = readCount(query, 'offset') ?? 0;
  const max = Math.min(readCount(query, 'max') ?? MAX_PAGE_SIZE, MAX_PAGE_SIZE);
  const shown = found.slice(start, start + max);
  if (shown.length === 0) throw new Refusal(404, 'No agreements match.');
  return json({
    agreements: shown.map((agreement) => viewLegacy(agreement, 'fetch', v2Zone)),
    start,
    count: shown.length,
    totalCount: found.length,
  });
}

function readSelection(status: string): StatusSelection {
  const found = Object.hasOwn(selectionsByStatus, status) ? selectionsByStatus[status] : undefined;
  if (found === undefined) throw new Refusal(400, `Unknown status '${status}'.`);
  return found;
}

function readDate(
  query: URLSearchParams,
  name: string,
  edge: 'start' | 'end',
  zone: Zone,
): number | null {
  const text = query.get(name);
  if (text === null) return null;
  const at = parseWallStamp(text, edge, zone);
  if (at === null) throw new Refusal(400, `${name} must be yyyy-MM-dd or yyyy-MM-dd HH:mm:ss.`);
  return at;
}

function readCount(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^\d{1,9}$/.test(text)) throw new Refusal(400, `${name} must be a whole number.`);
  return Number(text);
}

function toWholeSecond(at: number | null): number {
  return Math.floor((at ?? 0) / SECOND) * SECOND;
}
