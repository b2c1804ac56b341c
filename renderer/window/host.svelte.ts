import { api } from './desk.ts';
import { Loaded } from './loaded.svelte.ts';

/** What the host is able to do, read once: it cannot change while the window is open. */
export const host = new Loaded(() => api['host.describe']({}));
