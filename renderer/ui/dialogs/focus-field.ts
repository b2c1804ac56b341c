const FIELD_SELECTOR = 'input:not([type=checkbox], [type=radio]), textarea, select';

/** Focuses the first field of a dialog and selects its text. Returns whether there is one. */
export function focusFirstField(content: HTMLElement | null): boolean {
  const field = content?.querySelector<HTMLElement>(FIELD_SELECTOR) ?? null;
  field?.focus();
  if (field instanceof HTMLInputElement) field.select();
  return field !== null;
}
