import { AppError } from '../../../../shared/errors.ts';
import { missingCharacterMessage } from '../../../../shared/rules/text/missing-letter.ts';
import type { UndrawableCharacter } from '../../../core/ports.ts';
import { fontNameFor } from '../fonts/scripts.ts';

/**
 * Returns the error for a character of a field's value that no font has, with a font to install;
 * characters are never replaced.
 */
export function missingLetter(text: string, field: string): AppError {
  const letter = { field, ...missingCharacter(text) };
  return new AppError('invalid', missingCharacterMessage(letter), {
    reason: 'pdf-letters',
    fields: { [field]: pointOf(text) },
    letter,
  });
}

/** Returns the first character of a text in readable form, and a font that has it. */
export function missingCharacter(text: string): UndrawableCharacter {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const font = fontNameFor(first);
  return { letter: font === null ? pointOf(text) : `${first} (${pointOf(text)})`, font };
}

function pointOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
