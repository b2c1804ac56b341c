import type { SavedFile } from '../../../shared/contract/agreements.ts';
import { acceptAny } from './accept.ts';
import { downloadOf } from '../chunks.ts';
import type { Files } from '../ports.ts';

/** Saves bytes the program made itself: whole or not at all, and never over a file. */
export function saveBytes(files: Files, file: string, data: Uint8Array): Promise<SavedFile> {
  return files.saveNew(file, downloadOf(data), acceptAny, new AbortController().signal);
}
