import { api } from './desk.ts';

/** Opens a folder or a file the desk wrote with whatever the system has for it. */
export const openPath = (path: string): Promise<unknown> => api['host.openPath']({ path });
