import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { createPdfEngine } from './engine.ts';
import { Ask, Given, type Progress, type Reply } from './worker-messages.ts';

/** Reads and fills PDFs apart from the program: what a hostile file does ends with this thread. */
const engine = createPdfEngine(Given.parse(workerData).fontFolders);

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

function tell(done: number, total: number): void {
  const progress: Progress = { done, total };
  parentPort?.postMessage(progress);
}

function post(reply: Reply, moved: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(reply, [...moved]);
}

async function work(ask: Ask) {
  switch (ask.do) {
    case 'read':
      return engine.read(ask.data);
    case 'find':
      return { found: await engine.find(ask.data, tell) };
    case 'guides':
      return { pages: await engine.guides(ask.data) };
    case 'place':
      return { data: await engine.place(ask.data, ask.fields) };
    case 'carry':
      return engine.carry(ask.before, ask.after, ask.fields);
    case 'merge':
      return engine.merge(ask.data, ask.values, ask.flatten);
    case 'missing':
      return { missing: await engine.missingLetters(ask.texts) };
    case 'fits':
      return { fits: await engine.textFits(ask.data, ask.values) };
    case 'compile':
      return engine.compile(ask.data, ask.letters);
    case 'fill':
      return engine.fill(ask.form, ask.values);
    case 'close':
      engine.close(ask.form);
      return null;
  }
}
