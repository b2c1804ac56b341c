import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { AppError } from '../../../shared/errors.ts';

/** Entropy of a phrase. It makes twelve words, too many to guess at any cost. */
const PHRASE_ENTROPY_BITS = 128;

export const newPhrase = (): string => generateMnemonic(wordlist, PHRASE_ENTROPY_BITS);

/**
 * Normalizes a phrase as needed for opening backups: lower case, one space between words. Throws
 * 'invalid' with 'phrase-wrong' if a word is not on the list, or the phrase fails its checksum.
 */
export function readPhrase(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .split(/[^a-z]+/u);
  const phrase = words.filter((word) => word !== '').join(' ');
  if (validateMnemonic(phrase, wordlist)) return phrase;
  throw new AppError(
    'invalid',
    'These are not the twelve words of a recovery phrase: a word is wrong, missing or misplaced',
    {
      reason: 'phrase-wrong',
      fields: { phrase: 'Not a recovery phrase' },
    },
  );
}
