import type { SavedFile } from '../../shared/contract/agreements.ts';
import type { AcceptBytes, Files } from './ports.ts';

const acceptAny: AcceptBytes = () => {};

/** Saves bytes the program made itself: whole or not at all, and never over a file. */
export function saveBytes(files: Files, file: string, data: Uint8Array): Promise<SavedFile> {
  const download = { chunks: inOne(data), bytes: data.length };
  return files.saveNew(file, download, acceptAny, new AbortController().signal);
}

async function* inOne(data: Uint8Array): AsyncGenerator<Uint8Array> {
  yield data;
}
