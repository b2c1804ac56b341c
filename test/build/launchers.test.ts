import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandSwitches, readStart } from '../../electron/hosts/window-start.ts';
import { place } from '../../build/places.ts';

const COMMAND = 'build/package/command';
const SWITCHES = commandSwitches('linux', process.getuid?.());

let folder = '';

/** The launchers' folder is next to the program, as in an installation. */
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'desk installed '));
  cpSync(place(COMMAND), path.join(folder, 'command'), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

it.each(['signing-desk', 'signing-desk.cmd'])(
  '%s is shipped next to the window program (PK-03)',
  async (name) => {
    const settings = await readFile(place('build/package/electron-builder.yml'), 'utf8');
    expect(settings).toContain(`- from: ${COMMAND}/${name}\n      to: command/${name}\n`);
  },
);

describe.skipIf(process.platform === 'win32')('the command line of an installed program', () => {
  /** Runs the launcher of a program that prints its arguments and its input, and exits with 6. */
  const run = (args: readonly string[], display = '') => {
    const program = path.join(folder, 'signing-desk');
    writeFileSync(program, '#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\ncat\nexit 6\n');
    chmodSync(program, 0o755);
    // The launcher is called by a link, because a package puts a symbolic link into the path.
    const link = path.join(folder, 'link');
    rmSync(link, { force: true });
    symlinkSync(path.join(folder, 'command', 'signing-desk'), link);
    const env = { PATH: process.env['PATH'], DISPLAY: display };
    return spawnSync(link, args, { cwd: os.tmpdir(), env, input: 'piped\n', encoding: 'utf8' });
  };
  const written = (words: readonly string[]) =>
    `${words.map((word) => `[${word}]\n`).join('')}piped\n`;

  it('needs no display, and passes on arguments, pipes and the exit code (PK-03)', () => {
    const words = ['drafts', 'add', '--title', `two  words, "quoted" & $HOME's`];
    const { status, stdout } = run(words);
    expect({ status, stdout }).toEqual({
      status: 6,
      stdout: written([...SWITCHES, ...words]),
    });
  });

  it.each([
    [['--data', '/a b', 'doctor']],
    [['--data=/a', '--json', 'outbox', 'list']],
    [['--help']],
    [['--data', 'archive', '--version']],
    [['']],
  ])('runs %j as a command, like the program itself (PK-03)', (words) => {
    expect(readStart(words).kind).toBe('command');
    expect(run(words, ':0').stdout).toBe(written([...SWITCHES, ...words]));
  });

  it.each([
    [[]],
    [['--data', '/a b']],
    [['--lang', 'sv', '--data=/a']],
    [['--data', 'archive']],
    [['--data', '/a', 'SigningDesk:agreement/1']],
    [['my lease.SignDraft', 'other.signdraft', 'archive']],
    [['my lease.Pdf']],
  ])('opens the window for %j, like the program itself', (words) => {
    expect(readStart(words).kind).toBe('window');
    expect(run(words, ':0').stdout).toBe(written(words));
  });

  it('lists the possible commands if there is no display for a window (PK-03)', () => {
    expect(run([]).stdout).toBe(written([...SWITCHES, '--help']));
  });

  it.each(['signingdesk:agreement/1', 'my lease.signdraft', 'lease.PDF'])(
    'opens nothing without a display, and names the command to use: %s',
    (word) => {
      const { status, stdout, stderr } = run(['--lang', 'sv', word]);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(/^signing-desk: There is no screen here .*signing-desk open .*\n$/);
    },
  );
});

describe.runIf(process.platform === 'win32')('the command line of a program for Windows', () => {
  it('passes on arguments, output and the exit code (PK-03)', () => {
    // A copy of Node represents the program, because only Windows runs Windows programs.
    copyFileSync(process.execPath, path.join(folder, 'Signing Desk.exe'));
    const launcher = `"${path.join(folder, 'command', 'signing-desk.cmd')}"`;
    const script = '"console.log(6 * 7); process.exitCode = 6"';
    const { status, stdout } = spawnSync(launcher, ['-e', script], {
      shell: true,
      encoding: 'utf8',
    });
    expect({ status, stdout: stdout.trim() }).toEqual({ status: 6, stdout: '42' });
  });
});

describe('the text of the launcher for Windows', () => {
  const read = async () => {
    const text = await readFile(place(COMMAND, 'signing-desk.cmd'), 'utf8');
    const lines = text.trimEnd().split('\r\n');
    return { text, commands: lines.filter((line) => !/^rem /i.test(line)) };
  };

  it('has the line endings that cmd.exe needs', async () => {
    const { text } = await read();
    expect(text.replaceAll('\r\n', '')).not.toContain('\n');
    expect(text.endsWith('\r\n')).toBe(true);
  });

  it('calls the program in quotes, also from a folder with spaces and parentheses', async () => {
    const { commands } = await read();
    const [call] = commands.filter((line) => line.includes('%~dp0'));
    const installed = 'C:\\Program Files (x86)\\Signing Desk\\command\\';
    expect(call?.replace('%~dp0', () => installed)).toBe(`"${installed}..\\Signing Desk.exe" %*`);
  });

  it('passes on every argument unchanged, outside of blocks, and the exit code last', async () => {
    const { commands } = await read();
    expect(commands.filter((line) => line.includes('%*'))).toHaveLength(1);
    // The launcher has no blocks, because a ")" in an argument would end a block. Delayed expansion
    // is off, because with it a "!" is lost.
    expect(commands.filter((line) => /^\s*(?:if|for|\(|\))/i.test(line))).toEqual([]);
    expect(commands).toContain('setlocal DisableDelayedExpansion');
    expect(commands.at(-1)).toBe('exit /b %ERRORLEVEL%');
  });
});
