import { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { AppError } from '../../../../shared/errors.ts';
import { cut, tooLarge } from './failures.ts';

/** Requests ask for no coding; some gateways and stores of files apply one all the same. */
export const ACCEPT_ENCODING = { 'Accept-Encoding': 'identity' } as const;

/** Each coding may expand what came a thousandfold: nobody sends more than one in earnest. */
const MAX_CODINGS = 2;
/** Bytes that every answer may become, however small it came. */
const FREE_BYTES = 32 * 1024 * 1024;
/** Beyond that, how many times larger than what came. Deflate itself ends at 1,032 times, Brotli nowhere. */
const MAX_RATIO = 50;

type Coding = 'gzip' | 'deflate' | 'br';

const CODINGS: Readonly<Record<string, Coding>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
  br: 'br',
};

/**
 * The codings of a body in the order in which they are removed (RFC 9110, 8.4), `chunked` and
 * `identity` left out; `unknown` when it has one that cannot be removed.
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
 * The body without its codings.
 * @throws AppError 'answer-encoded' for a coding that cannot be removed, 'too-large' for a body that
 * expands beyond every use, 'cut-answer' for one that is damaged or ends early.
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
    decoded = limited(route, withoutCoding(route, coding, decoded), () => came);
  yield* decoded;
}

async function* limited(
  route: string,
  body: AsyncIterable<Uint8Array>,
  came: () => number,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    if (bytes > Math.max(FREE_BYTES, MAX_RATIO * came())) throw tooLarge(route);
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
  // A gateway names the coding of an empty body, too.
  if (first === null) return;
  const decoder = decoderOf(coding, first);
  const source = Readable.from(joined(first, chunks), { objectMode: false });
  source.on('error', (error) => decoder.destroy(error));
  source.pipe(decoder);
  try {
    for await (const chunk of decoder) if (chunk instanceof Uint8Array) yield chunk;
  } catch (error) {
    throw isOfDecoder(error) ? cut(route) : error;
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

async function* joined(
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
      // RFC 9110 means zlib's wrapping, whose first byte names the method 8; many servers leave it out.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  }
}

/** zlib's own errors, also of Brotli (`ERR__…`): damaged data, or data that ends early. */
function isOfDecoder(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' && /^(?:Z_|ERR__)/.test(code);
}
