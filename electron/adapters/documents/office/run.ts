import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { finished } from 'node:stream/promises';
import { promisify } from 'node:util';
import { OFFICE_LIMITS, type OfficeLimits } from '../limits.ts';
import { isolatedCommandFor } from './apart.ts';
import { MINUTE } from '../../../../shared/rules/time/units.ts';

/** How a program ended: normally, or because it exceeded a limit. */
export interface ProgramResult {
  readonly code: number | null;
  /** Whether the timeout passed, or the system ended the program at a resource limit. */
  readonly isOverLimit: boolean;
  readonly output: string;
}

const MAX_OUTPUT = 16_384;
const VERSION_TIMEOUT_MS = MINUTE;

/*
 * Sets the system's limits, also for the size of files. Ends all processes if this program ends: a
 * pipe that only this program keeps open closes when it dies in any way.
 */
const LIMITING_SCRIPT = `
ulimit -t "$1"; ulimit -v "$2" 2>/dev/null; ulimit -f "$3"; ulimit -c 0; shift 3
{ cat >/dev/null; kill -9 0; } <&3 &
exec 3<&-
exec "$@"
`;
/** Maximum size of a file in blocks of 512 bytes: no PDF of 200 MB is of use. */
const MAX_BLOCKS = 400_000;

/** Signals of the system's limits, and of LibreOffice when it runs out of memory. */
const LIMIT_SIGNALS: ReadonlySet<string> = new Set(['SIGXCPU', 'SIGKILL', 'SIGXFSZ', 'SIGABRT']);
/** Exit codes by which a shell reports `LIMIT_SIGNALS`. */
const LIMIT_CODES: ReadonlySet<number> = new Set([134, 137, 152, 153]);

export interface ProgramRun {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly limits?: OfficeLimits;
}

/** Runs a program until it ends or exceeds a limit; all processes that it started end with it. */
export async function runLimited({
  program,
  args,
  env,
  folder,
  limits = OFFICE_LIMITS,
}: ProgramRun): Promise<ProgramResult> {
  const child = await spawnLimited(program, args, { env, folder, limits });
  let output = '';
  const note = (chunk: Buffer): void => {
    if (output.length < MAX_OUTPUT) output += chunk.toString('utf8');
  };
  child.stdout?.on('data', note);
  child.stderr?.on('data', note);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    killProcessGroup(child);
  }, limits.milliseconds);
  try {
    const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(
      (resolve, reject) => {
        child.once('error', reject);
        child.once('exit', (...ended) => resolve(ended));
      },
    );
    const isOverLimit = isLate || LIMIT_SIGNALS.has(signal ?? '') || LIMIT_CODES.has(code ?? 0);
    return { code, isOverLimit, output };
  } finally {
    clearTimeout(timer);
    killProcessGroup(child);
    for (const stream of child.stdio) stream?.destroy();
    if (child.stdout !== null) await finished(child.stdout).catch(() => undefined);
  }
}

async function spawnLimited(
  program: string,
  args: readonly string[],
  { env, folder, limits }: Required<Pick<ProgramRun, 'env' | 'folder' | 'limits'>>,
): Promise<ChildProcess> {
  if (process.platform === 'win32') {
    return spawn(program, args, {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    });
  }
  const most = [String(limits.seconds), String(limits.megabytes * 1024), String(MAX_BLOCKS)];
  const order = [...(await isolatedCommandFor(program, folder)), ...args];
  return spawn('/bin/sh', ['-c', LIMITING_SCRIPT, 'sh', ...most, ...order], {
    cwd: folder,
    env,
    // The program gets its own process group, so that all of its processes can be ended together.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
}

/** Ends the program and all processes that it started. */
function killProcessGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    if (process.platform === 'win32') {
      // taskkill needs no supervision; a process that has already ended is not an error.
      execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => undefined);
    } else {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    // All processes have ended.
  }
}

/**
 * Returns "7.4.7.2" from "LibreOffice 7.4.7.2 40(Build:2)"; null if the program does not report it.
 */
export async function versionOf(program: string): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], {
      timeout: VERSION_TIMEOUT_MS,
      windowsHide: true,
    });
    return /LibreOffice[^\d]{0,20}(\d+(?:\.\d+){1,4})/u.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}
