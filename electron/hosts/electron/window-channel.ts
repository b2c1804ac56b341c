/** Name of the only inter-process channel of the Electron host, in both directions. */
export const WINDOW_CHANNEL = 'desk';
