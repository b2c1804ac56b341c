import { accessSync, constants } from 'node:fs';
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
}

/** This machine. */
export const thisMachine: Machine = {
  platform: process.platform,
  env: process.env,
  isProgram(file) {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  },
};

/** The absolute path of an installed Chrome, Edge or Chromium, or `undefined`. */
export function findBrowser(machine: Machine = thisMachine): string | undefined {
  return candidates(machine).find(machine.isProgram);
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

function onPath(names: readonly string[], { env }: Machine): string[] {
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => path.join(folder, name)));
}
