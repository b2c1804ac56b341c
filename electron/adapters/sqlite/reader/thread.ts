import { Worker } from 'node:worker_threads';
import * as z from 'zod';
import { AgreementGroup, AgreementKeys } from '../../../../shared/contract/agreement-query.ts';
import {
  Agreement,
  AgreementCounts,
  AgreementPage,
  AgreementWindow,
} from '../../../../shared/contract/agreements.ts';
import { FailedKind } from '../../../../shared/contract/board.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { AgreementReader } from '../../../core/agreements/ports.ts';
import type { BoardNumbers, BoardReader } from '../../../core/board/ports.ts';
import { type Answering, type Ask, answerQuestion, type Question, Reply } from './messages.ts';

/** The thread's own file, beside this one in the sources and beside the program when bundled. */
const WORKER = new URL(
  import.meta.url.endsWith('.ts') ? './worker.ts' : './reader-worker.mjs',
  import.meta.url,
);

/** Milliseconds from the first question on: the start of the window has both cores for itself. */
const BEGIN_AFTER = 1000;

/** What is given answers as long as there is no thread. */
interface ReaderPorts extends Answering {
  readonly file: string;
  readonly key: Uint8Array;
  readonly beginAfter?: number;
}

/** A reader that is ended before the data file is closed. */
export interface ThreadedReader extends AgreementReader, BoardReader {
  close(): Promise<void>;
}

/** What became of a question of which the thread said nothing more. */
class Lost extends Error {}

const Groups = z.array(AgreementGroup);
const Place = z.number().nullable();
const Count = z.number();
const Numbers = z.instanceof(Uint32Array);
const Rows = z.array(Agreement);
const OldCopies = z.object({
  number: Count,
  bytes: Count,
  oldest: Count.nullable(),
  younger: Count,
  unsettled: Count,
  notArchived: Count,
});
const Took = { count: Count, median: Count, ninety: Count } as const;
const OfBoard: z.ZodType<BoardNumbers> = z.object({
  waiting: z.object({ counts: z.array(Count), unknown: Count }),
  signing: z.object({
    months: z.array(z.object({ at: Count, ...Took })),
    templates: z.array(z.object({ template: z.string().nullable(), ...Took })),
    moreTemplates: Count,
    unknown: Count,
  }),
  expiring: z.object({ counts: z.array(Count), unknown: Count, past: Count }),
  failed: z.array(z.object({ kind: FailedKind, count: Count })),
});

/**
 * Answers in a thread of its own, which begins a moment after the first question; until it has
 * opened the data file, and whenever it is lost, the main loop answers by itself.
 */
export function readInThread(ports: ReaderPorts): ThreadedReader {
  const { beginAfter = BEGIN_AFTER } = ports;
  let thread: Thread | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const begin = (): void => {
    timer = null;
    const begun = new Thread(ports, () => {
      // One that never opened the data file would not do so the next time either.
      if (begun.isReady) thread = null;
    });
    thread = begun;
  };
  const ask = async (question: Question): Promise<unknown> => {
    if (thread === null && timer === null && !isClosed) {
      timer = setTimeout(begin, beginAfter);
      timer.unref();
    }
    if (thread === null || !thread.isReady) return answerQuestion(ports, question);
    try {
      return await thread.ask(question);
    } catch (error) {
      if (error instanceof Lost) return answerQuestion(ports, question);
      throw error;
    }
  };

  return {
    list: async (query, now) => AgreementPage.parse(await ask({ about: 'list', query, now })),
    window: async (stretch, now) =>
      AgreementWindow.parse(await ask({ about: 'window', stretch, now })),
    groups: async (view, now) => Groups.parse(await ask({ about: 'groups', view, now })),
    position: async (view, key, now) =>
      Place.parse(await ask({ about: 'position', view, key, now })),
    keys: async (stretch, now) => AgreementKeys.parse(await ask({ about: 'keys', stretch, now })),
    numbers: async (view, now) => Numbers.parse(await ask({ about: 'numbers', view, now })),
    // A part of a larger array would be sent with the whole.
    rows: async (numbers, more = []) =>
      Rows.parse(await ask({ about: 'rows', numbers: Uint32Array.from(numbers), more: [...more] })),
    named: async (keys, more) =>
      Rows.parse(await ask({ about: 'named', keys: [...keys], more: [...more] })),
    count: async (filter, now) => Count.parse(await ask({ about: 'count', filter, now })),
    counts: async (connectionId, now) =>
      AgreementCounts.parse(await ask({ about: 'counts', connectionId, now })),
    retirable: async (before) => OldCopies.parse(await ask({ about: 'retirable', before })),
    board: async (asked) => OfBoard.parse(await ask({ about: 'board', asked })),
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await thread?.close();
      thread = null;
    },
  };
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

class Thread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #isOpen = false;
  #hasEnded = false;

  constructor({ file, key }: ReaderPorts, onEnd: () => void) {
    // Nothing of the program's arguments or variables is the thread's business.
    this.#worker = new Worker(WORKER, { workerData: { file, key }, env: {}, argv: [] });
    this.#worker.unref();
    this.#worker.on('message', (message: unknown) => this.#receive(Reply.parse(message)));
    let why: unknown;
    this.#worker.on('error', (error) => void (why = error));
    this.#worker.on('exit', () => {
      onEnd();
      this.#hasEnded = true;
      const lost = new Lost('The thread that reads lists was lost', { cause: why });
      for (const { reject } of this.#waiting.values()) reject(lost);
      this.#waiting.clear();
    });
  }

  get isReady(): boolean {
    return this.#isOpen && !this.#hasEnded;
  }

  ask(question: Question): Promise<unknown> {
    this.#asked += 1;
    const number = this.#asked;
    this.#worker.ref();
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      this.#send({ number, question });
    });
  }

  async close(): Promise<void> {
    if (this.#hasEnded) return;
    this.#worker.ref();
    this.#send({ end: true });
    // Also where it fails at this very moment: closing goes on.
    await new Promise((resolve) => this.#worker.once('exit', resolve));
  }

  #send(ask: Ask): void {
    this.#worker.postMessage(ask);
  }

  #receive(reply: Reply): void {
    if (reply.kind === 'ready') {
      this.#isOpen = true;
      return;
    }
    const waiting = this.#waiting.get(reply.number);
    this.#waiting.delete(reply.number);
    if (this.#waiting.size === 0) this.#worker.unref();
    if (reply.kind === 'answer') waiting?.resolve(reply.value);
    else {
      waiting?.reject(
        reply.failure === null
          ? new Error('Reading a list failed', { cause: reply.stack })
          : AppError.from(reply.failure),
      );
    }
  }
}
