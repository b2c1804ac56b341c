import { userInfo } from 'node:os';
import path from 'node:path';

/** The system's own variables, and ours: `SIGNING_DESK_DATA`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The home folder that the system records for this account; null without one. */
type AccountHome = () => string | null;

const PRODUCT = 'Signing Desk';

/**
 * Absolute path of the program's data: `--data DIR`, otherwise `SIGNING_DESK_DATA`, otherwise the
 * system's usual place. Throws when the system does not say where the user's files are.
 */
export function dataDir(
  env: Environment,
  platform: NodeJS.Platform,
  argData?: string,
  accountHome = homeOfAccount,
): string {
  const chosen = argData ?? env['SIGNING_DESK_DATA'];
  if (chosen !== undefined && chosen !== '') return path.resolve(chosen);
  const home = homeOf(env, platform, accountHome);
  if (home === null) throw new Error('No home folder is set. Name a data folder with --data');
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', PRODUCT);
  if (platform === 'win32') {
    return path.join(env['APPDATA'] ?? path.join(home, 'AppData', 'Roaming'), PRODUCT);
  }
  return path.join(
    absolute(env['XDG_DATA_HOME']) ?? path.join(home, '.local/share'),
    'signing-desk',
  );
}

/**
 * A folder for PDFs that the user easily finds; next to the data folder for an account without a
 * home. It may not exist yet.
 */
export function documentsFolder(
  env: Environment,
  platform: NodeJS.Platform,
  dataFolder: string,
  accountHome = homeOfAccount,
): string {
  const named = platform === 'linux' ? absolute(env['XDG_DOCUMENTS_DIR']) : undefined;
  if (named !== undefined) return path.join(named, PRODUCT);
  const home = homeOf(env, platform, accountHome);
  const folder = home === null ? path.dirname(dataFolder) : path.join(home, 'Documents');
  return path.join(folder, PRODUCT);
}

/**
 * Folder for compiled code between starts. No other account may write there, because the code is
 * run (see `mayKeepCode`); a shared temporary folder is therefore unsuitable. Null when the system
 * does not say where the user's files are.
 */
export function codeCache(
  env: Environment,
  platform: NodeJS.Platform,
  accountHome = homeOfAccount,
): string | null {
  if (platform === 'win32') {
    const folder = env['LOCALAPPDATA'];
    return folder ? path.join(folder, PRODUCT, 'Code') : null;
  }
  const home = homeOf(env, platform, accountHome);
  if (home === null) return null;
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', PRODUCT);
  return path.join(absolute(env['XDG_CACHE_HOME']) ?? path.join(home, '.cache'), 'signing-desk');
}

/**
 * Folder for this computer's notes about data folders, which reveal data restored from a backup.
 * Never inside a folder that is backed up with the data. Null when the system does not say where
 * the user's files are.
 */
export function stateDir(
  env: Environment,
  platform: NodeJS.Platform,
  accountHome = homeOfAccount,
): string | null {
  const named = platform === 'win32' ? env['LOCALAPPDATA'] : absolute(env['XDG_STATE_HOME']);
  const own = platform === 'win32' ? path.join(PRODUCT, 'State') : 'signing-desk';
  if (named !== undefined && named !== '') return path.join(named, own);
  const home = homeOf(env, platform, accountHome);
  if (home === null) return null;
  if (platform === 'win32') return path.join(home, 'AppData', 'Local', own);
  if (platform === 'darwin') {
    return path.join(home, 'Library', 'Application Support', `${PRODUCT} State`);
  }
  return path.join(home, '.local/state', own);
}

/** A relative path in an XDG variable must be ignored (XDG Base Directory Specification). */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/** A service or an emptied environment has no home variable, but the account has a home. */
function homeOf(
  env: Environment,
  platform: NodeJS.Platform,
  accountHome: AccountHome,
): string | null {
  return absolute(platform === 'win32' ? env['USERPROFILE'] : env['HOME']) ?? accountHome();
}

function homeOfAccount(): string | null {
  try {
    return absolute(userInfo().homedir) ?? null;
  } catch {
    // A container may run as a number without an account.
    return null;
  }
}
