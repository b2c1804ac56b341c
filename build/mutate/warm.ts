import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { place } from '../places.ts';

export type Order =
  | { readonly reach: readonly string[]; readonly files: readonly string[] }
  | {
      readonly file: string;
      readonly text: string;
      /**
       * Batches of test files: a batch runs if no test of the batches before it noticed the mutant.
       */
      readonly batches: readonly (readonly string[])[];
    };

export type Ended = 'killed' | 'survived' | 'timed out';

export interface FileRun {
  readonly test: string;
  readonly isGood: boolean;
  readonly seconds: number;
}

export type Answer =
  | { readonly files: readonly FileRun[] }
  | { readonly ended: Ended; readonly by: string }
  | { readonly error: string };

/**
 * A Vitest that stays loaded in a process of its own. The process is restarted if it does not
 * answer in time.
 */
export class WarmVitest {
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
  }

  /**
   * Lets the process do `order`. Returns `undefined` if there is no answer within `milliseconds`.
   */
  async ask(order: Order, milliseconds: number): Promise<Answer | undefined> {
    const child = (this.#child ??= await this.#start());
    const answer = new Promise<Answer | undefined>((resolve) => {
      const timer = setTimeout(() => resolve(undefined), milliseconds);
      const settle = (given: Answer) => {
        clearTimeout(timer);
        resolve(given);
      };
      child.once('message', settle);
      child.once('exit', () => settle({ error: 'Vitest ended' }));
    });
    child.send(order);
    const given = await answer;
    child.removeAllListeners('message');
    child.removeAllListeners('exit');
    if (given === undefined || 'error' in given) this.close();
    return given;
  }

  /** Ends the process and its child processes, even if they hang. */
  close(): void {
    const { pid } = this.#child ?? {};
    this.#child = undefined;
    if (pid === undefined) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The process has already ended.
    }
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(place('build/mutate/child.ts'), {
      env: { ...process.env, ...this.#env },
      execArgv: [],
      // The process gets a process group of its own, which can be ended as a whole.
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await once(child, 'message');
    return child;
  }
}
