import type { HostDescription } from '../../shared/contract/host.ts';
import { m } from './language.svelte.ts';

type Platform = HostDescription['platform'];

const specialKeyNames: Readonly<Record<string, () => string>> = {
  Shift: m.key_shift,
  Escape: m.key_escape,
  Enter: m.key_enter,
  Delete: m.key_delete,
  Space: m.key_space,
};

function nameOf(key: string, platform: Platform): string {
  if (key === '$mod') return platform === 'mac' ? '⌘' : m.key_control();
  if (key.startsWith('Digit')) return key.slice('Digit'.length);
  return specialKeyNames[key]?.() ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** Readable form of a binding: `$mod+Digit1` is `Ctrl 1`; optional modifiers are omitted. */
export function keyNames(binding: string, platform: Platform): string {
  return binding
    .split('+')
    .filter((key) => !key.startsWith('['))
    .map((key) => nameOf(key, platform))
    .join(' ');
}
