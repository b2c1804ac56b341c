import { accessSync, constants, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';

/** Names under which Chromium and its kin are installed on Linux, the best known first. */
const LINUX_NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
  'brave-browser',
];

/** Where a shell looks whose environment has no `PATH`, which an emptied one has not. */
const USUAL_PATH = '/usr/local/bin:/usr/bin:/bin';

const MAC_APPS = ['Google Chrome', 'Microsoft Edge', 'Chromium', 'Brave Browser'];

const WINDOWS_FILES = [
  String.raw`Google\Chrome\Application\chrome.exe`,
  String.raw`Microsoft\Edge\Application\msedge.exe`,
  String.raw`Chromium\Application\chrome.exe`,
];

/** The operating system as far as looking for programs needs it. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a file of this absolute path may be run. */
  readonly isProgram: (file: string) => boolean;
  /** Whether it starts a snap, which may write in its own folder of the home alone. */
  readonly isSnap: (file: string) => boolean;
}

/** Ubuntu's `chromium-browser` is a script of a few lines that starts the snap. */
const MAX_SCRIPT_LENGTH = 10_000;

/** This machine. */
export const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  isProgram(file) {
    try {
      accessSync(file, constants.X_OK);
      // Whoever may look into a folder has the same right to it.
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
      // A program may be run by those who must not read it.
      return false;
    }
  },
};

/** The absolute path of an installed Chrome, Edge or Chromium, or `undefined`. A snap comes last. */
export function findBrowser(machine: Machine = thisMachine): string | undefined {
  const found = candidates(machine).filter(machine.isProgram);
  return found.find((file) => !machine.isSnap(file)) ?? found[0];
}

/**
 * Where the profiles of this browser may lie: beside the data, but for a snap, which may write no
 * hidden folder of the home (snapd, "The home interface").
 */
export function profilesFolder(
  browser: string,
  dataFolder: string,
  machine: Machine = thisMachine,
): string {
  const home = machine.env['HOME'];
  if (home === undefined || !machine.isSnap(browser)) return path.join(dataFolder, 'chromium');
  const snap = path.basename(browser).replace(/-browser(?:-stable)?$/, '');
  return path.join(home, 'snap', snap, 'common', 'signing-desk');
}

/** The absolute path of a program on the `PATH`, or `undefined`. */
export function findProgram(name: string, machine: Machine = thisMachine): string | undefined {
  return onPath([name], machine).find(machine.isProgram);
}

function candidates(machine: Machine): string[] {
  const { env } = machine;
  if (machine.platform === 'darwin') {
    const folders = ['/Applications', ...(env['HOME'] ? [`${env['HOME']}/Applications`] : [])];
    return folders.flatMap((folder) =>
      MAC_APPS.map((name) => `${folder}/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (machine.platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    return folders
      .filter((folder) => folder !== undefined)
      .flatMap((folder) => WINDOWS_FILES.map((file) => path.win32.join(folder, file)));
  }
  return onPath(LINUX_NAMES, machine);
}

function onPath(names: readonly string[], { env, platform }: Machine): string[] {
  const searched = env['PATH'] ?? (platform === 'linux' ? USUAL_PATH : '');
  const folders = searched.split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}
