import { poly1305 } from '@noble/ciphers/_poly1305.js';
import { chacha20 } from '@noble/ciphers/chacha.js';
import { HEAD_BYTES } from '../database/cipher.ts';

/*
 * Decrypts single pages of SQLite3 Multiple Ciphers ("sqleet: ChaCha20-Poly1305"), since SQLite
 * rejects a whole file for one bad page. A page ends in a 16-byte nonce and a 16-byte tag; the
 * counter is the last four bytes of the nonce XOR the page number.
 */

export const PAGE = 4096;
const NONCE = 16;
const TAG = 16;
/** Number of bytes of a page that SQLite uses. */
export const USABLE_PAGE_BYTES = PAGE - NONCE - TAG;
const COUNTER_AT = 12;
const KEY = 32;

/** Returns the content of a page; null if the page was changed or the key is wrong. */
export function openPage(page: Uint8Array, number: number, key: Uint8Array): Uint8Array | null {
  const nonce = page.subarray(USABLE_PAGE_BYTES, USABLE_PAGE_BYTES + NONCE);
  const view = new DataView(nonce.buffer, nonce.byteOffset, NONCE);
  const counter = (view.getUint32(COUNTER_AT, true) ^ number) >>> 0;
  const random = nonce.slice(0, COUNTER_AT);
  const keys = chacha20(key, random, new Uint8Array(2 * KEY), undefined, counter);
  const tag = poly1305(page.subarray(0, USABLE_PAGE_BYTES + NONCE), keys.subarray(0, KEY));
  if (!hasEqualBytes(tag, page.subarray(USABLE_PAGE_BYTES + NONCE, PAGE))) return null;
  const from = number === 1 ? HEAD_BYTES : 0;
  const content = page.slice(0, USABLE_PAGE_BYTES);
  const opened = chacha20(
    keys.slice(KEY),
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
