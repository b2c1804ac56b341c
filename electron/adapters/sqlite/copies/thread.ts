import type { ConnectionId } from '../../../../shared/model/ids.ts';
import type { CopyPage, CopyWriter, WrittenCounts } from '../../../core/sync/ports.ts';
import { callsTo, type AsyncFunctions } from '../../threads/calls.ts';
import { Thread } from '../../threads/connect.ts';
import { threadFile } from '../../threads/file.ts';
import type { Database } from '../database/database.ts';
import { createWriteTurn, noOpTurn, createSharedTurn } from '../database/turn.ts';
import { type CopyCalls, copyCalls } from './calls.ts';
import { AGREEMENTS_PER_WRITE } from './direct.ts';

const WORKER = threadFile(import.meta.url, './worker.ts', 'copies-worker');

type ThreadDatabase = Pick<Database, 'takeTurns'>;

interface ThreadPorts {
  readonly file: string;
  readonly key: Uint8Array;
  /** Writer for pages that are too small to start a thread. */
  readonly direct: CopyWriter;
  readonly committed: () => void;
}

/** Copy writer that must be closed before the data file. */
export interface ThreadedCopies extends CopyWriter {
  /** Changes with every commit of the thread, before its data is visible. */
  commits(): number;
  close(): Promise<void>;
}

/**
 * Writes agreements in a separate thread, started with the first page that is large enough. If the
 * thread is lost, its calls fail, and the next page starts another thread.
 */
export function writeCopiesInThread(database: ThreadDatabase, ports: ThreadPorts): ThreadedCopies {
  const { direct } = ports;
  let thread: CopyThread | null = null;
  let bulks = 0;
  /** Number of commits of ended threads. */
  let earlier = 0;

  const begin = (): CopyThread => {
    const begun = new CopyThread(database, ports, () => {
      earlier += begun.commits();
      if (thread === begun) thread = null;
    });
    for (let bulk = 0; bulk < bulks; bulk += 1) begun.tell('beginBulk');
    return begun;
  };

  return {
    async store(page) {
      const isIdle = thread?.isIdle ?? true;
      if (isIdle && page.items.length <= AGREEMENTS_PER_WRITE) return direct.store(page);
      thread ??= begin();
      return thread.store(page);
    },
    beginBulk() {
      bulks += 1;
      direct.beginBulk();
      thread?.tell('beginBulk');
    },
    endBulk() {
      bulks -= 1;
      direct.endBulk();
      thread?.tell('endBulk');
    },
    async buildIndex() {
      return thread === null ? direct.buildIndex() : thread.calls.buildIndex();
    },
    async retire(retirement) {
      // On most days no agreement is due for removal, and checking that needs no thread.
      if (thread === null && retirement.after === null) return direct.retire(retirement);
      thread ??= begin();
      return thread.calls.retire(retirement);
    },
    commits: () => earlier + (thread?.commits() ?? 0),
    async close() {
      await thread?.close();
    },
  };
}

class CopyThread {
  readonly calls: AsyncFunctions<CopyCalls>;
  readonly #thread: Thread;
  readonly #turn: ReturnType<typeof createWriteTurn>;
  /**
   * Number of failures by connection, as reported so far; the thread rejects pages sent before a
   * report.
   */
  readonly #failures = new Map<ConnectionId, number>();

  constructor(database: ThreadDatabase, { file, key, committed }: ThreadPorts, onEnd: () => void) {
    const shared = createSharedTurn();
    this.#turn = createWriteTurn(shared);
    this.#thread = new Thread({
      file: WORKER,
      workerData: { file, key, turn: shared },
      work: 'Writing copies',
      onEnd() {
        database.takeTurns(noOpTurn);
        onEnd();
      },
    });
    database.takeTurns(this.#turn);
    this.calls = callsTo<CopyCalls>(copyCalls, async (name, asked) => {
      const answer = await this.#thread.call(name, asked);
      committed();
      return answer;
    });
  }

  get isIdle(): boolean {
    return this.#thread.waiting === 0;
  }

  commits(): number {
    return this.#turn.threadCommits();
  }

  async store(page: CopyPage): Promise<WrittenCounts> {
    const { connectionId } = page;
    const failures = (): number => this.#failures.get(connectionId) ?? 0;
    try {
      return await this.calls.store(page, failures());
    } catch (error) {
      this.#failures.set(connectionId, failures() + 1);
      throw error;
    }
  }

  /** Calls the thread without waiting. If the thread is lost, its store calls report the error. */
  tell(name: 'beginBulk' | 'endBulk'): void {
    this.#thread.call(name, []).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
