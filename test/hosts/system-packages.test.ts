import { expect, it } from 'vitest';
import {
  BROWSER_PACKAGES,
  installInstruction,
  installCommand,
  type PackageNames,
  detectPackageManager,
} from '../../electron/hosts/system-packages.ts';

const QPDF: PackageNames = {
  apt: 'qpdf',
  dnf: 'qpdf',
  pacman: 'qpdf',
  brew: 'qpdf',
  winget: null,
};
const linux = (release: string) => ({ platform: 'linux', release }) as const;

it.each([
  ['Debian', 'PRETTY_NAME="Debian 12"\nID=debian\n', 'sudo apt-get install chromium'],
  ['Ubuntu', 'ID=ubuntu\nID_LIKE=debian\n', 'sudo apt-get install chromium-browser'],
  [
    'Linux Mint',
    'ID=linuxmint\nID_LIKE="ubuntu debian"\n',
    'sudo apt-get install chromium-browser',
  ],
  ['Fedora', 'ID=fedora\n', 'sudo dnf install chromium'],
  ['Rocky Linux', 'ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'sudo dnf install chromium'],
  ['Arch', 'ID=arch\n', 'sudo pacman -S chromium'],
])('the advice names the command that installs a browser on %s', (_, release, command) => {
  expect(installInstruction(BROWSER_PACKAGES, linux(release))).toBe(`Install it: ${command}`);
});

it('the advice names the command that installs a browser on macOS and on Windows', () => {
  const on = (platform: NodeJS.Platform) =>
    installInstruction(BROWSER_PACKAGES, { platform, release: '' });
  expect(on('darwin')).toBe('Install it: brew install google-chrome');
  expect(on('win32')).toBe('Install it: winget install Google.Chrome');
});

it('the advice names Debian’s package if the system is unknown, or has none', () => {
  expect(installInstruction(BROWSER_PACKAGES, linux('ID=nixos\n'))).toBe(
    'Install it (Debian calls it chromium).',
  );
  expect(installInstruction(QPDF, { platform: 'win32', release: '' })).toBe(
    'Install it (Debian calls it qpdf).',
  );
});

it('the advice names each package once, in one command', () => {
  const way = detectPackageManager(linux('ID=fedora\n'));
  expect(way === null ? '' : installCommand([BROWSER_PACKAGES, QPDF, QPDF], way)).toBe(
    'sudo dnf install chromium qpdf',
  );
});
