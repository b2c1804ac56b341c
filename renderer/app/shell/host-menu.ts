import type { HostMenu } from '../../../shared/contract/host.ts';
import { m } from '../../ui/language.svelte.ts';
import type { Command, CommandGroup } from '../../window/shortcuts.svelte.ts';

/** Titles in the order of a menu bar: actions, navigation, then commands of the current screen. */
const menuTitles = [
  { name: 'do', title: m.palette_do },
  { name: 'go', title: m.palette_go },
  { name: 'list', title: m.palette_list },
] as const satisfies readonly { name: CommandGroup; title: () => string }[];

/** Current commands for the host's menu. All can be chosen; an unavailable one shows its reason. */
export function menuGroups(commands: readonly Command[]): HostMenu['groups'] {
  return menuTitles.flatMap(({ name, title }) => {
    const own = commands.filter(({ group }) => group === name);
    const items = own.map((command) => ({
      id: command.id,
      label: command.title(),
      accelerator: acceleratorOf(command),
    }));
    // Two commands with the same label become one item.
    const labels = items.map(({ label }) => label);
    const shown = items.filter(({ label }, index) => labels.indexOf(label) === index);
    return shown.length === 0 ? [] : [{ title: title(), commands: shown }];
  });
}

const acceleratorModifiers: Readonly<Record<string, string>> = {
  $mod: 'CommandOrControl',
  Alt: 'Alt',
  Shift: 'Shift',
};

/**
 * Returns the command's first key in Electron's syntax. Returns null for keys that a focused text
 * field uses, and for keys without a name in menus.
 */
function acceleratorOf({ keys: [first], leavesText = false }: Command): string | null {
  if (first === undefined || leavesText) return null;
  const parts = first.split('+').filter((part) => !part.startsWith('['));
  const key = acceleratorKeyOf(parts.pop() ?? '');
  const named = parts.map((part) => acceleratorModifiers[part]);
  return key === null || named.includes(undefined) ? null : [...named, key].join('+');
}

function acceleratorKeyOf(key: string): string | null {
  if (/^F1?\d$/.test(key)) return key;
  if (/^Digit\d$/.test(key)) return key.slice('Digit'.length);
  if (/^Arrow(?:Up|Down|Left|Right)$/.test(key)) return key.slice('Arrow'.length);
  return /^[a-z0-9/]$/i.test(key) ? key.toUpperCase() : null;
}
