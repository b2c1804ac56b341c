import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Files to download: their number and their size in bytes. */
export interface Load {
  readonly files: number;
  readonly bytes: number;
  /** Delay before each answer (ms). */
  readonly latency?: number;
}

/** Downloads the files and returns the time (ms). */
export type Peer = (origin: string, load: Load, parallel: number) => number;

export const isInstalled = (program: string): boolean =>
  spawnSync(program, ['--version']).status === 0;

/** Runs `work` in its own folder on the same disk, after earlier writes have been flushed. */
export async function inFolder<Result>(
  work: (folder: string) => Result | Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(path.join(tmpdir(), 'desk-bench-'));
  spawnSync('sync');
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Downloads with curl, which neither hashes, checks nor flushes. */
export const curl: Peer = (origin, load, parallel) =>
  download('curl', load, (index, out) => `url="${origin}/${index}"\noutput="${out}"\n`, {
    argsFor: (list) => ['-sS', '-Z', '--parallel-max', String(parallel), '-K', list],
  });

/** Downloads with curl, then reads each file again to hash it, and flushes it to the disk. */
export const curlHashedAndFlushed: Peer = (origin, load, parallel) =>
  download('curl', load, (index, out) => `url="${origin}/${index}"\noutput="${out}"\n`, {
    argsFor: (list) => ['-sS', '-Z', '--parallel-max', String(parallel), '-K', list],
    after: (folder) => {
      for (const program of ['sha256sum', 'sync']) {
        const each = `find . -type f -print0 | xargs -0 -n 25 -P ${parallel} ${program} > /dev/null`;
        const { status, stderr } = spawnSync('sh', ['-c', each], { cwd: folder, encoding: 'utf8' });
        if (status !== 0) throw new Error(`${program}: ${stderr}`);
      }
    },
  });

export const aria2c: Peer = (origin, load, parallel) =>
  download('aria2c', load, (index, out) => `${origin}/${index}\n out=${path.basename(out)}\n`, {
    argsFor: (list, folder) => [
      ...['-q', '-j', String(parallel), '--file-allocation=none', '-d', folder, '-i', list],
    ],
  });

interface Program {
  readonly argsFor: (list: string, folder: string) => readonly string[];
  /** Further work that is part of the measurement, in the folder with the files. */
  readonly after?: (folder: string) => void;
}

function download(
  program: string,
  { files }: Load,
  line: (index: number, out: string) => string,
  { argsFor, after = () => undefined }: Program,
): number {
  const parent = mkdtempSync(path.join(tmpdir(), 'desk-bench-'));
  try {
    const list = path.join(parent, 'list');
    const out = path.join(parent, 'out');
    mkdirSync(out);
    const lines = Array.from({ length: files }, (_, index) =>
      line(index, path.join(out, `${index}.pdf`)),
    );
    writeFileSync(list, lines.join(''));
    spawnSync('sync');
    const started = performance.now();
    const { status, stderr } = spawnSync(program, argsFor(list, out), { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
    after(out);
    return performance.now() - started;
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}
