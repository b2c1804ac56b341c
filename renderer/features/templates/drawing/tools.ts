import type { PlacedKind } from '../../../../shared/model/placed-field.ts';
import { m } from '../../../ui/language.svelte.ts';
import type { Command } from '../../../window/shortcuts.svelte.ts';
import { kindName } from './words.ts';

/** The drawing tools and their keys, in the syntax of tinykeys; Ctrl with a digit opens a screen. */
export const tools = [
  { kind: 'text', keys: 'Alt+Digit1' },
  { kind: 'lines', keys: 'Alt+Digit2' },
  { kind: 'date', keys: 'Alt+Digit3' },
  { kind: 'number', keys: 'Alt+Digit4' },
  { kind: 'checkbox', keys: 'Alt+Digit5' },
  { kind: 'choice', keys: 'Alt+Digit6' },
  { kind: 'signature', keys: 'Alt+Digit7' },
  { kind: 'initials', keys: 'Alt+Digit8' },
  { kind: 'seal', keys: 'Alt+Digit9' },
] as const satisfies readonly { readonly kind: PlacedKind; readonly keys: string }[];

/** A command for each tool: it puts a field on the page, because a key cannot drag. */
export function toolCommands(
  add: (kind: PlacedKind) => void,
  reason: () => string | null,
): readonly Command[] {
  return tools.map(({ kind, keys }) => ({
    id: `draw.${kind}`,
    group: 'do',
    title: () => m.draw_add({ kind: kindName(kind) }),
    keys: [keys],
    leavesText: true,
    reason,
    run: () => add(kind),
  }));
}
