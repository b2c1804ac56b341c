import path from 'node:path';
import { endSettingAside, isSettingAside } from '../adapters/files/set-aside.ts';
import { createPresence, type Presence } from '../adapters/sqlite/open/presence.ts';
import { AppError } from '../../shared/errors.ts';

/** Lock that shows which processes have the data of a folder open. */
export const presenceIn = (folder: string): Presence =>
  createPresence(path.join(folder, 'open.lock'));

export const dataInUseError = (): AppError =>
  new AppError('storage', 'Another window or command uses this data folder now', {
    reason: 'data-in-use',
  });

/**
 * Opens the data exclusively until `leave`. First finishes setting data aside, if a killed process
 * started that. Throws 'storage'.
 */
export async function enterExclusively(presence: Presence, folder: string): Promise<void> {
  if (!presence.enterAlone()) throw dataInUseError();
  try {
    await endSettingAside(folder);
  } catch (error) {
    presence.leave();
    throw error;
  }
}

/**
 * Opens the data together with other processes. Throws 'storage' while another process has
 * exclusive use.
 */
export async function enterShared(presence: Presence, folder: string): Promise<void> {
  if (isSettingAside(folder)) {
    await enterExclusively(presence, folder);
    presence.leave();
  }
  if (!presence.enter()) throw dataInUseError();
}
