import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { findProgram } from '../../../electron/hosts/find-browser.ts';
import { place, tools } from '../../places.ts';
import { type Outcome, runNode } from '../../run.ts';
import { releaseDate, sourceDate } from '../source-date.ts';

/**
 * Programs that make and read the stand-in's packages, and the Debian packages that contain the
 * programs.
 */
const packageOfTool = {
  'dpkg-deb': 'dpkg',
  ar: 'binutils',
  mksquashfs: 'squashfs-tools',
  'desktop-file-validate': 'desktop-file-utils',
} as const;

const BUILDER_SETTINGS_FILE = 'build/package/electron-builder.yml';

/**
 * Warning in each text of the packages that a user may read: these packages do only what a test
 * needs.
 */
const SHORT_STAND_IN_WARNING = 'STAND-IN for tests, not Signing Desk';
const STAND_IN_WARNING =
  'Made without Electron, for tests only: commands run, and there is no window';

/**
 * Returns the Debian packages that making a stand-in requires and that are not installed; an empty
 * list if the stand-in can be made on this computer.
 */
export function missingPackages(): readonly string[] {
  return Object.entries(packageOfTool)
    .filter(([program]) => findProgram(program) === undefined)
    .map(([, name]) => name);
}

export interface StandIn {
  readonly app: string;
  readonly electron: string;
  readonly output: string;
  /** Kinds of packages, named as on electron-builder's command line. */
  readonly targets: readonly string[];
  readonly settings?: object;
}

/** Size in bytes of the runtime that mounts an AppImage; the content of the AppImage follows it. */
export const RUNTIME_SIZE = 4096;

/** Packages the staged program with the stand-in for Electron, without the network. */
export async function packageStandIn(standIn: StandIn): Promise<Outcome> {
  const { output, targets, settings = {} } = standIn;
  const work = path.join(output, '.tools');
  await mkdir(output, { recursive: true });
  const env = await makeTools(work);
  const config = path.join(work, 'settings.json');
  await writeFile(config, JSON.stringify(Object.assign(builderOptions(standIn), settings)));
  const date = await sourceDate();
  const args = [...targets, '--config', config, '--publish', 'never', releaseDate(date)];
  const outcome = await runNode(place(tools.electronBuilder), args, {
    env: Object.assign(env, date),
  });
  await rm(work, { recursive: true });
  return outcome;
}

/**
 * Returns our settings with other package names, which cannot be confused with those of the
 * product.
 */
function builderOptions({ app, electron, output }: StandIn): object {
  const name = (kind: string): string => `signing-desk-STAND-IN-\${version}-\${arch}.${kind}`;
  return {
    extends: place(BUILDER_SETTINGS_FILE),
    directories: { app, output, buildResources: 'build/icons' },
    electronDist: electron,
    extraMetadata: { description: STAND_IN_WARNING },
    // A fast compression, because the package is never downloaded.
    deb: {
      packageName: 'signing-desk-stand-in',
      synopsis: SHORT_STAND_IN_WARNING,
      artifactName: name('deb'),
      compression: 'gz',
    },
    appImage: { artifactName: name('AppImage'), compression: 'gzip' },
  };
}

/**
 * Creates in `folder` the tools that electron-builder would download; returns the variables that
 * point to them.
 */
async function makeTools(folder: string): Promise<Readonly<Record<string, string>>> {
  const runtimes = path.join(folder, 'appimage/runtimes');
  const fpm = path.join(folder, 'fpm');
  await rm(folder, { recursive: true, force: true });
  await mkdir(path.join(folder, `appimage/lib/${process.arch}`), { recursive: true });
  await mkdir(runtimes, { recursive: true });
  // The AppImage is never mounted: tests that unpack it skip the runtime.
  await writeFile(path.join(runtimes, `runtime-${process.arch}`), Buffer.alloc(RUNTIME_SIZE));
  for (const name of ['mksquashfs', 'desktop-file-validate'] as const) {
    await symlink(findProgram(name) ?? '', path.join(folder, 'appimage', name));
  }
  const program = place('build/package/stand-in/fpm.ts');
  await writeFile(fpm, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(fpm, 0o755);
  return { APPIMAGE_TOOLS_PATH: path.join(folder, 'appimage'), CUSTOM_FPM_PATH: fpm };
}
