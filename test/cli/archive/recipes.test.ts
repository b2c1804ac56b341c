// tier: all
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { place } from '../../../build/places.ts';
import { recipeFor } from '../../../electron/hosts/schedule/recipes.ts';
import { processIo } from '../../../electron/hosts/cli/output/io.ts';
import { runCli } from '../../../electron/hosts/cli/run.ts';
import { HEADLESS_SWITCHES } from '../../../electron/hosts/window-start.ts';
import { createHome, type Home } from '../../support/desks/desk-process.ts';
import { cron, launchd, systemd, taskScheduler } from '../../support/read-recipes.ts';

const CLI = place('dist/electron/cli-main.mjs');

let home: Home;

beforeAll(async () => {
  home = await createHome();
});
afterAll(() => home.remove());

const readers = [
  ['cron', 'signing-desk-archive.cron', cron],
  ['systemd', 'signing-desk-archive.service', systemd],
  ['launchd', 'signing-desk-archive.plist', launchd],
  ['task-scheduler', 'signing-desk-archive.xml', taskScheduler],
] as const;

/** Hosts with the command that calls them from outside; the files represent installed programs. */
const hosts = [
  ['Node', () => [process.execPath, CLI]],
  ['the packaged program', () => [programNamed('Signing Desk/signing-desk'), ...HEADLESS_SWITCHES]],
  ['an AppImage', () => [programNamed('Signing Desk-1.0.0.AppImage'), ...HEADLESS_SWITCHES]],
] as const;

/**
 * Creates a program that accepts browser switches before its command, like Electron; returns its
 * path.
 */
function programNamed(name: string): string {
  const file = path.join(home.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  const lines = [
    '#!/bin/sh',
    `test "$1 $2 $3" = "${HEADLESS_SWITCHES.join(' ')}" || exit 99`,
    'shift 3',
  ];
  writeFileSync(file, `${[...lines, `exec '${process.execPath}' '${CLI}' "$@"`].join('\n')}\n`, {
    mode: 0o755,
  });
  return file;
}

/**
 * Installs a task through the command line of the host; returns the exit code, and discards the
 * output.
 */
async function install(program: readonly string[], args: readonly string[]): Promise<number> {
  const { readSecret, onInterrupt } = processIo(program);
  const quiet = { out: () => {}, err: () => {}, drawsBars: false, env: { HOME: home.folder } };
  const io = { program, readSecret, onInterrupt, ...quiet };
  return runCli(['archive', 'schedule', 'install', ...args], io);
}

/** Runs a command like a scheduler: with few variables, and in another working folder. */
const schedule = ([program = '', ...args]: readonly string[]) =>
  spawnSync(program, args, {
    cwd: path.parse(home.folder).root,
    encoding: 'utf8',
    env: { HOME: home.folder, PATH: '/usr/bin:/bin' },
  });

/**
 * Returns the folders of one recipe; the path of the data folder contains every character that
 * needs quoting.
 */
function placesOf(name: string) {
  const to = path.join(home.folder, name);
  mkdirSync(to);
  return { to, data: path.join(to, `O'Neil & Sons "50 %" $HOME <new>`) };
}

const keyfile = () => (home.env['SIGNING_DESK_VAULT'] ?? '').replace('keyfile:', '');

describe.skipIf(process.platform === 'win32')('a written task for a scheduler', () => {
  const cases = hosts.flatMap(([host, program]) =>
    readers.map(([scheduler, name, read]) => [host, scheduler, { program, name, read }] as const),
  );

  it.for(cases)(
    'runs due work on the named data folder, from any working folder: %s, by %s (PK-03)',
    async ([host, scheduler, { program, name, read }]) => {
      const { to, data } = placesOf(`${host} ${scheduler}`);
      const own = ['--data', data, '--keyfile', keyfile(), '--out', to];
      expect(await install(program(), ['--for', scheduler, ...own])).toBe(0);
      const ended = schedule(read(await readFile(path.join(to, name), 'utf8')));
      expect(ended).toMatchObject({ status: 0, stderr: '' });
      expect(ended.stdout.trim()).toBe(scheduler === 'cron' ? '' : 'Nothing is due.');
      // The command opened the named data folder.
      expect((await readFile(path.join(data, 'desk.db'))).length).toBeGreaterThan(0);
    },
  );

  it('makes cron mail the error of a failed run (PK-03)', async () => {
    const { to, data } = placesOf('mailed');
    const lost = path.join(home.folder, 'no.key');
    const own = ['--data', data, '--keyfile', lost, '--out', to];
    expect(await install([process.execPath, CLI], ['--for', 'cron', ...own])).toBe(0);
    const { stdout } = schedule(cron(await readFile(path.join(to, readers[0][1]), 'utf8')));
    expect(stdout).toContain('signing-desk: ');
    expect(stdout).toContain('no.key');
  });
});

it.each([
  ['plain', 'plain'],
  ['', '""'],
  [String.raw`C:\Signing Desk\data`, String.raw`"C:\Signing Desk\data"`],
  ['C:\\a folder\\', '"C:\\a folder\\\\"'],
  ['six feet 1"', String.raw`"six feet 1\""`],
  [String.raw`a\"b`, String.raw`"a\\\"b"`],
])('an argument for Windows, %j, is written as %j and read back unchanged', (word, written) => {
  const { files } = recipeFor('task-scheduler', ['program', word]);
  const [{ text = '' } = {}] = files;
  const line = `${written.replaceAll('"', '&quot;')} --skip-summary`;
  expect(text).toContain(`<Arguments>${line}</Arguments>`);
  expect(taskScheduler(text)).toEqual(['program', word, '--skip-summary']);
});
