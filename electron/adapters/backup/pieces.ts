import { createReadStream } from 'node:fs';

/** Few large pieces cost less than many small ones. */
const PIECE = 256 * 1024;

/** A file as it is read. Whoever ends early has a reason of its own, and hears of no other. */
export function piecesOf(file: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: PIECE });
  stream.on('error', () => undefined);
  return stream;
}

/** What a stream of bytes gives, whatever its own types say of it. */
export async function* bytesOf(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array))
      throw new TypeError('A stream of bytes gave something else');
    yield piece;
  }
}

/** Streams of tar-stream are those of streamx: they do what Node's do, and have types of their own. */
export function nodeStream(stream: object): NodeJS.WritableStream {
  if (isNodeStream(stream)) return stream;
  throw new TypeError('This is no stream');
}

const isNodeStream = (stream: object): stream is NodeJS.WritableStream => 'on' in stream;
