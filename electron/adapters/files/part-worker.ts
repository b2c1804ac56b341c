import { Serial } from '../../../shared/serial.ts';
import { handOver } from '../threads/hand-over.ts';
import { serveThread } from '../threads/serve.ts';
import { directDisk } from './disk.ts';
import type { SeenEnds } from './inspect.ts';
import { createParts, type NamelessPart, type Part } from './part.ts';

/*
 * Writes downloads: hashes them, looks for their seal, flushes them and gives them their names, while
 * the main loop goes on. It knows paths and bytes; no address and no credential comes here.
 */

interface OpenPart {
  readonly opening: Promise<Part>;
  /** Its calls, in the order they came. */
  readonly turns: Serial;
}

/** By their path; opened by their first bytes, or their end. */
const open = new Map<string, OpenPart>();
const parts = createParts(directDisk);

function of<Result>(path: string, work: (opening: Promise<Part>) => Promise<Result>) {
  const begun = open.get(path) ?? { opening: parts.open(path), turns: new Serial() };
  open.set(path, begun);
  return begun.turns.run(() => work(begun.opening));
}

const calls = {
  name: (nameless: readonly NamelessPart[]) => parts.name(nameless),
  /** Gives the buffer back, to be filled again. */
  write: (path: string, buffer: Uint8Array<ArrayBuffer>, length: number) =>
    of(path, async (opening) => {
      await (await opening).write(bufferOf(buffer), length);
      return handOver(buffer, buffer.buffer);
    }),
  finish: (path: string, pdf: SeenEnds | null) =>
    of(path, async (opening) => {
      const flushed = await (await opening).finish(pdf);
      open.delete(path);
      return flushed;
    }),
  /** One of which nothing was written, or that could not even be opened, left nothing. */
  async drop(path: string) {
    const begun = open.get(path);
    open.delete(path);
    await begun?.turns.run(async () => {
      const part = await begun.opening.catch(() => null);
      await part?.drop();
    });
  },
};
export type PartCalls = typeof calls;

serveThread(calls);

const bufferOf = ({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> => Buffer.from(buffer, byteOffset, byteLength);
