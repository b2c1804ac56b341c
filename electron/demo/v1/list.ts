import { json, type Answer, type Exchange } from '../server/http.ts';
import { Refusal } from '../server/refusal.ts';
import type { Service } from '../state/service.ts';
import { callerOf, isCommitted, isAllowedTo } from './access.ts';
import { readFilter, readShape } from './query.ts';
import { viewListItem } from './view.ts';

const PAGE_NUMBER_PARAMETER = 'page[number]';
const PAGE_SIZE_PARAMETER = 'page[size]';

/** Lists agreements, the newest first. A page size above the maximum is reduced to it. */
export function listAgreements(exchange: Exchange, service: Service): Answer {
  const { query } = exchange;
  const caller = callerOf(exchange);
  const shape = readShape(query, [
    'filter[state]',
    'filter[lastActivityOn]',
    PAGE_NUMBER_PARAMETER,
    PAGE_SIZE_PARAMETER,
  ]);
  const filter = readFilter(query);
  const { firstPage, pageDefault, pageCap } = service.behaviour;
  const pageNumber = readCount(query, PAGE_NUMBER_PARAMETER, firstPage) ?? firstPage;
  const pageSize = Math.min(readCount(query, PAGE_SIZE_PARAMETER, 1) ?? pageDefault, pageCap);
  const key = `${caller} ${query.get('filter[state]') ?? ''} ${query.get('filter[lastActivityOn]') ?? ''}`;
  const isTimed = service.behaviour.commitDelayMs > 0;
  const found = service.listed.v1.selected(isTimed ? null : key, (items) =>
    items
      .filter(
        (agreement) => isCommitted(agreement, service) && isAllowedTo(agreement, 'read', caller),
      )
      .filter(filter)
      .sort((a, b) => b.createdOn - a.createdOn || (a.id < b.id ? 1 : -1)),
  );
  const totalPages = Math.ceil(found.length / pageSize);
  const start = (pageNumber - firstPage) * pageSize;
  const shown = found.slice(start, start + pageSize);
  return json({
    data: shown.map((agreement) => viewListItem(agreement, shape)),
    meta: { pageNumber, pageSize, totalPages, totalRecords: found.length },
    links: pageLinks(query, { pageNumber, pageSize, totalPages, firstPage }),
  });
}

function pageLinks(
  query: URLSearchParams,
  at: { pageNumber: number; pageSize: number; totalPages: number; firstPage: number },
): Record<string, string> {
  const link = (number: number): string => {
    const other = new URLSearchParams(query);
    other.set(PAGE_NUMBER_PARAMETER, String(number));
    other.set(PAGE_SIZE_PARAMETER, String(at.pageSize));
    return `/v1/agreements?${other.toString()}`;
  };
  const last = at.firstPage + Math.max(at.totalPages, 1) - 1;
  return {
    self: link(at.pageNumber),
    first: link(at.firstPage),
    ...(at.pageNumber > at.firstPage ? { prev: link(at.pageNumber - 1) } : {}),
    ...(at.pageNumber < last ? { next: link(at.pageNumber + 1) } : {}),
    last: link(last),
  };
}

function readCount(query: URLSearchParams, name: string, least: 0 | 1): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^(0|[1-9]\d{0,8})$/.test(text) || Number(text) < least) {
    throw new Refusal(400, `${name} must be a number from ${String(least)} on.`);
  }
  return Number(text);
}
