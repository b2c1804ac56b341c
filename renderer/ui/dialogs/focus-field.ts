const FIELDS = 'input:not([type=checkbox], [type=radio]), textarea, select';

/** Puts the focus on the first field of a dialog, with its text chosen. Gives whether there is one. */
export function focusFirstField(content: HTMLElement | null): boolean {
  const field = content?.querySelector<HTMLElement>(FIELDS) ?? null;
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field !== null;
}
