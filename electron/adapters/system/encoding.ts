import type { Encoding } from '../../core/ports.ts';

const BASE64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/;

export function createEncoding(): Encoding {
  return {
    utf8: (text) => new TextEncoder().encode(text),
    text: (utf8) => new TextDecoder('utf-8', { fatal: true }).decode(utf8),
    base64: (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64'),
    bytes: (base64) => {
      // Buffer ignores invalid Base64 silently.
      if (!BASE64.test(base64)) throw new TypeError('Not Base64');
      return new Uint8Array(Buffer.from(base64, 'base64'));
    },
  };
}
