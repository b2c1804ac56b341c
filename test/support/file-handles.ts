import { type FileHandle, open } from 'node:fs/promises';

/** Prototype of all open file handles. Node does not export the class. */
export async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename);
  await handle.close();
  return Object.getPrototypeOf(handle);
}
