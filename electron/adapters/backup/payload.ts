import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/*
 * What stands behind the header of an age file: a nonce, then pieces of 64 KiB, each sealed by
 * ChaCha20-Poly1305 under its number and whether it is the last. Node's cipher is many times as fast as
 * the library's own, which is of JavaScript; headers, and all that has to do with keys, are the library's.
 * https://github.com/C2SP/C2SP/blob/main/age.md#payload
 */

const CIPHER = 'chacha20-poly1305';
export const NONCE_BYTES = 16;
const PIECE = 64 * 1024;
const TAG = 16;
const SEALED = PIECE + TAG;
const KEY_BYTES = 32;
/** Eleven bytes that count, and one that says which is the last. */
const COUNTER = { bytes: 12, lowest: 5, width: 6, last: 11 } as const;

/** Bytes of a payload that holds so many. */
export function payloadSize(bytes: number): number {
  return NONCE_BYTES + bytes + TAG * Math.max(1, Math.ceil(bytes / PIECE));
}

/** The payload that holds these pieces. */
export async function* sealPayload(
  fileKey: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const nonce = randomBytes(NONCE_BYTES);
  const key = payloadKey(fileKey, nonce);
  yield nonce;
  for await (const { piece, number, isLast } of numbered(pieces, PIECE)) {
    const cipher = createCipheriv(CIPHER, key, counter(number, isLast), { authTagLength: TAG });
    const sealed = cipher.update(piece);
    cipher.final();
    yield Buffer.concat([sealed, cipher.getAuthTag()], sealed.length + TAG);
  }
}

/** What such a payload holds. Throws where a bit of it is another, and where it does not end. */
export async function* openPayload(
  fileKey: Uint8Array,
  nonce: Uint8Array,
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const key = payloadKey(fileKey, nonce);
  for await (const { piece, number, isLast } of numbered(pieces, SEALED)) {
    if (piece.length < TAG) throw new Error('The payload was cut off');
    if (piece.length === TAG && number > 0) throw new Error('The last piece is empty');
    const end = piece.length - TAG;
    const options = { authTagLength: TAG };
    const decipher = createDecipheriv(CIPHER, key, counter(number, isLast), options);
    decipher.setAuthTag(piece.subarray(end));
    const opened = decipher.update(piece.subarray(0, end));
    // Nothing of a piece is given out before all of it was proven.
    decipher.final();
    yield opened;
  }
}

function payloadKey(fileKey: Uint8Array, nonce: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', fileKey, nonce, 'payload', KEY_BYTES));
}

function counter(number: number, isLast: boolean): Buffer {
  const bytes = Buffer.alloc(COUNTER.bytes);
  bytes.writeUIntBE(number, COUNTER.lowest, COUNTER.width);
  bytes[COUNTER.last] = isLast ? 1 : 0;
  return bytes;
}

interface Numbered {
  readonly piece: Buffer;
  readonly number: number;
  readonly isLast: boolean;
}

/** The same bytes in pieces of one size, of which the last may be shorter; one is empty where all are. */
async function* numbered(
  pieces: AsyncIterable<Uint8Array>,
  size: number,
): AsyncGenerator<Numbered, void, undefined> {
  const held = Buffer.allocUnsafe(size);
  let [used, number] = [0, 0];
  for await (const piece of pieces) {
    for (let from = 0; from < piece.length;) {
      // Only the next byte shows that this is not the last.
      if (used === size) {
        yield { piece: held, number, isLast: false };
        [used, number] = [0, number + 1];
      }
      const taken = piece.subarray(from, from + size - used);
      held.set(taken, used);
      used += taken.length;
      from += taken.length;
    }
  }
  yield { piece: held.subarray(0, used), number, isLast: true };
}
