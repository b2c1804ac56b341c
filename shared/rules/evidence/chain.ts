import type {
  EvidenceFault,
  EvidenceEntry,
  MissingEvidenceRange,
} from '../../contract/evidence.ts';
import { readEntry } from './entry.ts';

interface StoredEntry {
  readonly number: number;
  readonly text: string;
  readonly hash: string;
}

interface ChainPosition {
  readonly entries: number;
  readonly hash: string;
}

/** Facts about a log that its entries do not contain. */
interface KnownChainState {
  /** Positions that were stored outside the log, and that the log must contain. */
  readonly places?: readonly ChainPosition[];
  /**
   * Entries that the log itself reports as unreadable: the link of the next entry cannot be
   * verified.
   */
  readonly unread?: readonly MissingEvidenceRange[];
}

/** Result of reading an evidence log from its first entry. */
export interface EvidenceChain {
  /** Number of the last entry before the first broken link. */
  readonly entries: number;
  /** Hash of the entry with the number `entries`; empty if `entries` is 0. */
  readonly head: string;
  readonly firstBroken: EvidenceFault | null;
}

/**
 * Verifies a log. `hashOf` returns the SHA-256 of a text in hex. `onEntry` is called for every
 * valid entry.
 */
export function walkChain(
  log: Iterable<StoredEntry>,
  hashOf: (text: string) => string,
  { places = [], unread = [] }: KnownChainState = {},
  onEntry: (entry: EvidenceEntry) => void = () => undefined,
): EvidenceChain {
  let entries = 0;
  let head = '';
  for (const stored of log) {
    const after = entries;
    const isUnread =
      unread.some((one) => one.after === after && one.until === stored.number - 1) &&
      !places.some((place) => place.entries > after && place.entries < stored.number);
    const last = isUnread
      ? { number: stored.number - 1, hash: null }
      : { number: after, hash: head };
    const found = validateEntryLink(stored, last, hashOf, places);
    if ('why' in found) return { entries, head, firstBroken: found };
    onEntry(found);
    entries = stored.number;
    head = stored.hash;
  }
  return { entries, head, firstBroken: null };
}

function validateEntryLink(
  stored: StoredEntry,
  before: { readonly number: number; readonly hash: string | null },
  hashOf: (text: string) => string,
  places: readonly ChainPosition[],
): EvidenceFault | EvidenceEntry {
  const number = before.number + 1;
  if (stored.number !== number) return { number, why: 'missing' };
  if (hashOf(stored.text) !== stored.hash) return { number, why: 'changed' };
  const entry = readEntry(stored);
  if (entry === null) return { number, why: 'changed' };
  if (entry.number !== number) return { number, why: 'moved' };
  if (before.hash !== null && entry.previous !== before.hash) return { number, why: 'unlinked' };
  const isReplaced = places.some(({ entries, hash }) => entries === number && hash !== stored.hash);
  return isReplaced ? { number, why: 'replaced' } : entry;
}
