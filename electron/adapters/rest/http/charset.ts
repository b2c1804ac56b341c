import { mismatch } from './failures.ts';

/** Whether bytes that are no letters refuse the whole text, or are shown as question marks. */
export type Strictness = 'strict' | 'lenient';

/** ASCII is the same in these, so that a body in UTF-8 which is announced as one of them is recognised. */
const SINGLE_BYTE = /^(?:windows-|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/;

/**
 * The text of a body. JSON is UTF-8 (RFC 8259, 8.1); a gateway or an older framework may send another
 * charset and say so. Many say ISO-8859-1 and send UTF-8, which can be told from its bytes.
 * @param type the media type with its parameters, in lower case
 * @throws AppError 'answer-mismatch' when strict and the bytes are not in the charset: a name would
 * be kept with wrong letters
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
    throw mismatch(route, 'it announces an unknown character set');
  }
  if (charset === null || charset === 'utf-8' || SINGLE_BYTE.test(charset)) {
    const text = decodeAs('utf-8', bytes);
    if (text !== null) return text;
  }
  const text = charset === null ? null : decodeAs(charset, bytes);
  if (text !== null) return text;
  if (strictness === 'lenient') return new TextDecoder().decode(bytes);
  throw mismatch(route, `its characters are not in ${charset ?? 'utf-8'}`);
}

/** The charset's own name, or null when this platform does not know it. */
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
