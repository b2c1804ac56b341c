import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import type { ChangePage } from '../../core/ports.ts';
import { readPages, readReply, type Client } from './client.ts';
import type { Query } from './endpoint.ts';
import { readAgreementV1 } from './v1-read.ts';
import * as v1 from './v1.ts';

/** Every page of the agreements that pass a filter. */
export async function* listV1(
  client: Client,
  filter: Query,
  signal: AbortSignal,
): AsyncGenerator<ChangePage, void> {
  const query = { ...v1.INCLUDE, ...filter };
  for await (const page of readPages(client, v1.listAgreements, { query, signal })) {
    yield {
      items: page.reply.data.map((item) => readAgreementV1(item, null)),
      total: page.reply.meta.totalRecords,
      serverTime: page.serverTime,
    };
  }
}

/** One agreement with its ETag. */
export async function readV1(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<RemoteAgreement> {
  const ask = { path: { id }, query: v1.INCLUDE, signal };
  const { reply, etag } = await readReply(client, v1.fetchAgreement, ask);
  return readAgreementV1(reply.data, etag);
}
