import { AppError } from '../../../../shared/errors.ts';
import { trimSigns } from '../../../../shared/rules/text/trim-signs.ts';

/** What pasting adds around a credential without being seen. */
const PASTED = /[\s\u0000-\u001f\u200b-\u200f\u2060\ufeff]/;
/** Anything else could end the header early and begin another. */
const VISIBLE_ASCII = /^[\u0021-\u007e]+$/;

/**
 * A credential as it can stand in a header.
 * @throws AppError 'invalid' for `field` when it is blank or holds what no header may; the message
 * does not repeat it.
 */
export function cleanSecret(text: string, field: string): string {
  const secret = trimSigns(text, { first: PASTED, last: PASTED });
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

/** A v1 token; the word `Token` is often copied along with it, from an example. */
export function cleanToken(text: string): string {
  return cleanSecret(text.replace(/^\s*Token\s+/i, ''), 'secret');
}
