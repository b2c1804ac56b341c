import { Worker } from 'node:worker_threads';
import type { ConnectionId } from '../../../../shared/model/ids.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { CopyPage, CopyWriter, Retirement } from '../../../core/sync/ports.ts';
import type { Database } from '../database/database.ts';
import { createWriteTurn, sharedTurn, noTurn } from '../database/turn.ts';
import { FEW } from './direct.ts';
import { type Ask, Built, Gone, Reply, Stored } from './messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './copies-worker.mjs',
  import.meta.url,
);

type ThreadDatabase = Pick<Database, 'takeTurns'>;

interface ThreadPorts {
  readonly file: string;
  readonly key: Uint8Array;
  /** For what is too little to begin a thread for. */
  readonly direct: CopyWriter;
  /** The thread has committed. */
  readonly committed: () => void;
}

/** A copy writer that is ended before the data file is closed. */
export interface ThreadedCopies extends CopyWriter {
  /** Changes with every commit of the thread, before anybody can see what it wrote. */
  commits(): number;
  close(): Promise<void>;
}

interface Waiting {
  /** Of the page that was given, where one was. */
  readonly connectionId: ConnectionId | null;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes copies in a thread of its own, from the first page on that is worth one. A thread that is
 * lost fails what it was asked; another begins with the next page.
 */
export function writeCopiesInThread(database: ThreadDatabase, ports: ThreadPorts): ThreadedCopies {
  const { direct } = ports;
  let thread: Thread | null = null;
  let bulks = 0;
  /** Commits of threads that have ended. */
  let earlier = 0;

  const begin = (): Thread => {
    const begun = new Thread(database, ports, () => {
      earlier += begun.commits();
      if (thread === begun) thread = null;
    });
    for (let bulk = 0; bulk < bulks; bulk += 1) begun.tell({ do: 'beginBulk' });
    return begun;
  };

  return {
    async store(page) {
      const isIdle = thread?.isIdle ?? true;
      if (isIdle && page.items.length <= FEW) return direct.store(page);
      thread ??= begin();
      return Stored.parse(await thread.store(page));
    },
    beginBulk() {
      bulks += 1;
      direct.beginBulk();
      thread?.tell({ do: 'beginBulk' });
    },
    endBulk() {
      bulks -= 1;
      direct.endBulk();
      thread?.tell({ do: 'endBulk' });
    },
    async buildIndex() {
      return thread === null ? direct.buildIndex() : Built.parse(await thread.build());
    },
    async retire(retirement) {
      // Nothing is due on most days, and whether it is takes no thread.
      if (thread === null && retirement.after === null) return direct.retire(retirement);
      thread ??= begin();
      return Gone.parse(await thread.retire(retirement));
    },
    commits: () => earlier + (thread?.commits() ?? 0),
    async close() {
      await thread?.close();
    },
  };
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #committed: () => void;
  readonly #turn: ReturnType<typeof createWriteTurn>;
  /** Of each connection, as far as it has reported; a page given before that is not stored. */
  readonly #failures = new Map<ConnectionId, number>();
  #asked = 0;

  constructor(database: ThreadDatabase, { file, key, committed }: ThreadPorts, onEnd: () => void) {
    this.#committed = committed;
    const shared = sharedTurn();
    const workerData = { file, key, turn: shared };
    this.#turn = createWriteTurn(shared);
    // Nothing of the program's arguments or variables is the thread's business.
    this.#worker = new Worker(WORKER, { workerData, env: {}, argv: [] });
    this.#worker.unref();
    database.takeTurns(this.#turn);
    this.#worker.on('message', (message: unknown) => this.#receive(Reply.parse(message)));
    let why: unknown;
    this.#worker.on('error', (error) => void (why = error));
    this.#worker.on('exit', () => {
      database.takeTurns(noTurn);
      onEnd();
      const lost = new Error('The thread that writes copies was lost', { cause: why });
      for (const { reject } of this.#waiting.values()) reject(lost);
      this.#waiting.clear();
    });
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  commits(): number {
    return this.#turn.threadCommits();
  }

  store(page: CopyPage): Promise<unknown> {
    const { connectionId } = page;
    const failures = this.#failures.get(connectionId) ?? 0;
    return this.#ask((number) => ({ do: 'store', number, page, failures }), connectionId);
  }

  build(): Promise<unknown> {
    return this.#ask((number) => ({ do: 'build', number }));
  }

  retire(order: Retirement): Promise<unknown> {
    return this.#ask((number) => ({ do: 'retire', number, order }));
  }

  tell(ask: Ask): void {
    this.#worker.postMessage(ask);
  }

  async close(): Promise<void> {
    if (this.#worker.threadId === -1) return;
    this.#worker.ref();
    this.tell({ do: 'end' });
    // Also where it fails at this very moment: closing goes on.
    await new Promise((resolve) => this.#worker.once('exit', resolve));
  }

  #ask(askOf: (number: number) => Ask, connectionId: ConnectionId | null = null): Promise<unknown> {
    this.#asked += 1;
    const number = this.#asked;
    // A command must not end in the middle, and must end when nothing is left to do.
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { connectionId, resolve, reject });
      this.tell(askOf(number));
    });
  }

  #receive(reply: Reply): void {
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.ok) {
      this.#committed();
      waiting?.resolve(reply.value);
      return;
    }
    const { failures, failure, stack } = reply;
    if (waiting?.connectionId) this.#failures.set(waiting.connectionId, failures);
    waiting?.reject(
      failure === null
        ? new Error('Writing copies failed', { cause: stack })
        : AppError.from(failure),
    );
  }
}
