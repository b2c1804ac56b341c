import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/** Operating system, as far as the search for LibreOffice needs it. */
export interface OfficeMachine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isProgram: (file: string) => boolean;
  /**
   * Whether this LibreOffice opens text documents: on some systems each kind is a separate package.
   */
  readonly hasWriter: (file: string) => boolean;
  /** Names in a folder; empty if the folder does not exist. */
  readonly namesIn: (folder: string) => readonly string[];
}

const thisMachine: OfficeMachine = {
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
  hasWriter(file) {
    const folder = path.dirname(realpathSync(file));
    const [sheets, texts] = ['libsclo.so', 'libswlo.so'].map((name) =>
      existsSync(path.join(folder, name)),
    );
    return texts === true || sheets === false;
  },
  namesIn(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
};

/**
 * Returns the absolute path of the LibreOffice program, or null if it is not installed. The path is
 * never in the current working folder.
 */
export function findOffice(machine: OfficeMachine = thisMachine): string | null {
  return (
    officeCandidates(machine).find((file) => machine.isProgram(file) && machine.hasWriter(file)) ??
    null
  );
}

function officeCandidates({ platform, env, namesIn }: OfficeMachine): readonly string[] {
  if (platform === 'win32') {
    const folders = [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']];
    return folders.flatMap((folder = '') =>
      folder === '' ? [] : [path.win32.join(folder, 'LibreOffice', 'program', 'soffice.com')],
    );
  }
  if (platform === 'darwin') {
    const folders = ['/Applications', ...(env['HOME'] ? [`${env['HOME']}/Applications`] : [])];
    return folders.map((folder) => `${folder}/LibreOffice.app/Contents/MacOS/soffice`);
  }
  const onPath = (env['PATH'] ?? '')
    .split(':')
    .filter((folder) => path.posix.isAbsolute(folder))
    .map((folder) => path.posix.join(folder, 'soffice'));
  const packages = ['/usr/lib/libreoffice', '/usr/lib64/libreoffice'];
  // LibreOffice's own packages have a folder for each version, the newest last.
  const own = namesIn('/opt')
    .filter((name) => /^libreoffice[\d.]*$/u.test(name))
    .toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
    .map((name) => `/opt/${name}`);
  return [...onPath, ...[...packages, ...own].map((folder) => `${folder}/program/soffice`)];
}
