import type { SavedFile } from '../../../shared/contract/agreements.ts';
import { acceptAllBytes } from './accept.ts';
import { downloadOf } from '../chunks.ts';
import type { Files } from '../ports.ts';

/** Saves bytes made by the program: completely or not at all, never over an existing file. */
export function saveBytes(files: Files, file: string, data: Uint8Array): Promise<SavedFile> {
  return files.saveNew(file, downloadOf(data), acceptAllBytes, new AbortController().signal);
}
