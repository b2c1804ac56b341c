import { parentPort } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import { Serial } from '../../../shared/serial.ts';
import { directDisk } from './disk.ts';
import { createParts, type Part } from './part.ts';
import type { PartAsk, PartReply, PartResult, PartTask } from './part-messages.ts';

/*
 * Writes downloads: hashes them, looks for their seal, flushes them and gives them their names, while
 * the main loop goes on. It knows paths and bytes; no address and no credential comes here.
 */

/** Parts under way by their path, each with its tasks in the order they came. */
const open = new Map<string, { readonly part: Promise<Part>; readonly turns: Serial }>();
const parts = createParts(directDisk);

parentPort?.on('message', (ask: PartAsk) => void answer(ask));

async function answer({ number, task }: PartAsk): Promise<void> {
  try {
    const value = await work(task);
    post({ number, ok: true, value }, value instanceof Uint8Array ? [value.buffer] : []);
  } catch (error) {
    const failure = error instanceof AppError ? error.failure : null;
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
    post({ number, ok: false, failure, stack }, []);
  }
}

function post(reply: PartReply, moved: readonly ArrayBuffer[]): void {
  parentPort?.postMessage(reply, [...moved]);
}

function work(task: PartTask): Promise<PartResult> {
  if (task.do === 'name') return parts.name(task.files);
  const { part: path } = task;
  const begun = open.get(path) ?? { part: parts.open(path), turns: new Serial() };
  open.set(path, begun);
  return begun.turns.run(async () => {
    switch (task.do) {
      case 'write':
        await (await begun.part).write(bufferOf(task.buffer), task.length);
        return task.buffer;
      case 'finish': {
        const flushed = await (await begun.part).finish(task.pdf);
        open.delete(path);
        return flushed;
      }
      case 'drop':
        open.delete(path);
        await dropPart(begun.part);
        return null;
    }
  });
}

/** One that could not even be opened left nothing. */
async function dropPart(opening: Promise<Part>): Promise<void> {
  const part = await opening.catch(() => null);
  await part?.drop();
}

function bufferOf({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> {
  return Buffer.from(buffer, byteOffset, byteLength);
}
