import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';

/** The shipped bundle, which starts four times as fast as its sources. */
const MAIN = path.resolve(import.meta.dirname, '../../../dist/electron/cli-main.mjs');

export interface Ended {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly ended: Promise<Ended>;
  /** Resolves once standard error contains this text; rejects when the process ends first. */
  says(pattern: RegExp): Promise<void>;
  interrupt(): void;
  /** Kills the process as a power cut does. */
  kill(): void;
}

export interface Home {
  /** Folder with all files of one test. */
  readonly folder: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs `signing-desk …` as its own process. */
  desk(args: readonly string[], input?: string): Promise<Ended>;
  start(args: readonly string[], input?: string): Running;
  /** Returns the home with additional environment variables for its processes. */
  with(
    env: Readonly<Record<string, string>>,
    args: readonly string[],
    input?: string,
  ): Promise<Ended>;
  /** Runs a command with `--json` and returns the printed document. */
  json(args: readonly string[], input?: string): Promise<Ended & { readonly document: unknown }>;
  /**
   * Returns the `value` of the printed document; throws unless the process ended with `exit`
   * (default 0).
   */
  value(args: readonly string[], input?: string, exit?: number): Promise<Record<string, unknown>>;
  remove(): Promise<void>;
}

/**
 * A separate data folder and key file, and processes that see nothing else of this computer: no
 * keychain, no home.
 */
export async function createHome(
  vault: 'keyfile' | 'none' = 'keyfile',
  main: string = MAIN,
): Promise<Home> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-test-'));
  const data = path.join(folder, 'data');
  const keyfile = path.join(folder, 'desk.key');
  await writeFile(keyfile, randomBytes(32), { mode: 0o600 });
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    TZ: 'Europe/Stockholm',
    // Many hundred processes use the same code, which is compiled once.
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'desk-test-code'),
    SIGNING_DESK_DATA: data,
    ...(process.platform === 'win32' && windowsHome(folder)),
    ...(vault === 'keyfile' && { SIGNING_DESK_VAULT: `keyfile:${keyfile}` }),
  };
  const start = (args: readonly string[], input = ''): Running => startDesk(main, args, env, input);
  const desk = (args: readonly string[], input?: string): Promise<Ended> =>
    start(args, input).ended;
  const json: Home['json'] = async (args, input) => {
    const ended = await desk([...args, '--json'], input);
    return { ...ended, document: JSON.parse(ended.stdout) as unknown };
  };
  return {
    folder,
    data,
    env,
    desk,
    start,
    json,
    with: (more, args, input = '') => startDesk(main, args, { ...env, ...more }, input).ended,
    value: async (args, input, exit) => valueOf(args, await desk([...args, '--json'], input), exit),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The `value` that a command printed with `--json`; throws unless it ended with `exit`. */
export function valueOf(args: readonly string[], ended: Ended, exit = 0): Record<string, unknown> {
  if (ended.exit !== exit) throw new Error(`${args.join(' ')}: ${JSON.stringify(ended)}`);
  return (JSON.parse(ended.stdout) as { readonly value: Record<string, unknown> }).value;
}

/**
 * Variables for a home on Windows, where they have other names; Node also needs the system folder.
 */
function windowsHome(folder: string): Record<string, string> {
  return {
    SYSTEMROOT: process.env['SYSTEMROOT'] ?? '',
    USERPROFILE: folder,
    APPDATA: path.join(folder, 'AppData', 'Roaming'),
    LOCALAPPDATA: path.join(folder, 'AppData', 'Local'),
  };
}

function startDesk(
  main: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input: string,
): Running {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: 'pipe' });
  // A process that never reads its input may end before the write.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ended = Promise.all([exit, text(child.stdout)]).then(([code, stdout]) => ({
    exit: code,
    stdout,
    stderr: output,
  }));
  return {
    ended,
    interrupt: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGKILL'),
    says: (pattern) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (pattern.test(output)) resolve();
        };
        child.stderr.on('data', look);
        look();
        void ended.then(({ exit: code }) => {
          reject(
            new Error(`Ended with ${String(code)} before it said ${String(pattern)}: ${output}`),
          );
        });
      }),
  };
}
