import type { Clock } from '../../../core/ports.ts';
import { fillPath, type BaseAddress } from './address.ts';
import type { Answer } from './answer.ts';
import type { PagePlace } from '../../../core/sync/ports.ts';
import type { Endpoint, ListEndpoint, Query, ReadEndpoint } from './endpoint.ts';
import { replyMismatchError } from './failures.ts';
import { parseReply, readRefusal } from './json-answer.ts';
import { yieldToEventLoop, RepeatedPageGuard, LengthGuard, PagesAhead } from './pages.ts';
import type { Redact } from './redact.ts';
import type { Transport, WireRequest } from './transport.ts';

export interface Client {
  readonly base: BaseAddress;
  /** Credential and other headers of every request. */
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Returns the language for error messages, and is called for each request; null if the API has no
   * such option.
   */
  readonly language: (() => string) | null;
  /** Header of the acting user (API v2); null if no acting user is known. */
  readonly actingUser: Readonly<Record<string, string>> | null;
  readonly transport: Transport;
  readonly redact: Redact;
  /** Fingerprint of the credential, which does not reveal the credential. */
  readonly credential: string;
  readonly clock: Clock;
}

export interface RequestOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query;
  /** Headers of this request in addition to the connection's. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface ReadReply<Reply> {
  readonly reply: Reply;
  readonly etag: string | null;
  /** Time in the `Date` header (epoch ms). */
  readonly serverTime: number | null;
}

/**
 * Sends a read request, and parses the reply.
 * @throws AppError
 */
export function readReply<Reply>(
  client: Client,
  entry: ReadEndpoint<Reply>,
  ask: RequestOptions,
): Promise<ReadReply<Reply>> {
  const request = requestFor(client, entry, ask, null);
  return client.transport.read(request, 'read', ask.signal, async (answer) => ({
    reply: await replyOf(client, entry, answer),
    etag: answer.header('etag'),
    serverTime: answer.serverTime,
  }));
}

/** A page with its position, so that a later reading can start at it. */
export interface ReadListPage<Reply> extends ReadReply<Reply> {
  readonly place: PagePlace;
}

/**
 * Yields every page of a list from `start` on; an empty list has one empty page.
 * @throws AppError
 */
export async function* readPages<Reply>(
  client: Client,
  entry: ListEndpoint<Reply>,
  ask: RequestOptions,
  start: PagePlace = { position: null, pages: 1 },
): AsyncGenerator<ReadListPage<Reply>, void> {
  const pagesAhead = new PagesAhead((at) => {
    const query: Query = { ...ask.query, ...entry.paging.query(at) };
    return readReply(client, entry, { ...ask, query });
  });
  const circle = new RepeatedPageGuard();
  const length = new LengthGuard();
  let { position } = start;
  for (let { pages } = start; ; pages += 1) {
    const page = await pagesAhead.fetch(position);
    await yieldToEventLoop();
    const next = entry.paging.next(page.reply, { position, pages });
    const ids = entry.paging.ids(page.reply);
    if (next === 'astray' || circle.goesRound(ids))
      throw replyMismatchError(entry.name, 'it is not the page that was requested');
    const excess = length.excess(ids.length, entry.paging.total(page.reply));
    if (excess !== null) throw replyMismatchError(entry.name, excess);
    // The next pages are requested now, so that they load while this page is processed.
    if (next !== 'end') pagesAhead.start([next, ...entry.paging.ahead(page.reply, next)]);
    yield { ...page, place: { position, pages } };
    if (next === 'end') return;
    position = next;
  }
}

export function requestFor(
  { base, headers, language, actingUser }: Client,
  entry: Endpoint,
  { path = {}, query = {}, headers: more = {} }: RequestOptions,
  body: Uint8Array | null,
): WireRequest {
  // URLSearchParams encodes the brackets and colons in v1's parameters.
  const search = new URLSearchParams(query).toString();
  const below = `${base.path}${fillPath(entry.path, path)}`;
  return {
    route: entry.name,
    method: entry.method,
    origin: base.origin,
    path: search === '' ? below : `${below}?${search}`,
    headers: {
      ...headers,
      ...(language === null ? {} : { 'Accept-Language': language() }),
      ...(entry.actingUser === undefined ? {} : actingUser),
      ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      Accept: acceptOf(entry),
      ...more,
    },
    body,
  };
}

function acceptOf(entry: Endpoint): string {
  if ('file' in entry) return entry.file;
  return 'text' in entry ? `application/${entry.text}` : 'application/json';
}

async function replyOf<Reply>(
  client: Client,
  entry: ReadEndpoint<Reply>,
  answer: Answer,
): Promise<Reply> {
  if (answer.status === entry.success) {
    return parseReply(entry.name, entry.reply, answer.type, await answer.text());
  }
  const { status, body, failure } = await readRefusal(entry.name, answer, client);
  if (status !== entry.none?.status || body.from === 'other' || body.from === 'text') throw failure;
  if (body.message === '')
    throw replyMismatchError(entry.name, `HTTP ${String(status)} without a word`);
  return entry.none.reply;
}
