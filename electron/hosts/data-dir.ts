import { userInfo } from 'node:os';
import path from 'node:path';

/** Variables of the environment: the system's own, and `SIGNING_DESK_DATA` of this program. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the home folder that the system records for this account; null if there is none. */
type AccountHome = () => string | null;

const PRODUCT = 'Signing Desk';

/**
 * Returns the absolute path of the program's data: `--data DIR`, otherwise `SIGNING_DESK_DATA`,
 * otherwise the system's usual folder. Throws if the system does not state the folder of the user's
 * files.
 */
export function dataDir(
  env: Environment,
  platform: NodeJS.Platform,
  argData?: string,
  accountHome = accountHomeFolder,
): string {
  const chosen = argData ?? env['SIGNING_DESK_DATA'];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  const home = homeFolderOf(env, platform, accountHome);
  if (home === null) throw new Error('No home folder is set. Name a data folder with --data');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', PRODUCT);
  if (platform === 'win32') {
    return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), PRODUCT);
  }
  return path.join(
    absolutePathOrUndefined(env['XDG_DATA_HOME']) ?? path.join(home, '.local/share'),
    'signing-desk',
  );
}

/**
 * Returns a folder for PDFs that the user easily finds; for an account without a home, a folder
 * next to the data folder. It may not exist yet.
 */
export function documentsFolder(
  env: Environment,
  platform: NodeJS.Platform,
  dataFolder: string,
  accountHome = accountHomeFolder,
): string {
  const named =
    platform === 'linux' ? absolutePathOrUndefined(env['XDG_DOCUMENTS_DIR']) : undefined;
  if (named !== undefined) return path.join(named, PRODUCT);
  const home = homeFolderOf(env, platform, accountHome);
  const folder = home === null ? path.dirname(dataFolder) : path.join(home, 'Documents');
  return path.join(folder, PRODUCT);
}

/**
 * Returns the folder for compiled code, which is kept between starts. No other account may write to
 * it, because the code is run (see `mayKeepCode`); a shared temporary folder is therefore
 * unsuitable. Null if the system does not state the folder of the user's files.
 */
export function codeCacheFolder(
  env: Environment,
  platform: NodeJS.Platform,
  accountHome = accountHomeFolder,
): string | null {
  if (platform === 'win32') {
    const folder = env['LOCALAPPDATA'];
    return folder ? path.join(folder, PRODUCT, 'Code') : null;
  }
  const home = homeFolderOf(env, platform, accountHome);
  if (home === null) return null;
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', PRODUCT);
  return path.join(
    absolutePathOrUndefined(env['XDG_CACHE_HOME']) ?? path.join(home, '.cache'),
    'signing-desk',
  );
}

/**
 * Returns the folder for this computer's notes about data folders, which reveal data restored from
 * a backup. It is never inside a folder that is backed up with the data. Null if the system does
 * not state the folder of the user's files.
 */
export function stateDir(
  env: Environment,
  platform: NodeJS.Platform,
  accountHome = accountHomeFolder,
): string | null {
  const named =
    platform === 'win32' ? env['LOCALAPPDATA'] : absolutePathOrUndefined(env['XDG_STATE_HOME']);
  const own = platform === 'win32' ? path.join(PRODUCT, 'State') : 'signing-desk';
  if (named !== undefined && named !== '') return path.join(named, own);
  const home = homeFolderOf(env, platform, accountHome);
  if (home === null) return null;
  if (platform === 'win32') return path.join(home, 'AppData', 'Local', own);
  if (platform === 'darwin') {
    return path.join(home, 'Library', 'Application Support', `${PRODUCT} State`);
  }
  return path.join(home, '.local/state', own);
}

/**
 * Returns the folder for the user's configuration files of all programs (XDG Base Directory
 * Specification).
 */
export function userConfigFolder(env: Environment): string {
  return absolutePathOrUndefined(env['XDG_CONFIG_HOME']) ?? path.join(env['HOME'] ?? '', '.config');
}

/**
 * Returns an absolute folder of an XDG variable; a relative path must be ignored (XDG Base
 * Directory Specification).
 */
function absolutePathOrUndefined(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/**
 * Returns the home folder. A service or an emptied environment has no home variable, but the
 * account has a home.
 */
function homeFolderOf(
  env: Environment,
  platform: NodeJS.Platform,
  accountHome: AccountHome,
): string | null {
  return (
    absolutePathOrUndefined(platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ??
    accountHome()
  );
}

function accountHomeFolder(): string | null {
  try {
    return absolutePathOrUndefined(userInfo().homedir) ?? null;
  } catch {
    // A container may run as a number without an account.
    return null;
  }
}
