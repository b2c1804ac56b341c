import { existsSync, readdirSync } from 'node:fs';
import { findOffice } from '../electron/adapters/documents/office/find.ts';
import { findBrowser, findProgram } from '../electron/hosts/find-browser.ts';
import {
  BROWSER_PACKAGES,
  installCommand,
  packageNames,
  detectPackageManager,
  type PackageNames,
  thisPackageSystem,
} from '../electron/hosts/system-packages.ts';
import { findPostgres } from './find-postgres.ts';
import { run } from './run.ts';

interface MachineNeed {
  readonly packages: PackageNames;
  readonly isThere: () => boolean;
  /** Work that is not possible without the package. */
  readonly for: string;
  /** Whether no test can run without the package. */
  readonly isEssential: boolean;
}

/** Folder of all fonts. Its subfolders differ between systems, but have similar names. */
const FONTS_FOLDER = '/usr/share/fonts';

const machineNeeds: readonly MachineNeed[] = [
  {
    packages: BROWSER_PACKAGES,
    isThere: () => findBrowser() !== undefined,
    for: 'the Chromium window',
    isEssential: true,
  },
  {
    packages: linuxPackages({ apt: 'dbus', dnf: 'dbus-daemon', pacman: 'dbus' }),
    isThere: () => findProgram('dbus-run-session') !== undefined,
    for: 'the keychain tests',
    isEssential: true,
  },
  {
    packages: linuxPackages({
      apt: 'gnome-keyring',
      dnf: 'gnome-keyring',
      pacman: 'gnome-keyring',
    }),
    isThere: () => findProgram('gnome-keyring-daemon') !== undefined,
    for: 'the keychain',
    isEssential: true,
  },
  {
    packages: { ...linuxPackages({ apt: 'qpdf', dnf: 'qpdf', pacman: 'qpdf' }), brew: 'qpdf' },
    isThere: () => findProgram('qpdf') !== undefined,
    for: 'checking PDFs with a second program',
    isEssential: false,
  },
  {
    packages: { ...linuxPackages({ apt: 'age', dnf: 'age', pacman: 'age' }), brew: 'age' },
    isThere: () => findProgram('age') !== undefined,
    for: 'opening backups without this program',
    isEssential: false,
  },
  {
    packages: {
      ...linuxPackages({ apt: 'poppler-utils', dnf: 'poppler-utils', pacman: 'poppler' }),
      brew: 'poppler',
    },
    isThere: () => ['pdftotext', 'pdftoppm'].every((name) => findProgram(name) !== undefined),
    for: 'reading merged PDFs with a second program',
    isEssential: false,
  },
  {
    packages: {
      ...linuxPackages({ apt: 'mupdf-tools', dnf: 'mupdf', pacman: 'mupdf-tools' }),
      brew: 'mupdf-tools',
    },
    isThere: () => findProgram('mutool') !== undefined,
    for: 'drawing merged PDFs with a third program',
    isEssential: false,
  },
  {
    // LibreOffice is as large as the browser, but only it shows how an office program reads a
    // report.
    packages: linuxPackages({
      apt: 'libreoffice-calc-nogui libreoffice-writer-nogui',
      dnf: 'libreoffice-calc libreoffice-writer',
      pacman: 'libreoffice-still',
    }),
    isThere: () => findProgram('soffice') !== undefined && findOffice() !== null,
    for: 'opening reports as an office does, and making PDFs of Word files',
    isEssential: false,
  },
  {
    packages: linuxPackages({ apt: 'postgresql', dnf: 'postgresql-server', pacman: 'postgresql' }),
    isThere: () => findPostgres() !== null,
    for: 'the database of an office',
    isEssential: false,
  },
  {
    packages: linuxPackages({
      apt: 'binutils squashfs-tools desktop-file-utils appstream',
      dnf: 'binutils squashfs-tools desktop-file-utils appstream',
      pacman: 'binutils squashfs-tools desktop-file-utils appstream',
    }),
    isThere: () =>
      ['ar', 'mksquashfs', 'desktop-file-validate', 'appstreamcli'].every(
        (name) => findProgram(name) !== undefined,
      ),
    for: 'packages that are built and read back',
    isEssential: false,
  },
  {
    packages: linuxPackages({
      apt: 'xvfb xfwm4 x11-utils imagemagick',
      dnf: 'xorg-x11-server-Xvfb xfwm4 xprop ImageMagick',
      pacman: 'xorg-server-xvfb xfwm4 xorg-xprop imagemagick',
    }),
    isThere: () =>
      ['Xvfb', 'xfwm4', 'xprop', 'import'].every((name) => findProgram(name) !== undefined),
    for: 'a window on a screen',
    isEssential: false,
  },
  {
    packages: linuxPackages({
      apt: 'fonts-noto-core fonts-noto-color-emoji fonts-liberation fonts-wqy-microhei',
      dnf: 'google-noto-sans-fonts google-noto-color-emoji-fonts liberation-fonts wqy-microhei-fonts',
      pacman: 'noto-fonts noto-fonts-emoji ttf-liberation wqy-microhei',
    }),
    isThere: () => {
      const folders = fontFolders();
      return ['noto', 'liberation', 'wqy'].every((name) =>
        folders.some((folder) => folder.includes(name)),
      );
    },
    for: 'names in every script',
    isEssential: false,
  },
];

process.exitCode = (await prepareMachine()) ? 0 : 1;

/** Prepares this computer for the tests; returns whether they can run. */
async function prepareMachine(): Promise<boolean> {
  const system = thisPackageSystem();
  const way = detectPackageManager(system);
  const missing = machineNeeds.filter((need) => isNeededWith(need, way) && !need.isThere());
  if (missing.length === 0) return true;
  console.log(`missing: ${missing.map(describeNeed).join('; ')}`);
  if (process.getuid?.() === 0 && findProgram('apt-get') !== undefined)
    await installPackages(missing);
  const still = missing.filter((need) => !need.isThere());
  if (still.length === 0) return true;
  const packages = still.map((need) => need.packages);
  if (way === null) console.log('install them, then run this again');
  else {
    console.log('install them with this command, then run this again:');
    console.log(`  ${installCommand(packages, way)}`);
  }
  return !still.some((need) => need.isEssential);
}

/**
 * Whether the tests on this system need the package. If the package has no name on this system, the
 * tests on it do not need it. If the kind of system is unknown, every package is needed.
 */
function isNeededWith(
  { packages }: MachineNeed,
  way: ReturnType<typeof detectPackageManager>,
): boolean {
  return way === null || packageNames([packages], way).length > 0;
}

/** Describes a need with its package name on Debian, the system on which the tests were written. */
function describeNeed(need: MachineNeed): string {
  return `${need.packages.apt} (${need.for})`;
}

async function installPackages(missing: readonly MachineNeed[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const way = detectPackageManager(thisPackageSystem()) === 'ubuntu' ? 'ubuntu' : 'apt';
  const names = packageNames(
    missing.map((need) => need.packages),
    way,
  );
  const packages = ['--yes', '--no-install-recommends', ...names];
  for (const args of [['update'], ['install', ...packages]]) {
    const { code, output } = await run('apt-get', args, { env });
    if (code !== 0) console.log(output);
  }
}

function linuxPackages(names: Pick<PackageNames, 'apt' | 'dnf' | 'pacman'>): PackageNames {
  return { ...names, brew: null, winget: null };
}

function fontFolders(): readonly string[] {
  if (!existsSync(FONTS_FOLDER)) return [];
  return readdirSync(FONTS_FOLDER, { recursive: true, encoding: 'utf8' }).map((one) =>
    one.toLowerCase(),
  );
}
