import { type FileHandle, open } from 'node:fs/promises';

/** What all open files of this process share. Node names their class nowhere. */
export async function handlePrototype(): Promise<FileHandle> {
  const handle = await open(import.meta.filename);
  await handle.close();
  return Object.getPrototypeOf(handle);
}
