/**
 * Control characters, invisible characters and direction marks, with which a text could look like
 * several lines or like another text.
 */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes a text from outside safe for a system dialog or a sentence of this program. */
export const withoutUnsafeCharacters = (text: string): string =>
  text.replaceAll(UNSAFE_CHARACTERS, '\uFFFD');
