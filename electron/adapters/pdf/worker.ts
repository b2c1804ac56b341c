import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { createPdfEngine } from './engine.ts';
import { Ask, type Reply } from './worker-messages.ts';

/** Reads and fills PDFs apart from the program: what a hostile file does ends with this thread. */
const engine = createPdfEngine();

parentPort?.on('message', (message: unknown) => void answer(Ask.parse(message)));

async function answer(ask: Ask): Promise<void> {
  try {
    const value = await work(ask);
    // A merged file is handed over, not copied.
    const moved = value !== null && 'data' in value ? [value.data.buffer] : [];
    post(
      { ok: true, value },
      moved.filter((buffer) => buffer instanceof ArrayBuffer),
    );
  } catch (error) {
    const failure = error instanceof AppError ? error.failure : null;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ ok: false, failure, stack }, []);
  }
}

function post(reply: Reply, moved: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(reply, [...moved]);
}

async function work(ask: Ask) {
  switch (ask.do) {
    case 'read':
      return engine.read(ask.data);
    case 'merge':
      return engine.merge(ask.data, ask.values, ask.flatten);
    case 'compile':
      return engine.compile(ask.data, ask.letters);
    case 'fill':
      return engine.fill(ask.form, ask.values);
    case 'close':
      engine.close(ask.form);
      return null;
  }
}
