import { splitByUtf8Length } from './utf8.ts';

/*
 * Email by RFC 5322 and 2047, as every mail program reads them: lines end in CRLF, and non-ASCII
 * text is UTF-8 in base64. With `X-Unsent`, mail programs open the email as an unsent draft.
 */

/** Number of base64 characters on a line. */
const BASE64_LINE_LENGTH = 76;

/** Maximum octets of a text whose encoded word, with its frame, fits in 75 characters. */
const MAX_ENCODED_WORD_OCTETS = 39;

/** Returns an email draft. `utf8` encodes a text, and `base64` its UTF-8 octets. */
export function mailDraft(
  { subject, text }: { readonly subject: string; readonly text: string },
  {
    utf8,
    base64,
  }: { readonly utf8: (text: string) => Uint8Array; readonly base64: (data: Uint8Array) => string },
): string {
  const body = base64(utf8(text.replaceAll(/\r?\n/g, '\r\n')));
  const words = piecesOf(subject).map((piece) => `=?UTF-8?B?${base64(utf8(piece))}?=`);
  return [
    'X-Unsent: 1',
    `Subject: ${words.join('\r\n ')}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=UTF-8',
    'Content-Transfer-Encoding: base64',
    '',
    ...(body.match(new RegExp(`.{1,${BASE64_LINE_LENGTH}}`, 'g')) ?? []),
    '',
  ].join('\r\n');
}

const piecesOf = (text: string): readonly string[] =>
  splitByUtf8Length(text.replaceAll(/\s+/g, ' '), MAX_ENCODED_WORD_OCTETS, MAX_ENCODED_WORD_OCTETS);
