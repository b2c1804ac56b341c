import { buffer } from 'node:stream/consumers';
import type { Dispatcher } from 'undici';
import { decodeText, type Strictness } from './charset.ts';
import { codingsOf, decodeBody } from './content-coding.ts';
import {
  cancelledRequestError,
  cutAnswerError,
  networkFailureError,
  answerTooLargeError,
} from './failures.ts';

/** Maximum size of JSON (bytes); a page of 100 agreements has a few hundred KiB. */
const MAX_JSON_ANSWER_BYTES = 32 * 1024 * 1024;

/**
 * An answer whose body has not been read yet. Exactly one of `text`, `chunks` and `discard` must be
 * called.
 */
export interface Answer {
  readonly status: number;
  /** Media type with parameters, in lower case; empty if the header is missing. */
  readonly type: string;
  /** Time in the `Date` header (epoch ms). */
  readonly serverTime: number | null;
  /**
   * Length of the body that `chunks` returns; null if it is unknown, or if the header states the
   * length of the encoded body.
   */
  readonly length: number | null;
  header(name: string): string | null;
  /**
   * Returns the body as text. Throws 'too-large' above `most` bytes, and in strict mode for bytes
   * that are invalid in the charset.
   */
  text(options?: { readonly most?: number; readonly strictness?: Strictness }): Promise<string>;
  /** Returns the body with the content coding removed. */
  chunks(): AsyncGenerator<Uint8Array, void>;
  discard(): void;
}

/** Wraps undici's answer. Errors of reading the answer contain nothing of its body. */
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
      throw signal.aborted
        ? cancelledRequestError(route)
        : networkFailureError(route, error, 'body');
    }
    if (length !== null && bytes !== length) throw cutAnswerError(route);
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
    text: async ({ most = MAX_JSON_ANSWER_BYTES, strictness = 'strict' } = {}) =>
      decodeText(route, await buffer(limitBytes(route, chunks(), most)), type, strictness),
    discard: () => {
      // Errors of a body that nothing reads are ignored.
      body.on('error', () => undefined).destroy();
    },
  };
}

/** Parses an HTTP date as epoch milliseconds; null if it is not a date. */
export function parseDate(text: string | null): number | null {
  const at = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

async function* limitBytes(
  route: string,
  chunks: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.byteLength;
    if (bytes > most) throw answerTooLargeError(route);
    yield chunk;
  }
}
