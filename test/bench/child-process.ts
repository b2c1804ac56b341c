import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import type { Load } from './archive-peers.ts';

type Child = ChildProcessByStdio<null, Readable, null>;

/** A service in a process of its own that gives the same PDF for every path, while `work` goes on. */
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

/** What it says first, without the line's end. */
export async function firstWords({ stdout }: Pick<Child, 'stdout'>): Promise<string> {
  const [chunk] = (await once(stdout, 'data')) as [Buffer];
  return chunk.toString().trim();
}
