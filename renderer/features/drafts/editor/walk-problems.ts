/** The control that solves a problem: that of the field, or of the part that contains the field. */
function controlOf(root: HTMLElement, field: string): HTMLElement | null {
  const names = field.split('.');
  while (names.length > 0) {
    const found = root.querySelector<HTMLElement>(`[data-field="${CSS.escape(names.join('.'))}"]`);
    if (found !== null) return found;
    names.pop();
  }
  return null;
}

/**
 * Moves the focus to the next (1) or previous (-1) control with a problem, in page order and
 * wrapping around. `step` 0 goes to the first one.
 */
export function focusProblem(root: HTMLElement, fields: readonly string[], step: 1 | 0 | -1): void {
  const controls = new Set(fields.map((field) => controlOf(root, field)));
  const stops = [...root.querySelectorAll<HTMLElement>('[data-field]')].filter((one) =>
    controls.has(one),
  );
  const { activeElement } = document;
  const at = stops.findIndex((stop) => stop === activeElement);
  const next = step === 0 ? 0 : at < 0 ? nearestStop(stops, activeElement, step) : at + step;
  const stop = stops[(next + stops.length) % stops.length];
  if (stop !== undefined) unfoldAround(stop);
  stop?.focus();
  stop?.scrollIntoView({ block: 'center' });
}

/** Opens all folded parts around a control, because folded content cannot be focused. */
function unfoldAround(stop: HTMLElement): void {
  for (let at = stop.closest('details'); at !== null;) {
    at.open = true;
    at = at.parentElement?.closest('details') ?? null;
  }
}

/** Index from which to continue if the focus is not on a control with a problem. */
function nearestStop(stops: readonly HTMLElement[], from: Element | null, step: 1 | -1): number {
  if (from === null) return 0;
  const isAfter = (stop: HTMLElement): boolean =>
    (from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const after = stops.findIndex(isAfter);
  if (after < 0) return step === 1 ? 0 : -1;
  return step === 1 ? after : after - 1;
}
