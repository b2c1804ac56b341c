import type { HostMenu } from '../../../shared/contract/host.ts';
import { m } from '../../ui/language.svelte.ts';
import type { Command, CommandGroup } from '../../window/shortcuts.svelte.ts';

/** In the order of a menu bar: what is done first, then where to go, then what this screen has. */
const titles = [
  { name: 'do', title: m.palette_do },
  { name: 'go', title: m.palette_go },
  { name: 'list', title: m.palette_list },
] as const satisfies readonly { name: CommandGroup; title: () => string }[];

/** The commands there are now, for the host's own menu. Each can be chosen; one that cannot run says why. */
export function menuGroups(commands: readonly Command[]): HostMenu['groups'] {
  return titles.flatMap(({ name, title }) => {
    const own = commands.filter(({ group }) => group === name);
    const items = own.map((command) => ({
      id: command.id,
      label: command.title(),
      accelerator: acceleratorOf(command),
    }));
    // Two ways to the same thing are one item.
    const labels = items.map(({ label }) => label);
    const shown = items.filter(({ label }, index) => labels.indexOf(label) === index);
    return shown.length === 0 ? [] : [{ title: title(), commands: shown }];
  });
}

const modifiers: Readonly<Record<string, string>> = {
  $mod: 'CommandOrControl',
  Alt: 'Alt',
  Shift: 'Shift',
};

/**
 * A command's first key as Electron writes it. None for keys that belong to the text while somebody
 * writes, nor for those that a menu has no name for.
 */
function acceleratorOf({ keys: [first], leavesText = false }: Command): string | null {
  if (first === undefined || leavesText) return null;
  const parts = first.split('+').filter((part) => !part.startsWith('['));
  const key = keyOf(parts.pop() ?? '');
  const named = parts.map((part) => modifiers[part]);
  return key === null || named.includes(undefined) ? null : [...named, key].join('+');
}

function keyOf(key: string): string | null {
  if (/^F1?\d$/.test(key)) return key;
  if (/^Digit\d$/.test(key)) return key.slice('Digit'.length);
  if (/^Arrow(?:Up|Down|Left|Right)$/.test(key)) return key.slice('Arrow'.length);
  return /^[a-z0-9/]$/i.test(key) ? key.toUpperCase() : null;
}
