import { spawn } from 'node:child_process';
import { place, root } from './places.ts';

export interface Outcome {
  /** The exit code; 1 when the program was ended by a signal or could not start. */
  readonly code: number;
  /** Output of both streams, in order. */
  readonly output: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Lets the program write to the terminal itself; `output` is then empty. */
  readonly isShown?: boolean;
  /** Ends the program after this many milliseconds. */
  readonly timeout?: number;
}

/**
 * Tools, and the processes that tests kill, start repeatedly from their sources: the cache of
 * compiled code halves each start.
 */
const compileCache = { NODE_COMPILE_CACHE: place('node_modules/.cache/compiled') };

/** Runs a program to its end; never throws for a program that fails. */
export function run(
  command: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: options.cwd ?? root,
      env: { ...compileCache, ...process.env, ...options.env },
      stdio: options.isShown === true ? 'inherit' : ['ignore', 'pipe', 'pipe'],
      timeout: options.timeout,
    });
    const chunks: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk));
    child.once('error', (error) => resolve({ code: 1, output: error.message }));
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

export function runNode(
  script: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<Outcome> {
  return run(process.execPath, [script, ...args], options);
}

/** End of a program whose output was shown in the terminal. */
export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Why it could not start; null when it could. */
  readonly failure: string | null;
  readonly said: string;
}

/** Runs a program in this terminal, and keeps its output on the error stream. */
export function runTeed(command: string, args: readonly string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...compileCache, ...process.env };
    const child = spawn(command, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'pipe'] });
    const chunks: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      chunks.push(chunk);
    });
    child.once('error', ({ message }) =>
      resolve({ code: 1, signal: null, failure: message, said: '' }),
    );
    child.once('close', (code, signal) => {
      resolve({ code, signal, failure: null, said: Buffer.concat(chunks).toString('utf8') });
    });
  });
}
