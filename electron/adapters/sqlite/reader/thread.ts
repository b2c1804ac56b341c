import type { AgreementLists, AgreementReader } from '../../../core/agreements/ports.ts';
import type { BoardReader, BoardStore } from '../../../core/board/ports.ts';
import { answerBy, callsTo } from '../../threads/calls.ts';
import { Thread, ThreadLostError } from '../../threads/connect.ts';
import { threadFile } from '../../threads/file.ts';
import { listCalls } from './direct.ts';

const WORKER = threadFile(import.meta.url, './worker.ts', 'reader-worker');

/**
 * Delay from the first call to the start of the thread (ms): the start of the window needs both
 * cores.
 */
const THREAD_START_DELAY_MS = 1000;

interface ReaderPorts {
  readonly file: string;
  readonly key: Uint8Array;
  /** Lists that answer while there is no thread. */
  readonly lists: AgreementLists;
  readonly board: BoardStore;
  readonly beginAfter?: number;
  /** Main file of the thread, replaced in tests. */
  readonly worker?: URL;
}

/** Reader that must be closed before the data file. */
export interface ThreadedReader extends AgreementReader, BoardReader {
  close(): Promise<void>;
}

/**
 * Answers in a separate thread, started shortly after the first call. The main loop answers until
 * the thread has opened the data file, and whenever the thread is lost.
 */
export function readInThread(ports: ReaderPorts): ThreadedReader {
  const { file, key, lists, board, beginAfter = THREAD_START_DELAY_MS, worker = WORKER } = ports;
  const fromLists = answerBy(lists);
  const here = (name: string, asked: unknown[]): unknown =>
    name === 'board' ? answerBy(board)(name, asked) : fromLists(name, asked);
  let thread: Thread | null = null;
  let timer: NodeJS.Timeout | null = null;
  let isClosed = false;

  const begin = (): void => {
    timer = null;
    const begun = new Thread({
      file: worker,
      workerData: { file, key },
      work: 'Reading lists',
      onEnd() {
        // A thread that never opened the data file would fail again.
        if (begun.hasServed) thread = null;
      },
    });
    thread = begun;
  };
  const ask = async (name: string, asked: unknown[]): Promise<unknown> => {
    if (thread === null && timer === null && !isClosed) {
      timer = setTimeout(begin, beginAfter);
      timer.unref();
    }
    if (thread === null || !thread.isReady) return here(name, asked);
    try {
      return await thread.call(name, asked);
    } catch (error) {
      if (error instanceof ThreadLostError) return here(name, asked);
      throw error;
    }
  };

  const calls = callsTo<AgreementLists & BoardStore>({ ...listCalls, board: true }, ask);
  return {
    ...calls,
    // The numbers are copied: a part of a larger array would be sent with the whole buffer.
    rows: (numbers, more) => calls.rows(Uint32Array.from(numbers), more),
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      await thread?.close();
      thread = null;
    },
  };
}
