import { createCipheriv, createHash } from 'node:crypto';

const MIN_HASH_ROUNDS = 64;
const INPUT_REPETITIONS = 64;
const HASH_ALGORITHMS = ['sha256', 'sha384', 'sha512'] as const;

/** Returns the hash of an empty user password with a salt (PDF 2.0, algorithm 2.B). */
export function computeLongHash(salt: Uint8Array): Buffer {
  let key = createHash('sha256').update(salt).digest();
  let last = 0;
  for (let round = 0; round < MIN_HASH_ROUNDS || last > round - 32; round += 1) {
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const text = Buffer.concat(Array.from({ length: INPUT_REPETITIONS }, () => key));
    const encrypted = cipher.update(text);
    const sum = encrypted.subarray(0, 16).reduce((all, byte) => all + byte, 0);
    key = createHash(HASH_ALGORITHMS[sum % 3] ?? 'sha256')
      .update(encrypted)
      .digest();
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}
