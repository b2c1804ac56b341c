import type { SavedFile } from '../../../shared/contract/agreements.ts';
import type { HandlersOf } from '../../../shared/contract/index.ts';
import { foldName, safeStem } from '../../../shared/rules/files/file-name.ts';
import type { ByteExchange } from '../host-ports.ts';
import type { Files } from '../ports.ts';
import { saveBytes } from './save.ts';

interface SavingPorts {
  readonly files: Files;
  readonly bytes: ByteExchange;
}

const FALLBACK_FILE_NAME = 'file';
const NAME_EXTENSION = /\.[a-z0-9]{1,16}$/i;

/**
 * Creates the handlers that save a call's in-memory result to disk: reports, sample spreadsheets,
 * templates, mappings.
 */
export function createSavedFileHandlers({ files, bytes }: SavingPorts): HandlersOf<'files'> {
  return {
    'files.save': async ({ out, folder, fileName }) =>
      saveInFolder(files, { folder, fileName, data: bytes.take(out) }),
  };
}

/** Saves a file in a folder chosen by the user, under the next free name based on `fileName`. */
export async function saveInFolder(
  files: Files,
  file: { readonly folder: string; readonly fileName: string; readonly data: Uint8Array },
): Promise<SavedFile> {
  const { folder, fileName, data } = file;
  const taken = new Set((await files.prepareFolder(folder)).map(foldName));
  return saveBytes(files, files.join(folder, freeName(fileName, taken)), data);
}

/** Returns a name that is valid on every system, numbered if the folder already has it. */
function freeName(fileName: string, taken: ReadonlySet<string>): string {
  const ending = NAME_EXTENSION.exec(fileName)?.[0] ?? '';
  const stem = safeStem(fileName.slice(0, fileName.length - ending.length)) || FALLBACK_FILE_NAME;
  let free = stem + ending;
  for (let copy = 2; taken.has(foldName(free)); copy += 1) free = `${stem} (${copy})${ending}`;
  return free;
}
