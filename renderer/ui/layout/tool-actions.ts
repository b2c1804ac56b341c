import type { MenuAction } from '../controls/menu-action.ts';

/** Maximum number of plain buttons, so that the primary one is found at a glance. */
const MAX_PLAIN = 2;

export interface ToolAction extends MenuAction {
  /** Whether this is the usual next step. Only the first such action is the primary button. */
  readonly primary?: boolean;
  /** Whether each click of a double click counts, as for the next error. */
  readonly repeats?: boolean;
}

interface ToolPlaces {
  readonly primary: ToolAction | null;
  readonly plain: readonly ToolAction[];
  /** Groups of the menu; the actions that destroy something are the last group. */
  readonly menu: readonly (readonly MenuAction[])[];
}

/**
 * Divides the actions of a toolbar into its buttons and its menu. An unavailable action keeps its
 * place, so that nothing moves when it becomes available.
 */
export function placeActions(
  actions: readonly ToolAction[],
  groups: readonly (readonly MenuAction[])[] = [],
): ToolPlaces {
  const primary = actions.find((action) => action.primary === true) ?? null;
  const others = actions.filter((action) => action !== primary);
  const rest = others.slice(MAX_PLAIN);
  const menu = [
    rest.filter(({ danger }) => danger !== true),
    ...groups,
    rest.filter(({ danger }) => danger === true),
  ].filter((group) => group.length > 0);
  return { primary, plain: others.slice(0, MAX_PLAIN), menu };
}
