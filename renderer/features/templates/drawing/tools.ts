import type { PlacedKind } from '../../../../shared/model/placed-field.ts';
import { m } from '../../../ui/language.svelte.ts';
import type { Command } from '../../../window/shortcuts.svelte.ts';
import { kinds } from './drawn.ts';
import { kindName } from './words.ts';

/** Keys of a drawing tool, in the syntax of tinykeys; Ctrl with a digit opens a screen. */
export const toolKeys = (kind: PlacedKind): string => `Alt+Digit${String(kinds.indexOf(kind) + 1)}`;

/** A command for each tool: it puts a field on the page, because a key cannot drag. */
export function toolCommands(
  add: (kind: PlacedKind) => void,
  reason: () => string | null,
): readonly Command[] {
  return kinds.map((kind) => ({
    id: `draw.${kind}`,
    group: 'do',
    title: () => m.draw_add({ kind: kindName(kind) }),
    keys: [toolKeys(kind)],
    leavesText: true,
    reason,
    run: () => add(kind),
  }));
}
