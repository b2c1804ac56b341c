/**
 * Encrypts or decrypts with RC4. OpenSSL 3 supports it only in its legacy provider, BoringSSL not
 * at all.
 */
export function applyRc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, at) => at);
  for (let at = 0, other = 0; at < 256; at += 1) {
    other = (other + byteAt(state, at) + byteAt(key, at % key.length)) & 0xff;
    swapBytes(state, at, other);
  }
  const result = Buffer.alloc(data.length);
  for (let at = 0, one = 0, other = 0; at < data.length; at += 1) {
    one = (one + 1) & 0xff;
    other = (other + byteAt(state, one)) & 0xff;
    swapBytes(state, one, other);
    const mask = byteAt(state, (byteAt(state, one) + byteAt(state, other)) & 0xff);
    result[at] = byteAt(data, at) ^ mask;
  }
  return result;
}

const byteAt = (bytes: Uint8Array, at: number): number => bytes[at] ?? 0;

function swapBytes(bytes: Uint8Array, one: number, other: number): void {
  const kept = byteAt(bytes, one);
  bytes[one] = byteAt(bytes, other);
  bytes[other] = kept;
}
