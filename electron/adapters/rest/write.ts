import { AppError, type Failure } from '../../../shared/errors.ts';
import type { WriteResult } from '../../core/ports.ts';
import type { Answer } from './answer.ts';
import { requestFor, type Ask, type Client } from './client.ts';
import type { WriteEndpoint } from './endpoint.ts';
import { mismatch } from './failures.ts';
import { parseReply, readRefusal, type Refusal } from './json-answer.ts';

/** Statuses that are a verdict on this very request, when the API itself speaks. */
const REFUSING = new Set([400, 403, 404, 405, 413, 414, 415, 422]);
/** Refused before it was looked at. */
const TURNING_AWAY = new Set([401, 429]);

/** What the reply to a change shows of what was sent. */
export interface Echo {
  readonly remoteId: string;
  readonly isOurs: boolean;
}

/** Whether an echoed text is what was sent; what a service may tidy in it does not count. */
export function isEcho(echoed: string | null | undefined, sent: string | null): boolean {
  if (typeof echoed !== 'string' || sent === null) return true;
  return echoed.normalize().trim() === sent.normalize().trim();
}

type Told<Reply> =
  | { readonly kind: 'reply'; readonly reply: Reply; readonly serverTime: number | null }
  | { readonly kind: 'refusal'; readonly refusal: Refusal }
  | { readonly kind: 'unreadable'; readonly status: number; readonly failure: Failure };

/**
 * Sends a change once and says what is known then. Done needs the success status, readable JSON and
 * an echo of what was sent; refused needs the API's own voice; everything else that left this
 * computer is unknown.
 */
export async function writeOnce<Reply>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  ask: Ask & { readonly body: Uint8Array | null },
  echo: (reply: Reply) => Echo,
): Promise<WriteResult> {
  if (entry.actingUser === 'required' && client.actingUser === null) {
    return { kind: 'not-sent', failure: missingUser(entry.name) };
  }
  const request = requestFor(client, entry, ask, ask.body);
  const outcome = await client.transport.once(request, ask.signal, (answer) =>
    listen(client, entry, answer),
  );
  switch (outcome.kind) {
    case 'not-sent':
      return { kind: 'not-sent', failure: outcome.failure };
    case 'lost':
      return { kind: 'unknown', failure: outcome.failure };
    case 'answered':
      return judge(entry.name, outcome.result, echo);
  }
}

async function listen<Reply>(
  client: Client,
  entry: WriteEndpoint<Reply>,
  answer: Answer,
): Promise<Told<Reply>> {
  const { status, serverTime } = answer;
  try {
    if (status !== entry.success) {
      return { kind: 'refusal', refusal: await readRefusal(entry.name, answer, client) };
    }
    const text = await answer.text();
    const reply =
      entry.isPlainText === true
        ? entry.reply.parse(text)
        : parseReply(entry.name, entry.reply, answer.type, text);
    return { kind: 'reply', reply, serverTime };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { kind: 'unreadable', status, failure: error.failure };
  }
}

function judge<Reply>(route: string, told: Told<Reply>, echo: (reply: Reply) => Echo): WriteResult {
  switch (told.kind) {
    case 'reply': {
      const { remoteId, isOurs } = echo(told.reply);
      if (isOurs) return { kind: 'done', remoteId, serverTime: told.serverTime };
      const { failure } = mismatch(route, 'it speaks of another agreement');
      return { kind: 'unknown', failure };
    }
    case 'refusal': {
      const { status, body, failure } = told.refusal;
      if (TURNING_AWAY.has(status)) return { kind: 'turned-away', failure: failure.failure };
      const isVerdict = REFUSING.has(status) && body.from === 'api';
      return { kind: isVerdict ? 'refused' : 'unknown', failure: failure.failure };
    }
    case 'unreadable':
      return {
        kind: TURNING_AWAY.has(told.status) ? 'turned-away' : 'unknown',
        failure: told.failure,
      };
  }
}

function missingUser(route: string): Failure {
  const sentence = 'The connection names no user to act as';
  return {
    code: 'invalid',
    message: `${route}: ${sentence}`,
    reason: 'credential-blank',
    fields: { accountId: sentence },
  };
}
