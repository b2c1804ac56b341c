import fs, { fstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { vi } from 'vitest';
import { handlePrototype } from './file-handles.ts';

/** A flushed file or folder, with the content of the watched folder at that moment. */
export interface Flush {
  readonly what: 'file' | 'folder';
  /** Length of the flushed file. */
  readonly bytes: number;
  /** Every file of the watched folder, with its text, by name. */
  readonly lying: ReadonlyMap<string, string>;
}

export interface Flushes extends Disposable {
  readonly seen: readonly Flush[];
}

/**
 * Watches every flush of a file handle or a file number that this process requests from the system.
 * Each flush is still carried out.
 * @param meanwhile runs during a flush, after its content was recorded
 */
export async function watchFlushes(
  folder: string,
  meanwhile: (flush: Flush) => Promise<void> = async () => {},
): Promise<Flushes> {
  const prototype = await handlePrototype();
  const sync = Reflect.get(prototype, 'sync');
  const seen: Flush[] = [];
  const spy = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
    const found = await this.stat();
    const what = found.isDirectory() ? 'folder' : 'file';
    const flush = { what, bytes: found.size, lying: filesIn(folder) } as const;
    seen.push(flush);
    await meanwhile(flush);
    await sync.call(this);
  });
  const { fsync } = fs;
  const watched = (file: number, done: (error: NodeJS.ErrnoException | null) => void): void => {
    const found = fstatSync(file);
    const what = found.isDirectory() ? 'folder' : 'file';
    const flush = { what, bytes: found.size, lying: filesIn(folder) } as const;
    seen.push(flush);
    void meanwhile(flush).then(() => fsync(file, done));
  };
  fs.fsync = Object.assign(watched, { __promisify__: fsync.__promisify__ });
  syncBuiltinESMExports();
  return {
    seen,
    [Symbol.dispose]: () => {
      spy.mockRestore();
      fs.fsync = fsync;
      syncBuiltinESMExports();
    },
  };
}

function filesIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder).filter((name) => statSync(path.join(folder, name)).isFile());
  return new Map(
    names.toSorted().map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
  );
}
