import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { chromium, type Page } from 'playwright';
import { expect } from 'vitest';
import { tryDemo } from '../app/support/steps.ts';
import type { Ended } from '../support/desks/desk-process.ts';
import { expectSoon } from '../support/soon.ts';

/** Folders and variables of a user's computer, as a packaged program sees them. */
export interface Machine {
  readonly folder: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Creates a home and a key file in `folder`. */
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

/** Runs `program` to its end, with a working folder that is not its own. */
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

/** A packaged program with an open window, and a connection to its browser. */
export interface OpenWindow {
  readonly page: Page;
  /** Errors and warnings that the page wrote to its console, and errors that it threw. */
  readonly complaints: readonly string[];
  /** Ends the program as the system does; returns its exit code and output. */
  end(): Promise<{ readonly exit: number | null; readonly said: string }>;
}

/** Line in which Chromium prints its debugging address. */
const JOINED = /^DevTools listening on (ws:\S+)\n/m;

/**
 * Opens the window of a packaged program, with Electron or its stand-in. Connects to its browser by
 * the only switch that no fuse disables.
 */
export async function openWindow(
  program: string,
  { data, env, open = [] }: Pick<Machine, 'data' | 'env'> & { readonly open?: readonly string[] },
): Promise<OpenWindow> {
  const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const args = [...switches, '--remote-debugging-port=0', '--data', data, ...open];
  const child = spawn(program, args, { cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const isThere = (): boolean => JOINED.test(said) || child.exitCode !== null;
  await expectSoon('the program names its window, or ends', isThere);
  const [, address] = JOINED.exec(said) ?? [];
  if (address === undefined) throw new Error(`It ended with ${child.exitCode}: ${said}`);
  const browser = await chromium.connectOverCDP(address);
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
    async end() {
      child.kill('SIGTERM');
      return { exit: await exit, said: said.replace(JOINED, '') };
    },
  };
}

/**
 * Tries the demo, and expects the list of agreements, in a page that may use only its preload
 * script.
 */
export async function tryAndSeeAgreements(page: Page): Promise<void> {
  await tryDemo(page);
  const grid = page.getByRole('grid');
  await expect
    .poll(async () => Number(await grid.getAttribute('aria-rowcount')), {
      message: 'rows of the list of agreements',
    })
    .toBeGreaterThan(40);
  const seen = await page.evaluate(() => [
    typeof Reflect.get(globalThis, 'require'),
    typeof Reflect.get(globalThis, 'process'),
    Object.keys(Reflect.get(globalThis, 'desk')),
    globalThis.isSecureContext,
  ]);
  expect(seen).toEqual(['undefined', 'undefined', ['post', 'onMessage'], true]);
}
