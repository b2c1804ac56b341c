/** The control at which a problem can be solved: its own, or that of what holds its field. */
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
 * Moves focus to the next (1) or previous (-1) control with a problem, round and round, in the
 * order of the page. `step` 0 goes to the first one.
 */
export function walkProblems(root: HTMLElement, fields: readonly string[], step: 1 | 0 | -1): void {
  const controls = new Set(fields.map((field) => controlOf(root, field)));
  const stops = [...root.querySelectorAll<HTMLElement>('[data-field]')].filter((one) =>
    controls.has(one),
  );
  const { activeElement } = document;
  const at = stops.findIndex((stop) => stop === activeElement);
  const next = step === 0 ? 0 : at < 0 ? nearest(stops, activeElement, step) : at + step;
  const stop = stops[(next + stops.length) % stops.length];
  if (stop !== undefined) unfold(stop);
  stop?.focus();
  stop?.scrollIntoView({ block: 'center' });
}

/** What is folded away cannot take the focus. */
function unfold(stop: HTMLElement): void {
  for (let at = stop.closest('details'); at !== null;) {
    at.open = true;
    at = at.parentElement?.closest('details') ?? null;
  }
}

/** Where the walk goes on from a place that is no stop itself. */
function nearest(stops: readonly HTMLElement[], from: Element | null, step: 1 | -1): number {
  if (from === null) return 0;
  const isAfter = (stop: HTMLElement): boolean =>
    (from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  const after = stops.findIndex(isAfter);
  if (after < 0) return step === 1 ? 0 : -1;
  return step === 1 ? after : after - 1;
}
