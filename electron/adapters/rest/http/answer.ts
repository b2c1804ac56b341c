import { buffer } from 'node:stream/consumers';
import type { Dispatcher } from 'undici';
import { decodeText, type Strictness } from './charset.ts';
import { codingsOf, decodeBody } from './content-coding.ts';
import { cancelled, cut, networkFailure, tooLarge } from './failures.ts';

/** Largest JSON that is read; a page of a hundred agreements has a few hundred KiB. */
const MAX_JSON = 32 * 1024 * 1024;

/** An answer whose body has not been read yet; exactly one of the three ways must be taken. */
export interface Answer {
  readonly status: number;
  /** Media type with its parameters, in lower case; empty when not given. */
  readonly type: string;
  /** The server's `Date`, epoch milliseconds. */
  readonly serverTime: number | null;
  /** Of the body that `chunks` gives; null when not given, or given for the body before its coding was removed. */
  readonly length: number | null;
  header(name: string): string | null;
  /** Throws 'too-large' above `most` bytes, and when strict for bytes that are no letters of its charset. */
  text(options?: { readonly most?: number; readonly strictness?: Strictness }): Promise<string>;
  /** Without the coding of its transfer. */
  chunks(): AsyncGenerator<Uint8Array, void>;
  discard(): void;
}

/** Wraps undici's answer; reading it throws AppErrors in which nothing of the body stands. */
export function createAnswer(
  route: string,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  signal: AbortSignal,
): Answer {
  const header = (name: string): string | null => {
    const value = headers[name];
    return Array.isArray(value) ? (value[0] ?? null) : (value ?? null);
  };
  const length = /^\d+$/.test(header('content-length') ?? '')
    ? Number(header('content-length'))
    : null;
  const codings = codingsOf(header('content-encoding'), header('transfer-encoding'));
  const isCoded = codings === 'unknown' || codings.length > 0;
  async function* bodyAsSent(): AsyncGenerator<Uint8Array, void> {
    let bytes = 0;
    try {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array)) continue;
        bytes += chunk.byteLength;
        yield chunk;
      }
    } catch (error) {
      throw signal.aborted ? cancelled(route) : networkFailure(route, error, 'body');
    }
    if (length !== null && bytes !== length) throw cut(route);
  }
  const chunks = () => (isCoded ? decodeBody(route, codings, bodyAsSent()) : bodyAsSent());
  const type = (header('content-type') ?? '').toLowerCase();
  return {
    status: statusCode,
    type,
    serverTime: parseDate(header('date')),
    length: isCoded ? null : length,
    header,
    chunks,
    text: async ({ most = MAX_JSON, strictness = 'strict' } = {}) =>
      decodeText(route, await buffer(within(route, chunks(), most)), type, strictness),
    discard: () => {
      // The end of a body that nobody reads is no one's error.
      body.on('error', () => undefined).destroy();
    },
  };
}

/** Epoch milliseconds of an HTTP date, or null. */
export function parseDate(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

async function* within(
  route: string,
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > most) throw tooLarge(route);
    yield chunk;
  }
}
