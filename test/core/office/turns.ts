import type { Transactions } from '../../../electron/adapters/office/server.ts';
import type { Statements } from '../../../electron/adapters/office/statements.ts';
import type { createSeeded } from '../../support/seeded.ts';

/** Thrown when the process of a desk has ended. */
export class Killed extends Error {}

/** A running process. */
export interface Process {
  /** Number of its desk. */
  readonly at: number;
  /** Rejects once, with `Killed`. */
  readonly end: Promise<never>;
  kill(): void;
}

interface Asked {
  readonly process: Process;
  /** First words of the statement, or the kind of end of a transaction. */
  readonly what: string;
  readonly go: () => void;
  readonly fail: (error: Killed) => void;
}

/** Outcome for a process at its statement; the reply may also be lost in transit. */
export type Fate = 'goes on' | 'killed' | 'killed after it' | 'server killed';

interface TurnPorts {
  readonly chance: ReturnType<typeof createSeeded>;
  /** Number of statements that wait for a lock of another process. */
  readonly blocked: () => Promise<number>;
  readonly fateOf: (process: Process, what: string) => Fate;
  /** Ends the server as a power cut does, and starts it again. */
  readonly killServer: () => Promise<void>;
}

/** Turns of the event loop after which an unanswered statement may be waiting for a lock. */
const LOOK_AFTER = 20;

/**
 * Lets the processes of several desks run one statement at a time. The next statement is chosen at
 * random once each has a statement, has ended, or waits for a lock of another process. The same
 * seed gives the same order of statements.
 */
export class Turns {
  readonly #ports: TurnPorts;
  #asked: Asked[] = [];
  /** Number of statements that the server has not answered. */
  #atServer = 0;
  readonly #dead = new Set<Process>();
  readonly #last = new Set<Process>();
  /** All statements in their order. */
  readonly trace: string[] = [];

  constructor(ports: TurnPorts) {
    this.#ports = ports;
  }

  process(at: number): Process {
    const { promise, reject } = Promise.withResolvers<never>();
    // The kill point decides whether this promise is awaited.
    promise.catch(() => undefined);
    const process: Process = {
      at,
      end: promise,
      kill: () => {
        this.#dead.add(process);
        const mine = this.#asked.filter((one) => one.process === process);
        this.#asked = this.#asked.filter((one) => one.process !== process);
        for (const { fail } of mine) fail(new Killed());
        reject(new Killed());
      },
    };
    return process;
  }

  /** A process's connection to the office's server; each statement waits for its turn. */
  through(process: Process, server: () => Transactions): Transactions {
    const inTurn = async <Result>(what: string, run: () => Promise<Result>): Promise<Result> => {
      await this.#turn(process, what);
      this.#atServer += 1;
      try {
        return await run();
      } finally {
        this.#atServer -= 1;
        this.#passed(process);
      }
    };
    const within = (of: () => Statements): Statements => ({
      query: (sql, values, row) => inTurn(firstWords(sql), () => of().query(sql, values, row)),
      command: (sql, values) => inTurn(firstWords(sql), () => of().command(sql, values)),
    });
    const alive = async <Result>(result: Promise<Result>): Promise<Result> => {
      try {
        return await result;
      } catch (error) {
        // An ended process receives no more replies.
        if (error instanceof Killed) return new Promise<never>(() => undefined);
        throw error;
      }
    };
    const { query, command } = within(server);
    return {
      query: (sql, values, row) => alive(query(sql, values, row)),
      command: (sql, values) => alive(command(sql, values)),
      transaction: (work) =>
        alive(
          inTurn('begin', () =>
            server().transaction(async (statements) => {
              // The first statement of the transaction has its answer, so this process no longer waits.
              this.#atServer -= 1;
              try {
                this.#passed(process);
                const result = await work(within(() => statements));
                await this.#turn(process, 'commit');
                return result;
              } finally {
                this.#atServer += 1;
              }
            }),
          ),
        ),
    };
  }

  /** Runs the works in parallel, one statement at a time, until each has ended. */
  async run(works: readonly (() => Promise<void>)[]): Promise<void> {
    let left = works.length;
    const all = Promise.all(
      works.map(async (work) => {
        try {
          await work();
        } finally {
          left -= 1;
        }
      }),
    );
    // A failure before the others have ended is reported at the end.
    all.catch(() => undefined);
    for (;;) {
      await this.#calm();
      if (this.#asked.length > 0) await this.#next();
      else if (left === 0 || this.#atServer === 0) break;
    }
    await all;
  }

  /** Resolves once all processes wait, before the next statement is allowed. */
  async #calm(): Promise<void> {
    for (let turn = 1; ; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (this.#atServer === 0) return;
      const mayBeBlocked = turn % LOOK_AFTER === 0 && this.#asked.length > 0;
      if (mayBeBlocked && (await this.#ports.blocked()) === this.#atServer) return;
    }
  }

  async #next(): Promise<void> {
    const inOrder = this.#asked.toSorted((one, other) => one.process.at - other.process.at);
    const chosen = inOrder[this.#ports.chance.whole(0, inOrder.length - 1)];
    if (chosen === undefined) return;
    const fate = this.#ports.fateOf(chosen.process, chosen.what);
    this.trace.push(`${String(chosen.process.at)} ${chosen.what}: ${fate}`);
    if (fate === 'killed') {
      chosen.process.kill();
      return;
    }
    if (fate === 'server killed') await this.#ports.killServer();
    if (fate === 'killed after it') this.#last.add(chosen.process);
    this.#asked = this.#asked.filter((one) => one !== chosen);
    chosen.go();
  }

  #turn(process: Process, what: string): Promise<void> {
    if (this.#dead.has(process)) return Promise.reject(new Killed());
    return new Promise((go, fail) => void this.#asked.push({ process, what, go, fail }));
  }

  /** Records an answered statement; the process may have ended before receiving the answer. */
  #passed(process: Process): void {
    if (this.#last.delete(process)) process.kill();
    if (this.#dead.has(process)) throw new Killed();
  }
}

const firstWords = (sql: string): string => sql.trim().split(/\s+/u).slice(0, 3).join(' ');
