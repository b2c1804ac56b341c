import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Load } from './archive-peers.ts';

type Child = ChildProcessByStdio<null, Readable, null>;

/** Runs `work` with a service in its own process that returns the same PDF for every path. */
export async function servingPdfs<Result>(
  { bytes, latency = 0 }: Pick<Load, 'bytes' | 'latency'>,
  work: (origin: string) => Promise<Result>,
): Promise<Result> {
  const child = startChild('pdf-server.mjs', [String(bytes), String(latency)]);
  try {
    return await work(`http://127.0.0.1:${await firstWords(child)}`);
  } finally {
    child.kill();
  }
}

export function startChild(script: string, args: readonly string[]): Child {
  return spawn(process.execPath, [path.join(import.meta.dirname, 'children', script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** First output of the process, without the end of the line. */
export async function firstWords({ stdout }: Pick<Child, 'stdout'>): Promise<string> {
  const [chunk] = (await once(stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}
