import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { chacha20 } from '@noble/ciphers/chacha.js';
import { HEAD_BYTES } from '../database/cipher.ts';

/*
 * Decrypts single pages of SQLite3 Multiple Ciphers ("sqleet: ChaCha20-Poly1305"), since SQLite
 * rejects a whole file for one bad page. A page ends in a 16-byte nonce and a 16-byte tag; the
 * counter is the last four bytes of the nonce XOR the page number.
 */

export const PAGE_BYTES = 4096;
const PAGE_NONCE_BYTES = 16;
const PAGE_TAG_BYTES = 16;
/** Number of bytes of a page that SQLite uses. */
export const USABLE_PAGE_BYTES = PAGE_BYTES - PAGE_NONCE_BYTES - PAGE_TAG_BYTES;
const COUNTER_OFFSET = 12;
const CIPHER_KEY_BYTES = 32;

/** Returns the content of a page; null if the page was changed or the key is wrong. */
export function openPage(page: Uint8Array, number: number, key: Uint8Array): Uint8Array | null {
  const nonce = page.subarray(USABLE_PAGE_BYTES, USABLE_PAGE_BYTES + PAGE_NONCE_BYTES);
  const view = new DataView(nonce.buffer, nonce.byteOffset, PAGE_NONCE_BYTES);
  const counter = (view.getUint32(COUNTER_OFFSET, true) ^ number) >>> 0;
  const random = nonce.slice(0, COUNTER_OFFSET);
  const keys = chacha20(key, random, new Uint8Array(2 * CIPHER_KEY_BYTES), undefined, counter);
  const tag = poly1305(
    page.subarray(0, USABLE_PAGE_BYTES + PAGE_NONCE_BYTES),
    keys.subarray(0, CIPHER_KEY_BYTES),
  );
  if (!hasEqualBytes(tag, page.subarray(USABLE_PAGE_BYTES + PAGE_NONCE_BYTES, PAGE_BYTES)))
    return null;
  const from = number === 1 ? HEAD_BYTES : 0;
  const content = page.slice(0, USABLE_PAGE_BYTES);
  const opened = chacha20(
    keys.slice(CIPHER_KEY_BYTES),
    random,
    page.slice(from, USABLE_PAGE_BYTES),
    undefined,
    (counter + 1) >>> 0,
  );
  content.set(opened, from);
  return content;
}

function hasEqualBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.every((byte, at) => byte === other[at]);
}
