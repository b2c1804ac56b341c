import { AppError } from '../../../../shared/errors.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import type { ChangePage } from '../../../core/ports.ts';
import type { PagePlace } from '../../../core/sync/ports.ts';
import { ForeignAnswerError } from '../http/failures.ts';
import { readPages, readReply, type Client } from '../http/client.ts';
import type { Query } from '../http/endpoint.ts';
import { readAgreementV1 } from './read.ts';
import * as v1 from './table.ts';

export async function* listV1(
  client: Client,
  filter: Query,
  signal: AbortSignal,
  place?: PagePlace,
): AsyncGenerator<ChangePage, void> {
  const query = { ...v1.INCLUDE, ...filter };
  for await (const page of readPages(client, v1.listAgreements, { query, signal }, place)) {
    yield {
      items: page.reply.data.map((item) => readAgreementV1(item, null)),
      total: page.reply.meta.totalRecords,
      serverTime: page.serverTime,
      place: page.place,
    };
  }
}

/** Returns the number of agreements that match a filter; the service also sends one of them. */
export async function countV1(client: Client, filter: Query, signal: AbortSignal): Promise<number> {
  const query = { ...v1.SMALLEST_PAGE, ...filter };
  const { reply } = await readReply(client, v1.listAgreements, { query, signal });
  return reply.meta.totalRecords;
}

export async function readV1(
  client: Client,
  id: string,
  signal: AbortSignal,
): Promise<RemoteAgreement> {
  const ask = { path: { id }, query: v1.INCLUDE, signal };
  const { reply, etag } = await withNotFoundError(client, signal, () =>
    readReply(client, v1.fetchAgreement, ask),
  );
  return readAgreementV1(reply.data, etag);
}

/**
 * Calls `read`, and reports a missing agreement. The API does not document its errors: a plain-text
 * 404 may come from the API, or from a gateway that cannot reach the API. It counts as the API's if
 * the list shows that the API answers at this address.
 * @throws AppError 'not-found' in that case; otherwise the error of `read`
 */
export async function withNotFoundError<Found>(
  client: Client,
  signal: AbortSignal,
  read: () => Promise<Found>,
): Promise<Found> {
  try {
    return await read();
  } catch (error) {
    const mayBeOwn =
      error instanceof ForeignAnswerError && error.status === NOT_FOUND_STATUS && error.isText;
    if (!mayBeOwn) throw error;
    await countV1(client, {}, signal).catch((reason: unknown) => {
      throw reason instanceof AppError ? error : reason;
    });
    const { message, said } = error.failure;
    throw new AppError('not-found', message, said === undefined ? {} : { said });
  }
}

const NOT_FOUND_STATUS = 404;
