import type { App } from 'electron';
import type { Desk } from '../../compose/compose.ts';
import { isLink, LINK_SCHEME } from '../../../shared/rules/links/scheme.ts';
import { Serial } from '../../../shared/serial.ts';
import { passToDesk, openableArguments } from '../open-arguments.ts';

/**
 * Collects the links and files that the system and users want opened, and passes them to the desk.
 */
interface LinkListener {
  /** Passes pending links and files to the desk, and from then on every new one. */
  readonly giveTo: (desk: Desk) => void;
  /** Opens files that the user dropped on the program, by absolute path. */
  readonly takeFiles: (files: readonly string[]) => void;
  /** Must be called when the desk is closing: later links and files are kept for the next start. */
  readonly close: () => void;
  /** Must be called when the window is requested after it closed. */
  readonly keep: () => void;
  /** Returns the links and files for the next start; null if no start was requested. */
  readonly kept: () => readonly string[] | null;
}

/**
 * Listens for links and files that the system wants this program to open, and keeps them until
 * there is a desk. Must be called before Electron is ready, because macOS reports the first link or
 * file before that.
 * @param first Links and files of this start.
 */
export function listenForLinks(
  app: App,
  first: readonly string[],
  platform = process.platform,
): LinkListener {
  const waiting = [...first];
  // Links and files are passed on in order, since a file takes longer to read than a link that
  // follows it.
  const turns = new Serial();
  // These words are not passed to the desk yet: it may close while their files are read.
  const unread = new Set<readonly string[]>();
  let desk: Desk | null = null;
  let isWanted = false;
  const take = (words: readonly string[]): void => {
    if (desk === null) waiting.push(...words);
    else giveTo(desk, words);
  };
  const giveTo = (to: Desk, words: readonly string[]): void => {
    unread.add(words);
    const arrive: Desk['arrive'] = (one) => {
      if (unread.has(words)) to.arrive(one);
    };
    void turns.run(async () => {
      if (unread.has(words)) await passToDesk({ arrive }, words);
      unread.delete(words);
    });
  };
  const takeOne = (event: { preventDefault(): void }, word: string): void => {
    event.preventDefault();
    // The directory has no effect: the system names files by absolute path.
    take(openableArguments([word], '/'));
  };
  app.on('open-url', (event, url) => takeOne(event, url));
  app.on('open-file', (event, file) => takeOne(event, file));
  app.on('second-instance', (_event, _args, _folder, handed) => take(argumentsToOpen(handed)));
  // On Linux the desktop file registers the scheme, and only an installed program has a desktop
  // file.
  if (app.isPackaged && platform !== 'linux') app.setAsDefaultProtocolClient(LINK_SCHEME);
  return {
    giveTo(opened) {
      desk = opened;
      giveTo(opened, waiting.splice(0));
    },
    takeFiles: take,
    close() {
      desk = null;
      waiting.push(...[...unread].flat());
      unread.clear();
    },
    keep() {
      isWanted = true;
    },
    kept: () => (isWanted || waiting.length > 0 ? [...waiting] : null),
  };
}

/**
 * Returns the validated words from another process. Only a program of this account can send them.
 */
function argumentsToOpen(handed: unknown): readonly string[] {
  if (typeof handed !== 'object' || handed === null || !('open' in handed)) return [];
  const { open } = handed;
  if (!Array.isArray(open)) return [];
  const words = open.filter((word) => typeof word === 'string');
  return words.some(isLink) ? words.filter(isLink).slice(0, 1) : openableArguments(words, '/');
}
