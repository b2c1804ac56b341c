import { replyMismatchError } from './failures.ts';

/** Whether invalid bytes reject the whole text, or become replacement characters. */
export type Strictness = 'strict' | 'lenient';

/** Charsets that extend ASCII: a UTF-8 body declared as one of them can be recognised. */
const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/;

/**
 * Decodes a body. JSON is UTF-8 (RFC 8259, 8.1), but a gateway or an older framework may send and
 * declare another charset. Many declare ISO-8859-1 and send UTF-8, which its bytes reveal.
 * @param type the media type with its parameters, in lower case
 * @throws AppError 'answer-mismatch' in strict mode if the bytes are invalid in the charset: a name
 * would be stored with wrong characters
 */
export function decodeText(
  route: string,
  bytes: Uint8Array,
  type: string,
  strictness: Strictness,
): string {
  const label = /;\s*charset\s*=\s*"?([^\s;"]+)/.exec(type)?.[1] ?? 'utf-8';
  const charset = charsetOf(label);
  if (charset === null && strictness === 'strict') {
    throw replyMismatchError(route, 'it announces an unknown character set');
  }
  if (charset === null || charset === 'utf-8' || SINGLE_BYTE.test(charset)) {
    const text = decodeAs('utf-8', bytes);
    if (text !== null) return text;
  }
  const text = charset === null ? null : decodeAs(charset, bytes);
  if (text !== null) return text;
  if (strictness === 'lenient') return new TextDecoder().decode(bytes);
  throw replyMismatchError(route, `its characters are not in ${charset ?? 'utf-8'}`);
}

/** Returns the canonical name of the charset; null if this platform does not know the charset. */
function charsetOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function decodeAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
