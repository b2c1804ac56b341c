import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wasKilled } from '../support/killed.ts';

/** A process of the fault runs. */
export interface Life {
  readonly ended: Promise<unknown>;
  /**
   * Resolves to true once the process has no work left; false if it ended before that, or after the
   * time.
   */
  settles(milliseconds: number): Promise<boolean>;
  kill(): void;
  /** Whether it was killed, at its own kill point or by the harness. */
  isOver(): boolean;
  /** Whether it ended early without being killed. */
  hasCrashed(): boolean;
  said(): string;
}

/** Starts a process with this order; it prints "open" when its time starts, and "settled". */
export function startLife(program: string, order: unknown): Life {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DESK_ORDER: JSON.stringify(order),
    // The same code is started hundreds of times, so its compiled form is kept.
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'desk-fault-run-code'),
  };
  const child: ChildProcess = spawn(process.execPath, [program], { env });
  let said = '';
  const heard = new Set<() => void>();
  const hear = (chunk: Buffer): void => {
    said += chunk.toString();
    for (const listener of heard) listener();
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  const ended = new Promise((resolve) => child.once('close', resolve));
  return {
    ended,
    said: () => said,
    kill: () => void child.kill('SIGKILL'),
    isOver: () => wasKilled(child.exitCode, child.signalCode),
    hasCrashed: () =>
      child.exitCode !== null &&
      child.exitCode !== 0 &&
      !wasKilled(child.exitCode, child.signalCode),
    settles: (milliseconds) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (said.includes('settled\n')) resolve(true);
        };
        heard.add(look);
        // The time starts when the data is open, so the duration of the start does not matter.
        const begin = (): void => {
          if (said.includes('open\n')) {
            heard.delete(begin);
            setTimeout(() => resolve(false), milliseconds).unref();
          }
        };
        heard.add(begin);
        void ended.then(() => {
          if (/Error/.test(said)) process.stderr.write(said);
          resolve(said.includes('settled\n'));
        });
        look();
        begin();
      }),
  };
}
