import { api } from './desk.ts';
import { Loaded } from './loaded.svelte.ts';

/** Abilities of the host, read once: they cannot change while the window is open. */
export const host = new Loaded(() => api['host.describe']({}));
