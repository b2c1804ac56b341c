import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { writeExtras } from '../../build/package/extras.ts';
import { stage } from '../../build/package/stage.ts';
import { makeElectron, makeElectronForWindows } from '../../build/package/stand-in/folder.ts';
import { packageStandIn, RUNTIME_SIZE } from '../../build/package/stand-in/stand-in.ts';
import { place } from '../../build/places.ts';

/**
 * Path of a Windows program whose resources can be edited; a package of electron-builder contains
 * it.
 */
const SOME_EXE = place('node_modules/electron-winstaller/vendor/Setup.exe');

export interface Packages {
  /** Folder of the staged files, from which the packages are built. */
  readonly app: string;
  readonly deb: string;
  /** Root folder of the unpacked .deb. */
  readonly root: string;
  /** Folder into which the .deb installs the program. */
  readonly opt: string;
  readonly program: string;
  /** Folder of the unpacked AppImage. */
  readonly appDir: string;
  readonly windows: string;
}

/** Builds the packages that do not need Electron's program, and unpacks them in `folder`. */
export async function makePackages(folder: string): Promise<Packages> {
  const app = path.join(folder, 'app');
  const output = path.join(folder, 'linux');
  await stage(app);
  await writeExtras(place('out/extras'));
  await makeForLinux(folder, app);
  const files = await readdir(output);
  const file = (ending: string): string =>
    path.join(output, files.find((name) => name.endsWith(ending)) ?? `no ${ending}`);
  const root = path.join(folder, 'root');
  const appDir = path.join(folder, 'app-dir');
  execFileSync('dpkg-deb', ['--extract', file('.deb'), root]);
  const begin = String(RUNTIME_SIZE);
  execFileSync('unsquashfs', ['-o', begin, '-d', appDir, file('.AppImage')], { stdio: 'pipe' });
  const opt = path.join(root, 'opt/Signing Desk');
  return {
    app,
    deb: file('.deb'),
    root,
    opt,
    program: path.join(opt, 'signing-desk'),
    appDir,
    windows: await makeForWindows(folder, app),
  };
}

/** Builds the packages for Linux from the staged `app`, in the subfolder `linux` of `folder`. */
export async function makeForLinux(folder: string, app: string): Promise<void> {
  const electron = path.join(folder, 'electron');
  await makeElectron(electron);
  const output = path.join(folder, 'linux');
  await made({ app, electron, output, targets: ['--linux', 'deb', 'AppImage'] });
}

async function makeForWindows(folder: string, app: string): Promise<string> {
  const electron = path.join(folder, 'electron-win');
  const output = path.join(folder, 'windows');
  await makeElectronForWindows(electron, SOME_EXE);
  await made({ app, electron, output, targets: ['--win', 'dir', '--x64'] });
  return path.join(output, 'win-unpacked');
}

async function made(standIn: Parameters<typeof packageStandIn>[0]): Promise<void> {
  const { code, output } = await packageStandIn(standIn);
  if (code !== 0) throw new Error(`electron-builder ended with ${code}:\n${output}`);
}
