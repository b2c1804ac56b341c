import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Names of Chromium and related browsers on Linux, best known first. */
const LINUX_BROWSER_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
];

/** Search path that a shell uses if its environment has no `PATH`. */
const DEFAULT_SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';

const MAC_BROWSER_APPS = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser'];

const WINDOWS_BROWSER_FILES = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
  String.raw`Chromium\Application\chrome.exe`,
];

/** Operating system, as far as the search for programs needs it. */
export interface HostMachine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isProgram: (file: string) => boolean;
  /** Whether the file starts a snap, which may write only to its own folder in the home. */
  readonly isSnap: (file: string) => boolean;
}

/**
 * Maximum length of a script that is read. Ubuntu's `chromium-browser` is a script of a few lines
 * that starts the snap.
 */
const MAX_SCRIPT_LENGTH = 10_000;

export const thisMachine: HostMachine = {
  platform: process.platform,
  env: process.env,
  isProgram(file) {
    try {
      accessSync(file, constants.X_OK);
      // Folders pass the check too: X_OK on a folder is the right to enter it.
      return statSync(file).isFile();
    } catch {
      return false;
    }
  },
  isSnap(file) {
    if (process.platform !== 'linux') return false;
    try {
      const real = realpathSync(file);
      if (real === '/usr/bin/snap' || real.startsWith('/snap/')) return true;
      const text = statSync(real).size > MAX_SCRIPT_LENGTH ? '' : readFileSync(real, 'latin1');
      return text.startsWith('#!') && text.includes('/snap/bin/');
    } catch {
      // A program may be executable without being readable.
      return false;
    }
  },
};

/**
 * Returns the absolute path of an installed Chrome, Edge or Chromium, or `undefined`. Prefers other
 * programs to a snap.
 */
export function findBrowser(machine: HostMachine = thisMachine): string | undefined {
  const found = browserCandidates(machine).filter(machine.isProgram);
  return found.find((file) => !machine.isSnap(file)) ?? found[0];
}

/**
 * Returns the folder for the profiles of this browser. It is next to the data, except for a snap,
 * which may not write to hidden folders of the home (snapd, "The home interface").
 */
export function profilesFolder(
  browser: string,
  dataFolder: string,
  machine: HostMachine = thisMachine,
): string {
  const home = machine.env['HOME'];
  if (home === undefined || !machine.isSnap(browser)) return path.join(dataFolder, 'chromium');
  const snap = path.basename(browser).replace(/-browser(?:-stable)?$/, '');
  return path.join(home, 'snap', snap, 'common', 'signing-desk');
}

/** Returns the absolute path of a program on the `PATH`, or `undefined`. */
export function findProgram(name: string, machine: HostMachine = thisMachine): string | undefined {
  return findOnPath([name], machine).find(machine.isProgram);
}

function browserCandidates(machine: HostMachine): string[] {
  const { env } = machine;
  if (machine.platform === 'darwin') {
    const folders = ['/Applications', ...(env['HOME'] ? [`${env['HOME']}/Applications`] : [])];
    return folders.flatMap((folder) =>
      MAC_BROWSER_APPS.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (machine.platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    return folders
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => WINDOWS_BROWSER_FILES.map((file) => path.win32.join(folder, file)));
  }
  return findOnPath(LINUX_BROWSER_NAMES, machine);
}

function findOnPath(names: readonly string[], { env, platform }: HostMachine): string[] {
  const searched = env['PATH'] ?? (platform === 'linux' ? DEFAULT_SEARCH_PATH : '');
  const folders = searched.split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}
