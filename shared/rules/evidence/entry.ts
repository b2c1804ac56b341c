import { EvidenceEntry } from '../../contract/evidence.ts';

/** Parses an entry from its hashed text; null if it is invalid. */
export function readEntry({
  text,
  hash,
}: {
  readonly text: string;
  readonly hash: string;
}): EvidenceEntry | null {
  const found = EvidenceEntry.safeParse(withHash(text, hash));
  return found.success ? found.data : null;
}

function withHash(text: string, hash: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed, hash } : null;
  } catch {
    // The stored text is not JSON, so the entry is invalid.
    return null;
  }
}
