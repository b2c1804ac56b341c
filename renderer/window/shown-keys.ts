import { keyNames } from '../ui/key-names.ts';
import { host } from './host.svelte.ts';

/** Name of a binding on this computer: `$mod+Shift+d` is `Ctrl Shift D`, in German `Strg Umschalt D`. */
export const shownKeys = (binding: string): string =>
  keyNames(binding, host.value?.platform ?? 'linux');
