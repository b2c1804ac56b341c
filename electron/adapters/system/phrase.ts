import { generateMnemonic, validateMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { AppError } from '../../../shared/errors.ts';

/** Twelve words: nobody guesses them, whatever a guess costs. */
const BITS = 128;

export const newPhrase = (): string => generateMnemonic(wordlist, BITS);

/**
 * The phrase as backups are opened with it: small letters, one space between words. Throws 'invalid'
 * with 'phrase-wrong' when a word is not of the list, or together they fail the phrase's own check.
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
