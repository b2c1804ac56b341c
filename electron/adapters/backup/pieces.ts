import { createReadStream } from 'node:fs';

/** Size of a piece (bytes): few large pieces cost less than many small ones. */
const FILE_PIECE_BYTES = 256 * 1024;

/**
 * Streams a file. A reader that stops early has its own error, so later stream errors are ignored.
 */
export function piecesOf(file: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: FILE_PIECE_BYTES });
  stream.on('error', () => undefined);
  return stream;
}

/**
 * Yields the chunks of a byte stream. They are checked at run time, since the types do not
 * guarantee bytes.
 */
export async function* bytesOf(
  stream: AsyncIterable<unknown>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array))
      throw new TypeError('A stream of bytes gave something else');
    yield piece;
  }
}

/** Converts the pieces to a web stream, which age reads. */
export function webStream(
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return();
    },
  });
}

/**
 * Returns the stream with Node's type. tar-stream uses streamx, whose streams behave like Node's,
 * but have other types.
 */
export function nodeStream(stream: object): NodeJS.WritableStream {
  if (isNodeStream(stream)) return stream;
  throw new TypeError('This is no stream');
}

const isNodeStream = (stream: object): stream is NodeJS.WritableStream => 'on' in stream;
