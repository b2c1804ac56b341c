import type { App } from 'electron';
import type { Desk } from '../../compose/compose.ts';
import { isLink, LINK_SCHEME } from '../../../shared/rules/links/scheme.ts';
import { Serial } from '../../../shared/serial.ts';
import { give, wordsToOpen } from '../open-arguments.ts';

/** What the system and people want opened, on its way to the desk. */
interface Hearing {
  /** Gives the desk what came, and from then on whatever comes. */
  readonly giveTo: (desk: Desk) => void;
  /** Takes files that a person let fall on the program, by their whole paths. */
  readonly takeFiles: (files: readonly string[]) => void;
  /** The desk ends: what comes from now on is for the next start. */
  readonly close: () => void;
  /** Somebody wants the window, which is gone already. */
  readonly keep: () => void;
  /** Links and files for the next start; null where no start was asked for. */
  readonly kept: () => readonly string[] | null;
}

/**
 * Hears of links and files that the system wants this program to open, and keeps them until there is
 * a desk; called before Electron is ready, since a Mac tells of the first one by then.
 * @param first what this start was called with
 */
export function hearOfLinks(
  app: App,
  first: readonly string[],
  platform = process.platform,
): Hearing {
  const waiting = [...first];
  // A file takes longer to read than the link that comes behind it.
  const turns = new Serial();
  // Words that the desk does not have yet: it may end while their files are read.
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
      if (unread.has(words)) await give({ arrive }, words);
      unread.delete(words);
    });
  };
  const takeOne = (event: { preventDefault(): void }, word: string): void => {
    event.preventDefault();
    // Its directory is nobody's choice here: the system names files whole.
    take(wordsToOpen([word], '/'));
  };
  app.on('open-url', (event, url) => takeOne(event, url));
  app.on('open-file', (event, file) => takeOne(event, file));
  app.on('second-instance', (_event, _args, _folder, handed) => take(wordsOf(handed)));
  // On Linux the desktop file says so, and only an installed program has one.
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

/** Only a program of this account can hand something over; it is looked at all the same. */
function wordsOf(handed: unknown): readonly string[] {
  if (typeof handed !== 'object' || handed === null || !('open' in handed)) return [];
  const { open } = handed;
  if (!Array.isArray(open)) return [];
  const words = open.filter((word) => typeof word === 'string');
  return words.some(isLink) ? words.filter(isLink).slice(0, 1) : wordsToOpen(words, '/');
}
