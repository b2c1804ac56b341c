import type { Download } from './file-ports.ts';

export function joinChunks(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Reads the remaining chunks into memory and joins them. */
export async function collectChunks(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joinChunks(parts);
}

export async function* asSingleChunk<Whole>(whole: Whole): AsyncGenerator<Whole> {
  yield whole;
}

export function downloadOf(data: Uint8Array): Download {
  return { chunks: asSingleChunk(data), bytes: data.length };
}
