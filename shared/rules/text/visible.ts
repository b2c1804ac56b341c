/** Controls, what nobody sees, and marks that turn a line's direction: with them a text could draw lines of its own. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text that a stranger wrote, safe to show in a question of the system or a sentence of our own. */
export const visible = (text: string): string => text.replaceAll(UNSAFE, '\uFFFD');
