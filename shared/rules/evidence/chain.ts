import type { EvidenceBreak, EvidenceEntry } from '../../contract/evidence.ts';
import { readEntry } from './entry.ts';

interface StoredEntry {
  readonly number: number;
  readonly text: string;
  readonly hash: string;
}

interface Place {
  readonly entries: number;
  readonly hash: string;
}

/** How a log of evidence reads from its first entry on. */
export interface EvidenceChain {
  /** Entries that follow from the one before, up to the first that does not. */
  readonly entries: number;
  /** Hash of the last of them; empty before the first. */
  readonly head: string;
  readonly firstBroken: EvidenceBreak | null;
}

/**
 * Walks a log. `places` are notes of it from outside, which it must hold; `hashOf` gives the SHA-256
 * of a text in hex, and `onEntry` hears every entry that is fine.
 */
export function walkChain(
  log: Iterable<StoredEntry>,
  hashOf: (text: string) => string,
  places: readonly Place[] = [],
  onEntry: (entry: EvidenceEntry) => void = () => undefined,
): EvidenceChain {
  let entries = 0;
  let head = '';
  for (const stored of log) {
    const found = judge(stored, entries, head, hashOf, places);
    if ('why' in found) return { entries, head, firstBroken: found };
    onEntry(found);
    entries += 1;
    head = stored.hash;
  }
  return { entries, head, firstBroken: null };
}

function judge(
  stored: StoredEntry,
  before: number,
  previous: string,
  hashOf: (text: string) => string,
  places: readonly Place[],
): EvidenceBreak | EvidenceEntry {
  const number = before + 1;
  if (stored.number !== number) return { number, why: 'missing' };
  if (hashOf(stored.text) !== stored.hash) return { number, why: 'changed' };
  const entry = readEntry(stored);
  if (entry === null) return { number, why: 'changed' };
  if (entry.number !== number) return { number, why: 'moved' };
  if (entry.previous !== previous) return { number, why: 'unlinked' };
  const isReplaced = places.some(({ entries, hash }) => entries === number && hash !== stored.hash);
  return isReplaced ? { number, why: 'replaced' } : entry;
}
