import { spawn } from 'node:child_process';
import { place, root } from './places.ts';

export interface Outcome {
  /** Exit code; 1 if a signal ended the program, or if it could not start. */
  readonly code: number;
  /** Text of the output and error streams, in the order in which it was written. */
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

/** Runs a program to its end. Does not throw if the program fails. */
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
  /** Exit code; null if a signal ended the program. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Reason why the program could not start; null if it started. */
  readonly failure: string | null;
  readonly said: string;
}

/** Runs a program in this terminal, and also returns its output on the error stream. */
export function runShowingOutput(command: string, args: readonly string[]): Promise<Ended> {
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
