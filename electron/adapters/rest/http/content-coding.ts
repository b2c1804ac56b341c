import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { AppError } from '../../../../shared/errors.ts';
import { cutAnswerError, answerTooLargeError } from './failures.ts';

/** Requests ask for no content coding; some gateways and file stores apply one anyway. */
export const ACCEPT_ENCODING = { 'Accept-Encoding': 'identity' } as const;

/**
 * Maximum number of codings. Each may expand its input a thousandfold, and no real server uses more
 * than one.
 */
const MAX_CODINGS = 2;
/** Bytes that every answer may expand to, however small it is. */
const UNLIMITED_RATIO_BYTES = 32 * 1024 * 1024;
/**
 * Maximum expansion above `UNLIMITED_RATIO_BYTES`. Deflate is limited to a factor of 1,032, Brotli
 * is not.
 */
const MAX_RATIO = 50;

type Coding = 'gzip' | 'deflate' | 'br';

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
};

/**
 * Returns the codings of a body in the order of removal (RFC 9110, 8.4), without `chunked` and
 * `identity`; 'unknown' if one of them cannot be removed.
 */
export function codingsOf(
  contentEncoding: string | null,
  transferEncoding: string | null,
): readonly Coding[] | 'unknown' {
  const named = [contentEncoding, transferEncoding]
    .flatMap((header) => (header ?? '').toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity' && name !== 'chunked');
  if (named.length > MAX_CODINGS) return 'unknown';
  const codings = named.map((name) => (Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined));
  return codings.every((coding) => coding !== undefined) ? codings.toReversed() : 'unknown';
}

/**
 * Yields the decoded body.
 * @throws AppError 'answer-encoded' for an unsupported coding, 'too-large' for excessive expansion,
 * 'cut-answer' for a damaged or truncated body
 */
export async function* decodeBody(
  route: string,
  codings: readonly Coding[] | 'unknown',
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  if (codings === 'unknown') {
    throw new AppError(
      'service',
      `${route}: the answer is compressed in a way that was not requested`,
      {
        reason: 'answer-encoded',
      },
    );
  }
  let came = 0;
  async function* counted(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of body) {
      came += chunk.byteLength;
      yield chunk;
    }
  }
  let decoded: AsyncIterable<Uint8Array> = counted();
  for (const coding of codings)
    decoded = limitDecodedBytes(route, withoutCoding(route, coding, decoded), () => came);
  yield* decoded;
}

async function* limitDecodedBytes(
  route: string,
  body: AsyncIterable<Uint8Array>,
  came: () => number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > Math.max(UNLIMITED_RATIO_BYTES, MAX_RATIO * came()))
      throw answerTooLargeError(route);
    yield chunk;
  }
}

async function* withoutCoding(
  route: string,
  coding: Coding,
  body: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const chunks = body[Symbol.asyncIterator]();
  const first = await firstOf(chunks);
  // Some gateways also declare the coding of an empty body.
  if (first === null) return;
  const decoder = decoderOf(coding, first);
  const source = Readable.from(prependChunk(first, chunks), { objectMode: false });
  source.on('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw isDecoderError(error) ? cutAnswerError(route) : error;
  } finally {
    source.destroy();
    decoder.destroy();
  }
}

async function firstOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | null> {
  for (;;) {
    const next = await chunks.next();
    if (next.done === true) return null;
    if (next.value.byteLength > 0) return next.value;
  }
}

async function* prependChunk(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield first;
  try {
    for (;;) {
      const next = await rest.next();
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}

function decoderOf(coding: Coding, first: Uint8Array) {
  switch (coding) {
    case 'gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // RFC 9110 requires the zlib format, whose first byte names method 8; many servers omit it.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  }
}

/** Whether an error of zlib or Brotli (`ERR__…`) reports damaged or truncated data. */
function isDecoderError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^(?:Z_|ERR__)/.test(code);
}
