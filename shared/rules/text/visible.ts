/**
 * Control characters, invisible ones, and direction marks, with which a text could fake lines of
 * its own.
 */
const UNSAFE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text of others, safe to show in a system dialog or within our own sentence. */
export const visible = (text: string): string => text.replaceAll(UNSAFE_CHARACTERS, '\uFFFD');
