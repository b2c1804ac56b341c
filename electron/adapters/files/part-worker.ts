import { Serial } from '../../../shared/serial.ts';
import { handOver } from '../threads/hand-over.ts';
import { serveThread } from '../threads/serve.ts';
import { directDisk } from './disk.ts';
import type { InspectedEnds } from './inspect.ts';
import { createParts, type NamelessPart, type Part } from './part.ts';

/*
 * Writes downloads off the main loop: hashes them, finds their seals, flushes and renames them.
 * Receives only paths and bytes, no address and no API key.
 */

interface OpenPart {
  readonly opening: Promise<Part>;
  /** Calls of this part, in the order of arrival. */
  readonly turns: Serial;
}

/** Open parts by path. A part is opened by its first write, or by `finish` if the file is empty. */
const openPartsByPath = new Map<string, OpenPart>();
const partFunctions = createParts(directDisk);

function runInPartOrder<Result>(path: string, work: (opening: Promise<Part>) => Promise<Result>) {
  const begun = openPartsByPath.get(path) ?? {
    opening: partFunctions.open(path),
    turns: new Serial(),
  };
  openPartsByPath.set(path, begun);
  return begun.turns.run(() => work(begun.opening));
}

const partCalls = {
  name: (nameless: readonly NamelessPart[]) => partFunctions.name(nameless),
  /** Returns the buffer for reuse. */
  write: (path: string, buffer: Uint8Array<ArrayBuffer>, length: number) =>
    runInPartOrder(path, async (opening) => {
      await (await opening).write(asBuffer(buffer), length);
      return handOver(buffer, buffer.buffer);
    }),
  finish: (path: string, pdf: InspectedEnds | null) =>
    runInPartOrder(path, async (opening) => {
      const flushed = await (await opening).finish(pdf);
      openPartsByPath.delete(path);
      return flushed;
    }),
  /**
   * Closes and removes a part. If it was never written or failed to open, there is no file to
   * remove.
   */
  async drop(path: string) {
    const begun = openPartsByPath.get(path);
    openPartsByPath.delete(path);
    await begun?.turns.run(async () => {
      const part = await begun.opening.catch(() => null);
      await part?.drop();
    });
  },
};
export type PartCalls = typeof partCalls;

serveThread(partCalls);

const asBuffer = ({
  buffer,
  byteOffset,
  byteLength,
}: Uint8Array<ArrayBuffer>): Buffer<ArrayBuffer> => Buffer.from(buffer, byteOffset, byteLength);
