import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { wasKilled } from '../support/killed.ts';

/** A process of the fault runs. */
export interface Life {
  readonly ended: Promise<unknown>;
  /** True once it says that nothing is left; false when it ended or its time was up before. */
  settles(milliseconds: number): Promise<boolean>;
  kill(): void;
  /** It was killed, by itself at its moment or from here. */
  isOver(): boolean;
  /** It ended before it was done, and nobody killed it. */
  hasCrashed(): boolean;
  said(): string;
}

/** Starts one, which does what the order says; it says "open" once its time begins, and "settled" at its end. */
export function startLife(program: string, order: unknown): Life {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DESK_ORDER: JSON.stringify(order),
    // Hundreds of starts of the same code: it is compiled once.
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
        // Its time begins once it is open: how long a start takes says nothing.
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
