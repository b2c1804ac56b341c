import type { ChangePage } from '../../../core/ports.ts';
import type { PagePlace } from '../../../core/sync/ports.ts';
import { readPages, readReply, type Client } from '../http/client.ts';
import type { Query } from '../http/endpoint.ts';
import { readAgreementV2 } from './read.ts';
import * as v2 from './table.ts';

/** The pages of the agreements that a query selects, from a place on; `orgNo` as for `readAgreementV2`. */
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

/** How many agreements a query selects; the service sends one of them along. */
export async function countV2(client: Client, query: Query, signal: AbortSignal): Promise<number> {
  const ask = { query: { ...query, ...v2.SMALLEST_PAGE }, signal };
  return (await readReply(client, v2.listAgreements, ask)).reply.totalCount;
}
