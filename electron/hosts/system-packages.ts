import { existsSync, readFileSync } from 'node:fs';

/**
 * Names of a program's packages for each package manager; null if the program has no package for
 * it.
 */
export interface PackageNames {
  readonly apt: string;
  /** Name on Ubuntu, if it differs from Debian's. */
  readonly ubuntu?: string;
  readonly dnf: string;
  readonly pacman: string;
  readonly brew: string | null;
  readonly winget: string | null;
}

const INSTALL_COMMANDS = {
  apt: 'sudo apt-get install',
  ubuntu: 'sudo apt-get install',
  dnf: 'sudo dnf install',
  pacman: 'sudo pacman -S',
  brew: 'brew install',
  winget: 'winget install',
} as const;

/** @internal */
export type PackageManager = keyof typeof INSTALL_COMMANDS;

/** Operating system, as far as its packages depend on it. */
export interface PackageSystem {
  readonly platform: NodeJS.Platform;
  /** Text of `/etc/os-release`; empty if there is none. */
  readonly release: string;
}

const OS_RELEASE_FILE = '/etc/os-release';
/**
 * Package managers by the IDs of systems, and of the systems that they resemble (os-release(5)).
 */
const PACKAGE_MANAGERS_BY_SYSTEM: readonly (readonly [id: string, way: PackageManager])[] = [
  ['ubuntu', 'ubuntu'],
  ['debian', 'apt'],
  ['fedora', 'dnf'],
  ['rhel', 'dnf'],
  ['arch', 'pacman'],
];

/** @internal */
export const thisPackageSystem = (): PackageSystem => ({
  platform: process.platform,
  release: existsSync(OS_RELEASE_FILE) ? readFileSync(OS_RELEASE_FILE, 'utf8') : '',
});

/**
 * Returns the package manager; null on a system whose package names this program does not know.
 * @internal
 */
export function detectPackageManager({ platform, release }: PackageSystem): PackageManager | null {
  if (platform === 'darwin') return 'brew';
  if (platform === 'win32') return 'winget';
  const ids = ['ID', 'ID_LIKE'].flatMap((name) => {
    const [, value = ''] = new RegExp(`^${name}=(.*)$`, 'm').exec(release) ?? [];
    return value.replaceAll(/["']/g, '').split(' ');
  });
  for (const id of ids) {
    const way = PACKAGE_MANAGERS_BY_SYSTEM.find(([name]) => name === id)?.[1];
    if (way !== undefined) return way;
  }
  return null;
}

/**
 * Returns the package names for this package manager, each once.
 * @internal
 */
export function packageNames(all: readonly PackageNames[], way: PackageManager): string[] {
  const names = all.flatMap((one) => {
    const name = way === 'ubuntu' ? (one.ubuntu ?? one.apt) : one[way];
    return name === null ? [] : name.split(' ');
  });
  return [...new Set(names)];
}

/** Returns a sentence with this system's command that installs the packages. */
export function installInstruction(
  wanted: PackageNames,
  system: PackageSystem = thisPackageSystem(),
): string {
  const way = detectPackageManager(system);
  const names = way === null ? [] : packageNames([wanted], way);
  return way === null || names.length === 0
    ? `Install it (Debian calls it ${wanted.apt}).`
    : `Install it: ${INSTALL_COMMANDS[way]} ${names.join(' ')}`;
}

/**
 * Returns the command of this package manager that installs all of the packages.
 * @internal
 */
export const installCommand = (all: readonly PackageNames[], way: PackageManager): string =>
  `${INSTALL_COMMANDS[way]} ${packageNames(all, way).join(' ')}`;

/** Packages of a browser, for the window without Electron. */
export const BROWSER_PACKAGES: PackageNames = {
  apt: 'chromium',
  ubuntu: 'chromium-browser',
  dnf: 'chromium',
  pacman: 'chromium',
  brew: 'google-chrome',
  winget: 'Google.Chrome',
};

/** Returns the reason why there is no window without Electron, and what to do. */
export const noBrowserMessage = (): string =>
  `No Chrome, Edge or Chromium was found here. ${installInstruction(BROWSER_PACKAGES)}`;
