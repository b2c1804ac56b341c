import { json, type Answer, type Exchange } from './http.ts';
import { Refusal } from './refusal.ts';
import type { Service } from './service.ts';
import { may } from './v1-access.ts';
import { readFilter, readShape } from './v1-query.ts';
import { viewListItem } from './v1-view.ts';

const NUMBER = 'page[number]';
const SIZE = 'page[size]';

/** Newest first; pages count from 1, and too large a size is cut to the cap. */
export function listAgreements({ query }: Exchange, service: Service): Answer {
  const shape = readShape(query, ['filter[state]', 'filter[lastActivityOn]', NUMBER, SIZE]);
  const filter = readFilter(query);
  const pageNumber = readCount(query, NUMBER) ?? 1;
  const pageSize = Math.min(readCount(query, SIZE) ?? service.page.usual, service.page.cap);
  const found = [...service.store.agreements.values()]
    .filter((agreement) => may(agreement, 'read') && filter(agreement))
    .sort((a, b) => b.createdOn - a.createdOn || (a.id < b.id ? 1 : -1));
  const totalPages = Math.ceil(found.length / pageSize);
  const shown = found.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
  return json({
    data: shown.map((agreement) => viewListItem(agreement, shape)),
    meta: { pageNumber, pageSize, totalPages, totalRecords: found.length },
    links: pageLinks(query, { pageNumber, pageSize, totalPages }),
  });
}

function pageLinks(
  query: URLSearchParams,
  at: { pageNumber: number; pageSize: number; totalPages: number },
): Record<string, string> {
  const link = (number: number): string => {
    const other = new URLSearchParams(query);
    other.set(NUMBER, String(number));
    other.set(SIZE, String(at.pageSize));
    return `/v1/agreements?${other.toString()}`;
  };
  return {
    self: link(at.pageNumber),
    first: link(1),
    ...(at.pageNumber > 1 ? { prev: link(at.pageNumber - 1) } : {}),
    ...(at.pageNumber < at.totalPages ? { next: link(at.pageNumber + 1) } : {}),
    last: link(Math.max(at.totalPages, 1)),
  };
}

function readCount(query: URLSearchParams, name: string): number | null {
  const text = query.get(name);
  if (text === null) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new Refusal(400, `${name} must be a positive number.`);
  return Number(text);
}
