import { AppError } from '../../../../shared/errors.ts';
import { trimCharacters } from '../../../../shared/rules/text/trim-signs.ts';

/** Invisible characters that pasting can add around a credential. */
const PASTED = /[\s\u0000-\u001f\u200b-\u200f\u2060\ufeff]/;
/** Other characters could end the header and start another. */
const VISIBLE_ASCII = /^[\u0021-\u007e]+$/;

/**
 * Returns a credential in a form valid for a header.
 * @throws AppError 'invalid' for `field` if it is blank or has characters that no header may have;
 * the message does not repeat it
 */
export function cleanSecret(text: string, field: string): string {
  const secret = trimCharacters(text, { first: PASTED, last: PASTED });
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
    throw new AppError('invalid', sentence, { fields: { [field]: sentence } });
  }
  return secret;
}

/** A v1 token; users often copy the word `Token` along with it from an example. */
export function cleanToken(text: string): string {
  return cleanSecret(text.replace(/^\s*Token\s+/i, ''), 'secret');
}
