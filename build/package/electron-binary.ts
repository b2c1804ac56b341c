import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { place, tools } from '../places.ts';
import { runNode } from '../run.ts';

/** A download that takes longer is not worth waiting for at a start. */
const INSTALL_TIMEOUT = 120_000;

/** Remembers a download that failed, so that the next start does not wait for another. */
const TRIED = 'dist/electron-download-failed';

/** The absolute path of Electron's program, or `undefined` when it is not installed. */
export async function findElectron(): Promise<string | undefined> {
  const name = await readFile(place('node_modules/electron/path.txt'), 'utf8').catch(
    () => undefined,
  );
  if (name === undefined) return undefined;
  const program = place('node_modules/electron/dist', name);
  return existsSync(program) ? program : undefined;
}

/** Finds Electron, or downloads it with its own installer, once. */
export async function takeElectron(): Promise<string | undefined> {
  const found = await findElectron();
  if (found !== undefined || existsSync(place(TRIED))) return found;
  console.log('taking Electron, the first time …');
  const { code, output } = await runNode(place(tools.installElectron), [], {
    timeout: INSTALL_TIMEOUT,
  });
  if (code === 0) return findElectron();
  await mkdir(path.dirname(place(TRIED)), { recursive: true });
  await writeFile(place(TRIED), output);
  return undefined;
}
