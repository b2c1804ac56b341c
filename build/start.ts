/*
 * `npm start`: opens the window in Electron, or in an installed Chromium with a line that says why.
 * Every start opens a window, or prints a sentence with the reason why it cannot.
 */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { type SandboxObstacle, sandboxObstacle } from '../electron/hosts/sandbox.ts';
import { findBrowser } from '../electron/hosts/find-browser.ts';
import { hasScreen, NO_SCREEN_MESSAGE } from '../electron/hosts/screen.ts';
import { noBrowserMessage } from '../electron/hosts/system-packages.ts';
import { readStart } from '../electron/hosts/window-start.ts';
import { findElectron, obtainElectron } from './package/electron-binary.ts';
import { place, root } from './places.ts';
import { runNode, runShowingOutput } from './run.ts';

const EXIT_FAILED = 1;
const USAGE_EXIT = 2;
/** Milliseconds: a program that fails this soon after its start never showed a window. */
const EARLY_FAILURE_MS = 15_000;
/**
 * Permissions of Electron's sandbox program, which systems without namespaces need: root owns it,
 * and it runs with root's rights.
 */
const SET_UID_MODE = 0o4755;

const sandboxObstacleTexts: Readonly<Record<SandboxObstacle, string>> = {
  root: 'Electron does not run as root; use an ordinary account',
  'no-namespaces':
    'this system does not let ordinary programs make the namespaces that Electron’s sandbox needs ' +
    '(electron/hosts/electron/README.md says what to do)',
};

/** Characters in a path after which Vite reads the rest as part of an address. */
const UNBUILDABLE_PATH_PATTERN = /[#?]/;

class BuildError extends Error {}

const args = process.argv.slice(2);
process.exitCode = await start().catch((error: unknown) => {
  if (!(error instanceof BuildError)) throw error;
  return reportRefusal(error.message, EXIT_FAILED);
});

async function start(): Promise<number> {
  const isHeadless = process.env['SIGNING_DESK_HEADLESS'] === '1';
  if (!isHeadless && !hasScreen(process.env, process.platform)) {
    return reportRefusal(NO_SCREEN_MESSAGE, USAGE_EXIT);
  }
  const obstacle = sandboxObstacle();
  if (obstacle !== null && !(obstacle === 'no-namespaces' && hasSetUidHelper())) {
    return startInChromium(sandboxObstacleTexts[obstacle]);
  }
  const taken = await obtainElectron();
  return 'program' in taken ? startInElectron(taken.program) : startInChromium(taken.why);
}

async function startInElectron(program: string): Promise<number> {
  console.log('opening in Electron');
  await build({ withHosts: true });
  // Terminals inside editors leave the variable set. Electron would then run as Node, without a
  // window.
  delete process.env['ELECTRON_RUN_AS_NODE'];
  const begun = performance.now();
  const { code, signal, failure, said } = await runShowingOutput(program, [root, ...args]);
  if (failure !== null) return startInChromium(`Electron cannot be started (${failure})`);
  const isAtOnce = performance.now() - begun < EARLY_FAILURE_MS;
  if (code === 0 || !isAtOnce || readStart(args).kind === 'command') return code ?? 1;
  const how = signal === null ? `exit code ${String(code)}` : signal;
  return startInChromium(`Electron ended at once (${[how, ...fatalLines(said)].join(': ')})`);
}

async function startInChromium(why: string): Promise<number> {
  console.log(`opening in Chromium: ${why}`);
  // A missing browser is reported before the first build, which takes half a minute.
  if (findBrowser() === undefined) return reportRefusal(noBrowserMessage(), USAGE_EXIT);
  await build({ withHosts: false });
  const host = place('electron/hosts/chromium/main.ts');
  return (await runNode(host, args, { isShown: true })).code;
}

/**
 * Builds the program, and prints a line first, because the bundler prints nothing for about half a
 * minute. The bundler is loaded only if a window can be shown.
 */
async function build({ withHosts }: { readonly withHosts: boolean }): Promise<void> {
  const { bundleStale, hosts, page } = await import('./bundle/bundle.ts');
  const beforeFirst = (): void => {
    if (UNBUILDABLE_PATH_PATTERN.test(root)) {
      throw new BuildError(
        `The program cannot be built in a folder with # or ? in its path (${root}). Rename that folder or move this one.`,
      );
    }
    console.log('building the program, the first time and after changes …');
  };
  try {
    await bundleStale(withHosts ? [page, hosts] : [page], beforeFirst);
  } catch (error) {
    throw error instanceof BuildError ? error : new BuildError(buildFailureText(error));
  }
}

function buildFailureText(error: unknown): string {
  const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n', 1);
  return `The program cannot be built (${why}). Its folder must be one that you can write to, on a disk with room, and complete: npm ci`;
}

function reportRefusal(sentence: string, exit: number): number {
  console.error(`signing-desk: ${sentence}`);
  return exit;
}

/**
 * Returns the line of Chromium's output with the reason why it ended, without the position in
 * Chromium's source.
 */
function fatalLines(said: string): readonly string[] {
  const line = said.split('\n').findLast((one) => /\bFATAL\b|Missing X server/.test(one));
  return line === undefined ? [] : [line.replace(/^\[[^\]]*\]\s*/, '').trim()];
}

function hasSetUidHelper(): boolean {
  const program = findElectron();
  const helper = program === undefined ? '' : path.join(path.dirname(program), 'chrome-sandbox');
  if (!existsSync(helper)) return false;
  const { uid, mode } = statSync(helper);
  return uid === 0 && (mode & SET_UID_MODE) === SET_UID_MODE;
}
