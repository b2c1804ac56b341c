import { api } from './desk.ts';

/** Opens a folder or file written by the program in the system's default application. */
export const openPath = (path: string): Promise<unknown> => api['host.openPath']({ path });
