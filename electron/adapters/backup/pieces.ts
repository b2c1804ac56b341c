import { createReadStream } from 'node:fs';

/** Few large pieces cost less than many small ones. */
const PIECE = 256 * 1024;

/** A file as it is read. Whoever ends early has a reason of its own, and hears of no other. */
export function piecesOf(file: string): AsyncIterable<Uint8Array> {
  const stream = createReadStream(file, { highWaterMark: PIECE });
  stream.on('error', () => undefined);
  return stream;
}
