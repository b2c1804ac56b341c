import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Desk } from '../compose/compose.ts';
import { OPENABLE_EXTENSIONS } from '../../shared/rules/drafts/extensions.ts';
import { isLink } from '../../shared/rules/links/scheme.ts';

type StartupItem = Parameters<Desk['arrive']>[0];

/**
 * Maximum number of files in one start; a desktop starts the program once for all selected files.
 */
const MAX_FILES_PER_START = 20;
/**
 * Maximum size of the files (bytes), more than any draft with its files has; the desk has the same
 * limit.
 */
const MAX_OPENED_FILE_BYTES = 64 * 1024 * 1024;

/**
 * Whether an argument can be opened: a link, or the path or `file:` address of a draft or a PDF.
 */
export const isOpenableArgument = (word: string): boolean =>
  isLink(word) ||
  (!word.startsWith('-') &&
    OPENABLE_EXTENSIONS.some((ending) => word.toLowerCase().endsWith(ending)));

/**
 * Returns the arguments from the first link or file on. Nothing after a link is read, because a
 * link that breaks out of its quotes could otherwise name options and files. Paths become absolute.
 */
export function openableArguments(words: readonly string[], cwd: string): readonly string[] {
  const [first] = words;
  if (first !== undefined && isLink(first)) return [first];
  return words
    .filter((word) => isOpenableArgument(word) && !isLink(word))
    .slice(0, MAX_FILES_PER_START)
    .map((word) => pathOf(word, cwd));
}

/**
 * Passes the links and files of a start, the system or the user to the desk, in order and in one
 * call, since PDFs that were opened together belong together. Files of other kinds are not read.
 */
export async function passToDesk(
  desk: Pick<Desk, 'arrive'>,
  words: readonly string[],
): Promise<void> {
  const given: StartupItem[] = [];
  let bytes = 0;
  for (const word of words) {
    const isRead = !isLink(word) && isOpenableArgument(word) && bytes <= MAX_OPENED_FILE_BYTES;
    const one = isRead ? await readArgument(word) : unreadableItem(word);
    given.push(one);
    if (one.kind === 'file') bytes += one.data.length;
  }
  for (const one of given) desk.arrive(one);
}

const unreadableItem = (word: string): StartupItem =>
  isLink(word) ? { kind: 'link', text: word } : missingFileItem(word);

const missingFileItem = (file: string): StartupItem => ({
  kind: 'no-file',
  name: path.basename(file),
});

/**
 * Returns the path of an argument, since a desktop may name a file by its address. Addresses of
 * another computer stay unchanged, and name no file.
 */
function pathOf(word: string, cwd: string): string {
  if (!/^file:/i.test(word)) return path.resolve(cwd, word);
  try {
    return fileURLToPath(word);
  } catch {
    return word;
  }
}

/** Reads a file if it is an ordinary one, without waiting: a pipe or a device has no end. */
async function readArgument(file: string): Promise<StartupItem> {
  try {
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile() || stats.size > MAX_OPENED_FILE_BYTES) return missingFileItem(file);
      return { kind: 'file', name: path.basename(file), data: await handle.readFile() };
    } finally {
      await handle.close();
    }
  } catch {
    return missingFileItem(file);
  }
}
