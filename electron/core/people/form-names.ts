import type { UnsavedForm } from '../../../shared/contract/forms.ts';
import type { PersonTraces } from './ports.ts';

/** Characters that people write between the digits of a number. */
const BETWEEN_DIGITS = /(?<=\d)[\s+./()\-\u2010-\u2015]+(?=\d)/g;

/**
 * Whether the text of an unsaved form names the person. The name alone is enough, because only
 * unsaved text is lost.
 */
export function formNames(
  { content }: UnsavedForm,
  { sure, shared, names }: PersonTraces,
): boolean {
  const text = fold(textOf(content));
  const digits = text.replaceAll(BETWEEN_DIGITS, '');
  const hasText = (one: string): boolean => text.includes(fold(one));
  return (
    [...sure.texts, ...shared.texts].some(hasText) ||
    [...sure.digits, ...shared.digits].some((one) => digits.includes(one)) ||
    (names.length > 0 && names.every(hasText))
  );
}

const fold = (text: string): string => text.normalize('NFC').toLowerCase();

/** Returns all texts of a form, as typed; the form itself if it is not JSON. */
function textOf(content: string): string {
  try {
    return textsIn(JSON.parse(content)).join('\n');
  } catch {
    return content;
  }
}

/** Texts of a rule are JSON in the form's JSON. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value, ...(value.startsWith('"') ? [textOf(value)] : [])];
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(textsIn);
}
