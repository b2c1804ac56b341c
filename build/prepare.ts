import { existsSync, readFileSync } from 'node:fs';
import { findOffice } from '../electron/adapters/documents/office/find.ts';
import { findBrowser, findProgram } from '../electron/hosts/chromium/find-browser.ts';
import { findPostgres } from './find-postgres.ts';
import { run } from './run.ts';

interface Need {
  readonly packages: readonly string[];
  readonly isThere: () => boolean;
  /** What cannot be done without it. */
  readonly for: string;
  /** Without it the desk's window or its tests cannot run at all. */
  readonly isEssential: boolean;
  /** A server that the demo has no use for. */
  readonly isForTestsAlone?: true;
}

const needs: readonly Need[] = [
  {
    packages: [isUbuntu() ? 'chromium-browser' : 'chromium'],
    isThere: () => findBrowser() !== undefined,
    for: 'the Chromium window',
    isEssential: true,
  },
  {
    packages: ['dbus'],
    isThere: () => findProgram('dbus-run-session') !== undefined,
    for: 'the keychain tests',
    isEssential: true,
  },
  {
    packages: ['gnome-keyring'],
    isThere: () => findProgram('gnome-keyring-daemon') !== undefined,
    for: 'the keychain',
    isEssential: true,
  },
  {
    packages: ['qpdf'],
    isThere: () => findProgram('qpdf') !== undefined,
    for: 'checking PDFs with a second program',
    isEssential: false,
  },
  {
    packages: ['age'],
    isThere: () => findProgram('age') !== undefined,
    for: 'opening backups without this program',
    isEssential: false,
  },
  {
    packages: ['poppler-utils'],
    isThere: () => ['pdftotext', 'pdftoppm'].every((name) => findProgram(name) !== undefined),
    for: 'reading merged PDFs with a second program',
    isEssential: false,
  },
  {
    packages: ['mupdf-tools'],
    isThere: () => findProgram('mutool') !== undefined,
    for: 'drawing merged PDFs with a third program',
    isEssential: false,
  },
  {
    // As large as the browser, but nothing else says what an office program makes of a report.
    packages: ['libreoffice-calc-nogui', 'libreoffice-writer-nogui'],
    isThere: () => findProgram('soffice') !== undefined && findOffice() !== null,
    for: 'opening reports as an office does, and making PDFs of Word files',
    isEssential: false,
  },
  {
    packages: ['postgresql'],
    isThere: () => findPostgres() !== null,
    for: 'the database of an office',
    isEssential: false,
    isForTestsAlone: true,
  },
  {
    packages: ['squashfs-tools', 'desktop-file-utils', 'appstream'],
    isThere: () =>
      ['mksquashfs', 'desktop-file-validate', 'appstreamcli'].every(
        (name) => findProgram(name) !== undefined,
      ),
    for: 'packages that are built and read back',
    isEssential: false,
  },
  {
    packages: ['xvfb', 'xfwm4', 'x11-utils', 'imagemagick'],
    isThere: () =>
      ['Xvfb', 'xfwm4', 'xprop', 'import'].every((name) => findProgram(name) !== undefined),
    for: 'a window on a screen',
    isEssential: false,
  },
  {
    packages: [
      ...['fonts-noto-core', 'fonts-noto-color-emoji', 'fonts-liberation'],
      'fonts-wqy-microhei',
    ],
    isThere: () =>
      ['noto', 'liberation', 'wqy'].every((name) =>
        existsSync(`/usr/share/fonts/truetype/${name}`),
      ),
    for: 'names in every script',
    isEssential: false,
  },
];

/** Said by `npm run demo`. */
const isForDemo = process.argv.includes('--demo');
process.exitCode = (await prepareMachine()) ? 0 : 1;

/** Gives whether the Chromium host and the tests can run here. */
async function prepareMachine(): Promise<boolean> {
  if (process.platform !== 'linux') return describeBrowser();
  const wanted = needs.filter((need) => !(isForDemo && need.isForTestsAlone === true));
  const missing = wanted.filter((need) => !need.isThere());
  if (missing.length === 0) return true;
  console.log(
    `missing: ${missing.map((need) => `${need.packages.join(', ')} (${need.for})`).join('; ')}`,
  );
  if (process.getuid?.() === 0 && findProgram('apt-get') !== undefined) await install(missing);
  const still = wanted.filter((need) => !need.isThere());
  if (still.length === 0) return true;
  console.log('install them with this command, then run this again:');
  console.log(`  sudo apt-get install ${packagesOf(still).join(' ')}`);
  return !still.some((need) => need.isEssential);
}

async function install(missing: readonly Need[]): Promise<void> {
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  const packages = ['--yes', '--no-install-recommends', ...packagesOf(missing)];
  for (const args of [['update'], ['install', ...packages]]) {
    const { code, output } = await run('apt-get', args, { env });
    if (code !== 0) console.log(output);
  }
}

/** Ubuntu names the browser otherwise than Debian. */
function isUbuntu(): boolean {
  const release = '/etc/os-release';
  return existsSync(release) && /^ID="?ubuntu"?$/m.test(readFileSync(release, 'utf8'));
}

function packagesOf(list: readonly Need[]): string[] {
  return list.flatMap((need) => need.packages);
}

function describeBrowser(): boolean {
  const browser = findBrowser();
  console.log(
    browser === undefined
      ? 'no Chrome, Edge or Chromium found; install one of them, then run this again'
      : `browser: ${browser}`,
  );
  return browser !== undefined;
}
