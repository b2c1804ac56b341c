import { userInfo } from 'node:os';
import path from 'node:path';

/** The system's own variables; `SIGNING_DESK_DATA` is ours. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The home folder that the system has for this account; null where it has none. */
type AccountHome = () => string | null;

const PRODUCT = 'Signing Desk';

/**
 * Where the program's data lies: `--data DIR`, else `SIGNING_DESK_DATA`, else the system's usual
 * place. Absolute. Throws when the system does not say where the person's files are.
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
 * A folder for PDFs that the person is sure to find: beside the data folder for an account without a
 * home. It need not exist yet.
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
 * Where compiled code is kept between two starts: nobody else may write there, since it is
 * run (see `mayKeepCode`). A
 * temporary folder is everybody's. Null when the system does not say where the person's files are.
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
 * What this computer remembers about data folders, so that it knows one that was restored from a
 * backup: never within what is backed up with them. Null when the system does not say where the
 * person's files are.
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

/** A relative path in an XDG variable is to be ignored (XDG Base Directory Specification). */
function absolute(folder: string | undefined): string | undefined {
  return folder !== undefined && path.isAbsolute(folder) ? folder : undefined;
}

/** A service and an emptied environment name no home, but the account has one all the same. */
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
    // A container may run as a number that is no account.
    return null;
  }
}
