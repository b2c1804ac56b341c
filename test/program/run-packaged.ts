import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Ended } from '../support/desks/desk-process.ts';

/** A person's computer, as far as a packaged program sees it. */
export interface Machine {
  readonly folder: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Makes a home and a key file in `folder`. */
export async function makeMachine(folder: string): Promise<Machine> {
  await mkdir(path.join(folder, 'tmp'), { recursive: true });
  const keyfile = path.join(folder, 'desk.key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  return {
    folder,
    data: path.join(folder, 'data'),
    env: {
      PATH: '/usr/bin:/bin',
      HOME: folder,
      TMPDIR: path.join(folder, 'tmp'),
      TZ: 'Europe/Stockholm',
      SIGNING_DESK_VAULT: `keyfile:${keyfile}`,
    },
  };
}

/** Runs `program` to its end, from a folder that is not its own. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(program, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { exit: await exit, stdout, stderr };
}

/** A packaged program whose window is open, in a browser that the test has joined. */
export interface OpenWindow {
  readonly page: Page;
  /** What the page wrote to its console as errors or warnings, and what it threw. */
  readonly complaints: readonly string[];
  /** What the program asked Electron for: the arguments of each call of `name`. */
  asked(name: string): Promise<unknown[][]>;
  /** Ends the program as the system does; gives its exit code and what it said. */
  end(): Promise<{ readonly exit: number | null; readonly said: string }>;
}

/** Opens the window of a packaged program in the browser that is lent to its stand-in. */
export async function openWindow(program: string, machine: Machine): Promise<OpenWindow> {
  const log = path.join(machine.folder, 'asked.jsonl');
  const profile = path.join(machine.folder, 'profile');
  await writeFile(log, '');
  const child = spawn(program, ['--data', machine.data], {
    cwd: '/',
    env: Object.assign(
      {
        STAND_IN_BROWSER: pathToFileURL(path.join(import.meta.dirname, 'stand-in-browser.ts')).href,
        STAND_IN_PROFILE: profile,
        STAND_IN_LOG: log,
      },
      machine.env,
    ),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const said = text(child.stderr);
  const browser = await join(child, said, path.join(profile, 'DevToolsActivePort'));
  const context = browser.contexts()[0];
  const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
  if (page === undefined) throw new Error('the browser has no window');
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return {
    page,
    complaints,
    async asked(name) {
      const lines = (await readFile(log, 'utf8')).trim().split('\n');
      const calls: unknown[][] = lines.map((line) => JSON.parse(line));
      return calls.filter(([called]) => called === name).map((call) => call.slice(1));
    },
    async end() {
      child.kill('SIGTERM');
      return { exit: await exit, said: await said };
    },
  };
}

async function join(child: ChildProcess, said: Promise<string>, file: string): Promise<Browser> {
  await expect.poll(() => existsSync(file) || child.exitCode !== null).toBe(true);
  if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${await said}`);
  const [port = ''] = (await readFile(file, 'utf8')).split('\n');
  return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
}
