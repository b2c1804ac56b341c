import { Encrypter, type Decrypter } from 'age-encryption';
import { NONCE_BYTES, payloadSize } from './payload.ts';

/** Of three recipients it is less than a thousandth of that. */
const MOST_HEADER = 1024 * 1024;
/** The line that ends it holds what proves the lines before. */
const LAST_LINE = '\n--- ';

/** The header of a new age file that these recipients open, and the key of what stands behind it. */
export async function newHeader(
  recipients: readonly string[],
): Promise<{ readonly header: Uint8Array; readonly fileKey: Uint8Array }> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const keys: Uint8Array[] = [];
  // Told the key as every recipient is, and leaves no line of its own in the header.
  encrypter.addRecipient({
    wrapFileKey(key) {
      keys.push(Uint8Array.from(key));
      return [];
    },
  });
  const empty = await encrypter.encrypt(new Uint8Array());
  const [fileKey] = keys;
  if (fileKey === undefined) throw new Error('The library gave no key');
  return { header: empty.subarray(0, empty.length - payloadSize(0)), fileKey };
}

interface Opened {
  readonly fileKey: Uint8Array;
  readonly nonce: Uint8Array;
  readonly rest: AsyncIterable<Uint8Array>;
}

/** Reads the header of an age file. Throws where it is damaged, or has no line for this key. */
export async function openHeader(
  decrypter: Decrypter,
  pieces: AsyncGenerator<Uint8Array, void, undefined>,
): Promise<Opened> {
  let head = Buffer.alloc(0);
  for (let end = -1; end < 0 || head.length < end + NONCE_BYTES;) {
    const next = await pieces.next();
    if (next.done === true || head.length > MOST_HEADER) throw new Error('The header has no end');
    head = Buffer.concat([head, next.value]);
    end = endOf(head);
  }
  const end = endOf(head);
  const behind = head.subarray(end + NONCE_BYTES);
  const rest = async function* () {
    yield behind;
    yield* pieces;
  };
  return {
    fileKey: await decrypter.decryptHeader(head.subarray(0, end)),
    nonce: head.subarray(end, end + NONCE_BYTES),
    rest: rest(),
  };
}

/** Where the header ends; -1 where that is not read yet. */
function endOf(head: Buffer): number {
  const last = head.indexOf(LAST_LINE);
  const end = last < 0 ? -1 : head.indexOf('\n', last + LAST_LINE.length);
  return end < 0 ? -1 : end + 1;
}
