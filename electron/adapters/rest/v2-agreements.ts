import type { ChangePage } from '../../core/ports.ts';
import { readPages, type Client } from './client.ts';
import type { Query } from './endpoint.ts';
import { readAgreementV2 } from './v2-read.ts';
import * as v2 from './v2.ts';

/** Every page of the agreements that a query selects; `orgNo` as for `readAgreementV2`. */
export async function* listV2(
  client: Client,
  query: Query,
  orgNo: string | null,
  signal: AbortSignal,
): AsyncGenerator<ChangePage, void> {
  for await (const page of readPages(client, v2.listAgreements, { query, signal })) {
    yield {
      items: page.reply.agreements.map((item) => readAgreementV2(item, orgNo)),
      total: page.reply.totalCount,
      serverTime: page.serverTime,
    };
  }
}
