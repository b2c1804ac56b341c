import { AppError } from '../../../../shared/errors.ts';
import { trimCharacters } from '../../../../shared/rules/text/trim-signs.ts';

/** Invisible characters that pasting can add around a credential. */
const PASTED_CHARACTER = /[\s\u0000-\u001f\u200b-\u200f\u2060\ufeff]/;
/**
 * Characters that a credential may have; other characters could end the header and start another
 * one.
 */
const VISIBLE_ASCII = /^[\u0021-\u007e]+$/;

/**
 * Returns a credential in a form valid for a header.
 * @throws AppError 'invalid' for `field` if the text is blank or has characters that no header may
 * have; the message does not quote the text
 */
export function cleanSecret(text: string, field: string): string {
  const secret = trimCharacters(text, { first: PASTED_CHARACTER, last: PASTED_CHARACTER });
  if (secret === '') {
    const sentence = 'The API key is empty';
    throw new AppError('invalid', sentence, {
      reason: 'credential-blank',
      fields: { [field]: sentence },
    });
  }
  if (!VISIBLE_ASCII.test(secret)) {
    const sentence =
      'The API key has characters that cannot be sent. Copy it again from the service';
    throw new AppError('invalid', sentence, {
      reason: 'credential-characters',
      fields: { [field]: sentence },
    });
  }
  return secret;
}

/** Returns a v1 token without the word `Token`, which users often copy with it from an example. */
export function cleanToken(text: string): string {
  return cleanSecret(text.replace(/^\s*Token\s+/i, ''), 'secret');
}
