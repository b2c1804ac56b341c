import type { Download } from './file-ports.ts';

/** Pieces as one. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** All that is still to come, as one; for what fits into memory. */
export async function gathered(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return joined(parts);
}

/** Something whole where pieces are asked for. */
export async function* inOne<Whole>(whole: Whole): AsyncGenerator<Whole> {
  yield whole;
}

/** Bytes that are already here, as something to save. */
export function downloadOf(data: Uint8Array): Download {
  return { chunks: inOne(data), bytes: data.length };
}
