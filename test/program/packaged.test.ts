// tier: all
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  glob,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { extractFile, getRawHeader, listPackage, statFile } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { fuses } from '../../build/package/fuses.ts';
import { flatpakCommands } from '../../build/package/manifests/flatpak.ts';
import {
  commandSwitches,
  NO_SANDBOX_SWITCH,
  HEADLESS_SWITCHES,
} from '../../electron/hosts/window-start.ts';
import { sourceDate } from '../../build/package/source-date.ts';
import { missingPackages } from '../../build/package/stand-in/stand-in.ts';
import { findProgram } from '../../electron/hosts/find-browser.ts';
import { languages } from '../../shared/model/languages.ts';
import { cron, systemd } from '../support/read-recipes.ts';
import { makePackages, type Packages } from './packages.ts';
import {
  type Machine,
  makeMachine,
  openWindow,
  runProgram,
  tryAndSeeAgreements,
} from './run-packaged.ts';

const Item = z.object({ role: z.string().optional(), label: z.string().optional() });
const Items = z.array(Item.extend({ submenu: z.array(Item).optional() }));

/** Switches that the launcher adds to a command called by the program's own name. */
const SWITCHES = commandSwitches('linux', process.getuid?.());
const appstreamcli = findProgram('appstreamcli');
const missing = [...missingPackages(), ...(appstreamcli === undefined ? ['appstream'] : [])];
if (missing.length > 0) {
  process.stderr.write(
    `\n*** SKIPPED: packages are not made without ${missing.join(', ')} ***\n\n`,
  );
}

/** Validates a desktop file with Debian's own program; returns its output. */
function validated(file: string): string {
  return execFileSync('desktop-file-validate', [file], { encoding: 'utf8' });
}

const textOf = (...parts: readonly string[]): Promise<string> =>
  readFile(path.join(...parts), 'utf8');

async function filesOf(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of glob('**/*', { cwd: folder, withFileTypes: true })) {
    if (entry.isDirectory()) continue;
    found.push(path.relative(folder, path.join(entry.parentPath, entry.name)));
  }
  return found.toSorted();
}

describe.skipIf(missing.length > 0)('the packaged program', () => {
  let folder: string;
  let packages: Packages;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'desk-packaged-'));
    // The date is fixed, because another commit may be made during the test.
    vi.stubEnv('SOURCE_DATE_EPOCH', (await sourceDate()).SOURCE_DATE_EPOCH);
    packages = await makePackages(folder);
  });

  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(folder, { recursive: true, force: true });
  });

  const archive = (): string => path.join(packages.opt, 'resources/app.asar');
  const windowsArchive = (): string => path.join(packages.windows, 'resources/app.asar');
  const desktopFile = (): string =>
    path.join(packages.root, 'usr/share/applications/signing-desk.desktop');
  const control = (field: string): string =>
    execFileSync('dpkg-deb', ['--field', packages.deb, field], { encoding: 'utf8' }).trim();

  describe.each(['Linux', 'Windows'])('for %s', (system) => {
    const here = (): string => (system === 'Linux' ? archive() : windowsArchive());
    const installed = (): string => path.dirname(path.dirname(here()));
    const program = (): string =>
      system === 'Linux' ? packages.program : path.join(packages.windows, 'Signing Desk.exe');

    it('contains the staged files, byte for byte, and no source map', async () => {
      const packed = listPackage(here(), { isPack: false })
        .map((name) => name.slice(1))
        .filter((name) => !('files' in statFile(here(), name)))
        .toSorted();
      // The types and readmes of packages are for developers, and are not shipped.
      const staged = (await filesOf(packages.app)).filter((name) => !/\.d\.ts$|\.md$/i.test(name));
      const own = staged.filter((name) => !name.startsWith('node_modules/'));
      expect(packed.filter((name) => !name.startsWith('node_modules/'))).toEqual(
        expect.arrayContaining(own),
      );
      expect(staged.filter((name) => !packed.includes(name))).toEqual([]);
      expect(packed.filter((name) => name.endsWith('.map'))).toEqual([]);
      const main = 'dist/electron/electron-main.mjs';
      expect(extractFile(here(), main).toString()).toBe(await textOf(packages.app, main));
    });

    it('has its native modules outside the archive, where the system can load them', async () => {
      const compiled = (await filesOf(packages.app)).filter((name) => name.endsWith('.node'));
      expect(compiled).toHaveLength(2);
      for (const name of compiled) {
        expect(statFile(here(), name)).toMatchObject({ unpacked: true });
        expect(existsSync(path.join(`${here()}.unpacked`, name))).toBe(true);
      }
    });

    it('has all nine fuses as the threat model requires, read from the binary (SEC-L12)', async () => {
      const wire = await getCurrentFuseWire(program());
      const read = Object.keys(FuseV1Options)
        .filter((name) => /^\d+$/.test(name))
        .map((at) => [FuseV1Options[Number(at)], Reflect.get(wire, at)]);
      const wanted = Object.entries(fuses).map(([at, isOn]) => [
        FuseV1Options[Number(at)],
        isOn ? FuseState.ENABLE : FuseState.DISABLE,
      ]);
      expect(read).toHaveLength(9);
      expect(Object.fromEntries(read)).toEqual(Object.fromEntries(wanted));
    });

    it('contains the licence notices of its parts, and of Electron (PK-05)', async () => {
      for (const part of ['electron', 'renderer']) {
        const notices = extractFile(here(), `dist/${part}/licences.md`).toString();
        expect(notices).toMatch(/^## \S+ - /m);
        expect(notices).toContain('Permission is hereby granted');
      }
      expect(extractFile(here(), 'LICENSE').toString()).toContain('MIT License');
      expect(await textOf(installed(), 'LICENSE.electron.txt')).toContain('Permission');
      expect(await readdir(installed())).toContain('LICENSES.chromium.html');
    });

    it('contains the browser’s texts only in the languages of the window', async () => {
      const locales = await readdir(path.join(installed(), 'locales'));
      const named = locales.map((file) => path.parse(file).name.split('-')[0]);
      expect([...new Set(named)].toSorted()).toEqual(languages.toSorted());
    });
  });

  it('accepts on Windows only its own program archive', async () => {
    const hash = createHash('sha256').update(getRawHeader(windowsArchive()).headerString);
    const program = await readFile(path.join(packages.windows, 'Signing Desk.exe'));
    expect(program.includes(Buffer.from('ELECTRONASAR', 'utf16le'))).toBe(true);
    expect(program.includes(hash.digest('hex'))).toBe(true);
  });

  describe('as a .deb', () => {
    it('names its maintainer and homepage, once in each field (PK-02)', () => {
      expect(control('Maintainer')).toMatch(/^[^<>]+ <[^<>@]+@[^<>@]+>$/);
      expect(control('Homepage')).toMatch(/^https:\/\//);
      expect(control('Section')).toBe('misc');
      const [synopsis, ...description] = control('Description').split('\n');
      expect(description).toHaveLength(1);
      expect(description[0]?.trim()).not.toBe(synopsis);
    });

    it('has, as a test build, a name that cannot be mistaken for the real product’s', () => {
      expect(control('Package')).toBe('signing-desk-stand-in');
      expect(path.basename(packages.deb)).toContain('STAND-IN');
      expect(control('Description')).toContain('STAND-IN');
    });

    it('depends on the packages that Chromium and the credential store need', () => {
      expect(control('Depends').split(', ')).toEqual(
        expect.arrayContaining(['libgtk-3-0', 'libnss3', 'xdg-utils', 'libsecret-1-0']),
      );
    });

    it('belongs to root, readable by all and writable only by root', async () => {
      const listed = execFileSync('dpkg-deb', ['--contents', packages.deb], { encoding: 'utf8' });
      const owners = listed.split('\n').flatMap((line) => /^\S+\s+(\S+)/.exec(line)?.[1] ?? []);
      expect([...new Set(owners)]).toEqual(['root/root']);
      for (const file of await filesOf(packages.root)) {
        const stats = await lstat(path.join(packages.root, file));
        expect([file, (stats.mode & 0o044).toString(8)]).toEqual([file, '44']);
        expect([file, stats.mode & 0o022]).toEqual([file, 0]);
      }
      for (const file of ['signing-desk', 'chrome-sandbox']) {
        expect((await lstat(path.join(packages.opt, file))).mode & 0o777).toBe(0o755);
      }
    });

    it('appears in menus, with an icon in every size', async () => {
      expect(validated(desktopFile())).toBe('');
      const entry = await textOf(desktopFile());
      expect(entry).toMatch(/^Exec="\/opt\/Signing Desk\/signing-desk" %U$/m);
      expect(entry).toMatch(/^StartupWMClass=signing-desk$/m);
      expect(entry).not.toContain('no-sandbox');
      const icons = await filesOf(path.join(packages.root, 'usr/share/icons/hicolor'));
      const sizes = [16, 24, 32, 48, 64, 128, 256, 512];
      expect(icons).toEqual(
        sizes.map((size) => `${size}x${size}/apps/signing-desk.png`).toSorted(),
      );
      for (const icon of icons) {
        const png = await readFile(path.join(packages.root, 'usr/share/icons/hicolor', icon));
        expect(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`).toBe(icon.split('/')[0]);
      }
    });

    it('is registered for links, drafts and PDFs by their types, and describes a draft file', async () => {
      const types = ['application/vnd.signingdesk.draft+json', 'x-scheme-handler/signingdesk'];
      const offered = ['application/pdf', ...types].join(';');
      expect(await textOf(desktopFile())).toContain(`MimeType=${offered};`);
      const known = await textOf(packages.root, 'usr/share/mime/packages/signing-desk.xml');
      expect(known).toContain(`type="${types[0]}"`);
      expect(known).toContain('pattern="*.signdraft"');
      const metainfo = await textOf(
        packages.root,
        'usr/share/metainfo/org.signingdesk.app.metainfo.xml',
      );
      expect(metainfo).toContain(`<mediatype>${types[0]}</mediatype>`);
    });

    it('can be started by its name after the install scripts have run', () => {
      const script = execFileSync('dpkg-deb', ['--info', packages.deb, 'postinst'], {
        encoding: 'utf8',
      });
      expect(script).toContain("'/opt/Signing Desk/command/signing-desk' '/usr/bin/signing-desk'");
      expect(script).not.toContain("'/opt/Signing Desk/signing-desk'");
      execFileSync('bash', ['-n'], { input: script });
      const removal = execFileSync('dpkg-deb', ['--info', packages.deb, 'postrm'], {
        encoding: 'utf8',
      });
      expect(removal).toContain("--remove 'signing-desk' '/opt/Signing Desk/command/signing-desk'");
    });

    it('can be started by its name after the commands of the Flatpak build have moved its files', async () => {
      const where = path.join(folder, 'flatpak');
      const app = path.join(where, 'app');
      const bin = path.join(where, 'bin');
      await mkdir(bin, { recursive: true });
      await mkdir(app);
      await writeFile(path.join(bin, 'zypak-wrapper'), '#!/bin/sh\necho wrapped\nexec "$@"\n', {
        mode: 0o755,
      });
      await symlink(packages.deb, path.join(where, 'program.deb'));
      for (const command of flatpakCommands('signing-desk', 'Signing Desk')) {
        execFileSync('sh', ['-e', '-c', command.replaceAll(/\/app(?=[ /]|$)/g, app)], {
          cwd: where,
        });
      }
      const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: where };
      const name = path.join(app, 'bin/signing-desk');
      const said = execFileSync(name, ['--version'], { encoding: 'utf8', env });
      expect(said).toMatch(/^wrapped\n\d+\.\d+\.\d+\n$/);
      const entry = path.join(app, 'share/applications/signing-desk.desktop');
      expect(validated(entry)).toBe('');
      expect(await textOf(entry)).toMatch(/^Exec=signing-desk %U$/m);
    });

    it('is listed in software centres', () => {
      const file = path.join(packages.root, 'usr/share/metainfo/org.signingdesk.app.metainfo.xml');
      const said = execFileSync(appstreamcli ?? '', ['validate', '--no-net', '--no-color', file], {
        encoding: 'utf8',
      });
      expect(said).toContain('successful');
    });

    it('contains a manual page with every command and option, and completions for three shells', async () => {
      const share = path.join(packages.root, 'usr/share');
      const man = gunzipSync(await readFile(path.join(share, 'man/man1/signing-desk.1.gz')));
      const plain = man.toString().replaceAll('\\-', '-');
      const fish = await textOf(share, 'fish/vendor_completions.d/signing-desk.fish');
      const options = [...fish.matchAll(/ -l ([\w-]+)$/gm)].map(([, name = '']) => name);
      expect(options.length).toBeGreaterThan(100);
      expect([...new Set(options)].filter((name) => !plain.includes(`--${name}`))).toEqual([]);
      for (const words of ['archive schedule install', 'outbox run', 'demo', 'completion zsh']) {
        expect(plain).toContain(`.SS "signing-desk ${words}`);
      }
      expect(plain).toMatch(/^\.SH "EXIT STATUS"\n0 done/m);
      // There are no blank lines, because the program that shows manuals would report them.
      expect(plain.trim().split('\n')).not.toContain('');
      const bash = path.join(share, 'bash-completion/completions/signing-desk');
      const asked = `source '${bash}'; COMP_WORDS=(signing-desk archive schedule ''); COMP_CWORD=3;
        _signing_desk; echo "\${COMPREPLY[*]}"`;
      const answered = execFileSync('bash', ['-c', asked], { encoding: 'utf8' });
      expect(answered).toContain('install');
      expect(await textOf(share, 'zsh/vendor-completions/_signing-desk')).toMatch(/^#compdef/);
      expect(await textOf(share, 'doc/signing-desk/copyright')).toMatch(/^License: MIT$/m);
    });
  });

  it('as an AppImage starts with its sandbox, from a valid desktop file (PK-06)', async () => {
    const file = path.join(packages.appDir, 'signing-desk.desktop');
    expect(validated(file)).toBe('');
    expect(await textOf(file)).toMatch(/^Exec=AppRun %U$/m);
    expect(await textOf(file)).not.toContain('no-sandbox');
    expect(await readdir(packages.appDir)).toEqual(
      expect.arrayContaining(['AppRun', 'LICENSE.electron.txt', 'LICENSES.chromium.html']),
    );
  });

  describe('run from its package', () => {
    let machine: Machine;
    /** Path of a file that represents the AppImage, and passes its path to the program. */
    let appImage: string;
    /** Path of the program in the search path once the .deb is installed. */
    let called: string;

    beforeAll(async () => {
      machine = await makeMachine(path.join(folder, 'machine'));
      appImage = path.join(machine.folder, 'Signing Desk.AppImage');
      called = path.join(packages.root, 'usr/bin/signing-desk');
      await mkdir(path.dirname(called), { recursive: true });
      await symlink(path.join(packages.opt, 'command/signing-desk'), called);
      const mounted = path.join(packages.appDir, 'AppRun');
      const script = `#!/bin/sh\nexport APPIMAGE='${appImage}'\nexec '${mounted}' "$@"\n`;
      await writeFile(appImage, script, { mode: 0o755 });
    });

    const programs = [
      ['a .deb', () => packages.program],
      ['an AppImage', () => appImage],
    ] as const;

    it('runs commands by its name in a terminal, without a display, and states how it is updated', async () => {
      const { exit, stdout, stderr } = await runProgram(called, ['updates', 'status'], machine.env);
      expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
      expect(stdout).toContain('The package manager of this system installs newer versions.');
      const other = await runProgram(appImage, [...SWITCHES, 'updates', 'status'], machine.env);
      expect(other.stdout).toContain('the window downloads and installs the newer version');
      expect((await runProgram(called, [], machine.env)).stdout).toContain('Usage: signing-desk');
    });

    it('completes the main task on the command line, and leaves no files behind', async () => {
      const { exit, stdout, stderr } = await runProgram(
        packages.program,
        [...SWITCHES, 'demo'],
        machine.env,
      );
      expect({ exit, stderr }).toMatchObject({ exit: 0 });
      expect(stdout).toMatch(/^v1 +\d+ +2 +1 +2 +16 /m);
      expect(stdout).toMatch(/^v2 +\d+ +2 +1 +2 +7 /m);
      const left = await readdir(machine.env['TMPDIR'] ?? '');
      expect(left.filter((name) => /^signing-desk-(?:stand-in|command)-/.test(name))).toEqual([]);
    });

    describe.each(programs)('from %s', (_, program) => {
      it.each([
        ['cron', 'signing-desk-archive.cron', cron],
        ['systemd', 'signing-desk-archive.service', systemd],
      ] as const)('writes a task that %s can run (PK-03)', async (scheduler, name, read) => {
        const to = await mkdtemp(path.join(machine.folder, 'recipe-'));
        const data = path.join(to, 'data of "Öberg"');
        const install = ['archive', 'schedule', 'install', '--for', scheduler, '--out', to];
        const call = [...SWITCHES, '--data', data, ...install];
        const written = await runProgram(program(), call, machine.env);
        expect(written).toMatchObject({ exit: 0, stderr: '' });
        const recipe = read(await textOf(to, name));
        // The recipe must contain a permanent path: the mount point of an AppImage no longer exists
        // after the run.
        expect(recipe.join(' ')).toContain(program());
        for (const one of SWITCHES) expect(recipe.join(' ')).toContain(one);
        const [called = '', ...args] = recipe;
        const { HOME = '', PATH = '', TMPDIR = '' } = machine.env;
        const env = { HOME, PATH, TMPDIR };
        const ended = await runProgram(called, args, env);
        expect(ended).toMatchObject({ exit: 0, stderr: '' });
        expect(ended.stdout.trim()).toBe(scheduler === 'cron' ? '' : 'Nothing is due.');
        expect(existsSync(path.join(data, 'desk.db'))).toBe(true);
      });
    });

    it('ends with Electron’s own message without a display, and as root in its sandbox (PK-14)', async () => {
      const headless = HEADLESS_SWITCHES.slice(0, 2);
      const blind = await runProgram(
        packages.program,
        [...headless, NO_SANDBOX_SWITCH, 'demo'],
        machine.env,
      );
      expect(blind.exit).toBe(1);
      expect(blind.stderr).toContain('Missing X server');
      if (process.getuid?.() !== 0) return;
      const root = await runProgram(packages.program, [...HEADLESS_SWITCHES, 'demo'], machine.env);
      expect(root.exit).toBe(133);
      expect(root.stderr).toContain('Running as root without --no-sandbox is not supported');
    });

    it('runs a command from an AppImage even if no sandbox is available (PK-10)', async () => {
      const bin = await mkdtemp(path.join(machine.folder, 'bin-'));
      await writeFile(path.join(bin, 'unshare'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const env = Object.assign({}, machine.env, {
        PATH: `${bin}:/usr/bin:/bin`,
        DISPLAY: ':0',
      });
      const ended = await runProgram(appImage, ['archive', 'list', '--help'], env);
      expect(ended).toMatchObject({ exit: 0, stderr: '' });
      expect(ended.stdout).toContain('Usage: signing-desk archive');
    });

    it('opens its window, tries the demo, shows agreements and a link; menu and zoom work (PK-07, TX-61)', async () => {
      const log = path.join(machine.folder, 'asked.jsonl');
      const lent = {
        STAND_IN_BROWSER: pathToFileURL(path.join(import.meta.dirname, 'stand-in-browser.ts')).href,
        STAND_IN_LOG: log,
        DISPLAY: ':0',
      };
      /** Returns the arguments of each call of `name` that the program made to Electron. */
      const asked = async (name: string): Promise<unknown[][]> =>
        z
          .array(z.tuple([z.string()], z.unknown()))
          .parse(
            (await textOf(log))
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line)),
          )
          .filter(([called]) => called === name)
          .map(([, ...args]) => args);
      const env = Object.assign(lent, machine.env);
      const open = ['signingdesk:draft?title=Hyra%20av%20lokal'];
      const window = await openWindow(called, { data: machine.data, env, open });
      const shown = window.page;
      await tryAndSeeAgreements(shown);
      // The link given at the program's start is shown once the page is ready for it.
      await shown.getByRole('alertdialog').getByText('Hyra av lokal').waitFor();
      await shown.keyboard.press('Escape');
      await shown.getByRole('alertdialog').waitFor({ state: 'detached' });
      await shown.keyboard.press('Control+f');
      await shown.keyboard.type('lease');
      await shown.locator(':focus').click({ button: 'right' });
      await expect.poll(async () => (await asked('popup')).length).toBe(1);
      const [[items]] = z.tuple([z.tuple([Items])]).parse(await asked('popup'));
      expect(items.flatMap(({ role = [] }) => role)).toEqual(['cut', 'copy', 'paste', 'selectAll']);
      const [menu = []] =
        z
          .array(z.tuple([Items]))
          .parse(await asked('setApplicationMenu'))
          .at(-1) ?? [];
      const submenus = menu.flatMap(({ submenu = [] }) => submenu);
      const roles = submenus.map(({ role }) => role);
      expect(roles).toEqual(expect.arrayContaining(['resetZoom', 'zoomIn', 'zoomOut']));
      const labels = submenus.map(({ label }) => label);
      expect(labels).toEqual(expect.arrayContaining(['New draft', 'Archive', 'Settings']));
      expect(await asked('setAppUserModelId')).toEqual([['org.signingdesk.app']]);
      expect(window.complaints).toEqual([]);
      expect(await window.end()).toEqual({ exit: 0, said: '' });
      expect(await asked('exit')).toEqual([[0]]);
    });
  });
});
