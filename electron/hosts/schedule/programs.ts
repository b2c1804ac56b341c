import { spawn } from 'node:child_process';
import type { Environment } from '../data-dir.ts';

interface ProgramResult {
  /** Exit code; null if a signal ended the program. */
  readonly exit: number | null;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a program of the system to its end, with `input` as its standard input. Rejects if the
 * program cannot be started.
 */
export type RunProgram = (
  program: string,
  args: readonly string[],
  input?: string,
) => Promise<ProgramResult>;

/** Time after which a scheduler that does not answer is stopped (ms). */
const ANSWER_TIMEOUT_MS = 20_000;

/** Returns a `RunProgram` with these variables. Its programs write their messages in English. */
export function programRunner(env: Environment): RunProgram {
  return (program, args, input = '') =>
    new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        env: { ...env, LC_ALL: 'C' },
        timeout: ANSWER_TIMEOUT_MS,
        windowsHide: true,
      });
      let [out, err] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
      child.once('error', reject).once('close', (exit) => resolve({ exit, out, err }));
      // A program that does not read its input may have closed it already.
      child.stdin.on('error', () => undefined).end(input);
    });
}
