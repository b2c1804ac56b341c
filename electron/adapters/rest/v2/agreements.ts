import type { ChangePage } from '../../../core/ports.ts';
import type { PagePlace } from '../../../core/sync/ports.ts';
import { readPages, readReply, type Client } from '../http/client.ts';
import type { Query } from '../http/endpoint.ts';
import { readAgreementV2 } from './read.ts';
import * as v2 from './table.ts';

/**
 * Yields the pages of the agreements that a query selects, from a position on. `orgNo` is used as
 * in `readAgreementV2`.
 */
export async function* listV2(
  client: Client,
  query: Query,
  orgNo: string | null,
  signal: AbortSignal,
  place?: PagePlace,
): AsyncGenerator<ChangePage, void> {
  for await (const page of readPages(client, v2.listAgreements, { query, signal }, place)) {
    yield {
      items: page.reply.agreements.map((item) => readAgreementV2(item, orgNo)),
      total: page.reply.totalCount,
      serverTime: page.serverTime,
      place: page.place,
    };
  }
}

/** Returns the number of agreements that a query selects; the service also sends one of them. */
export async function countV2(client: Client, query: Query, signal: AbortSignal): Promise<number> {
  const ask = { query: { ...query, ...v2.SMALLEST_PAGE }, signal };
  return (await readReply(client, v2.listAgreements, ask)).reply.totalCount;
}
