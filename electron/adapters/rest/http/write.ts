import { AppError, type Failure } from '../../../../shared/errors.ts';
import { tidiedName } from '../../../../shared/rules/text/tidied-name.ts';
import type { ActionResult } from '../../../core/services/ports.ts';
import type { WriteResult } from '../../../core/ports.ts';
import type { Answer } from './answer.ts';
import { requestFor, type RequestOptions, type Client } from './client.ts';
import type { WriteEndpoint } from './endpoint.ts';
import { replyMismatchError, EXPLAINED_STATUSES } from './failures.ts';
import { parseReply, readRefusal, type ReadRefusal } from './json-answer.ts';

/** Statuses that reject the sent request, if the API itself sends them. */
const REFUSING_STATUSES = new Set([400, 403, 404, 405, 413, 414, 415, 422]);
/** Statuses for a request that the service rejected without reading it. */
const TURNED_AWAY_STATUSES = new Set([401, 429]);
const PRECONDITION_FAILED = 412;

/** The part of a reply that refers to the sent change. */
export interface WriteEcho {
  readonly remoteId: string;
  readonly isOurs: boolean;
}

export interface WriteOptions extends RequestOptions {
  readonly body: Uint8Array | null;
}

/**
 * Whether an echoed text equals the sent one, except for changes by which a service may normalize
 * it.
 */
export function isEcho(echoed: string | null | undefined, sent: string | null): boolean {
  if (typeof echoed !== 'string' || sent === null) return true;
  return tidiedName(echoed) === tidiedName(sent);
}

type WriteExchange<Reply> =
  | { readonly kind: 'not-sent' | 'lost'; readonly failure: Failure }
  | {
      readonly kind: 'reply';
      readonly reply: Reply;
      readonly etag: string | null;
      readonly serverTime: number | null;
    }
  | { readonly kind: 'refusal'; readonly refusal: ReadRefusal; readonly serverTime: number | null }
  | {
      readonly kind: 'unreadable';
      readonly status: number;
      readonly failure: Failure;
      readonly serverTime: number | null;
    };

/** Result if the sent ETag is outdated, so that nothing was changed. */
export interface StaleResult {
  readonly kind: 'stale';
  readonly failure: Failure;
}

/**
 * Sends a create request or a signature once, and returns the outcome. 'done' requires the success
 * status, readable JSON and an echo of the sent data. 'refused' requires an error from the API
 * itself. Every other request that left this computer is 'unknown'.
 */
export async function writeOnce<Reply>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  change: WriteOptions,
  echo: (reply: Reply) => WriteEcho,
): Promise<WriteResult> {
  const result = await actOnce(client, entry, change, (reply) => {
    const { remoteId, isOurs } = echo(reply);
    return isOurs ? remoteId : undefined;
  });
  if (result.kind !== 'done') return result;
  return { kind: 'done', remoteId: result.reply, serverTime: result.serverTime };
}

/**
 * Sends any other change once, with the outcomes of `writeOnce`. `read` returns the content of the
 * reply, or undefined if the reply is about another object.
 */
export async function actOnce<Reply, Content>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  change: WriteOptions,
  read: (reply: Reply) => Content | undefined,
): Promise<ActionResult<Content>> {
  return decideActionResult(entry.name, await sendWrite(client, entry, change), read);
}

/**
 * Sends a change like `actOnce`, but only if the object still has this ETag, which is sent back
 * byte for byte.
 */
export async function actIfMatch<Reply>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  { etag, ...change }: WriteOptions & { readonly etag: string },
  isOurs: (reply: Reply) => boolean,
): Promise<ActionResult | StaleResult> {
  const exchange = await sendWrite(client, entry, { ...change, headers: { 'If-Match': etag } });
  if (exchange.kind === 'refusal' && exchange.refusal.status === PRECONDITION_FAILED) {
    const { body, failure } = exchange.refusal;
    if (body.from === 'api' || body.from === 'nobody')
      return { kind: 'stale', failure: failure.failure };
  }
  return decideActionResult(entry.name, exchange, (reply) => (isOurs(reply) ? null : undefined));
}

async function sendWrite<Reply>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  change: WriteOptions,
): Promise<WriteExchange<Reply>> {
  if (entry.actingUser === 'required' && client.actingUser === null) {
    return { kind: 'not-sent', failure: missingUserFailure(entry.name) };
  }
  const request = requestFor(client, entry, change, change.body);
  const outcome = await client.transport.once(request, change.signal, (answer) =>
    readWriteAnswer(client, entry, answer),
  );
  return outcome.kind === 'answered' ? outcome.result : outcome;
}

async function readWriteAnswer<Reply>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  answer: Answer,
): Promise<WriteExchange<Reply>> {
  const { status, serverTime } = answer;
  const etag = answer.header('etag');
  try {
    if (status === entry.success) {
      return { kind: 'reply', reply: await replyOf(entry, answer), etag, serverTime };
    }
    const refusal = await readRefusal(entry.name, answer, client);
    const { none } = entry;
    if (status === none?.status && refusal.body.from === 'api') {
      return { kind: 'reply', reply: none.reply, etag, serverTime };
    }
    return { kind: 'refusal', refusal, serverTime };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unreadable', status, failure: error.failure, serverTime };
  }
}

async function replyOf<Reply>(entry: WriteEndpoint<Reply>, answer: Answer): Promise<Reply> {
  const text = await answer.text();
  if (entry.isPlainText === true) return entry.reply.parse(text);
  return parseReply(entry.name, entry.reply, answer.type, text);
}

function decideActionResult<Reply, Content>(
  route: string,
  exchange: WriteExchange<Reply>,
  read: (reply: Reply) => Content | undefined,
): ActionResult<Content> {
  switch (exchange.kind) {
    case 'not-sent':
      return { kind: 'not-sent', failure: exchange.failure };
    case 'lost':
      return { kind: 'unknown', failure: exchange.failure };
    case 'reply': {
      const reply = read(exchange.reply);
      const { etag, serverTime } = exchange;
      if (reply !== undefined) return { kind: 'done', reply, etag, serverTime };
      const { failure } = replyMismatchError(route, 'it is about another agreement or party');
      return { kind: 'unknown', failure, serverTime };
    }
    case 'refusal': {
      const { status, body, failure } = exchange.refusal;
      const { serverTime } = exchange;
      if (TURNED_AWAY_STATUSES.has(status)) {
        return { kind: 'turned-away', failure: failure.failure, serverTime };
      }
      const isWord =
        body.from === 'api' || (body.from === 'text' && EXPLAINED_STATUSES.has(status));
      const isVerdict = REFUSING_STATUSES.has(status) && isWord;
      return { kind: isVerdict ? 'refused' : 'unknown', failure: failure.failure, serverTime };
    }
    case 'unreadable':
      return {
        kind: TURNED_AWAY_STATUSES.has(exchange.status) ? 'turned-away' : 'unknown',
        failure: exchange.failure,
        serverTime: exchange.serverTime,
      };
  }
}

function missingUserFailure(route: string): Failure {
  const sentence = 'The connection lacks the ID of the company user in whose name the program acts';
  return {
    code: 'invalid',
    message: `${route}: ${sentence}`,
    reason: 'credential-blank',
    fields: { accountId: sentence },
  };
}
