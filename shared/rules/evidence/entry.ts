import { EvidenceEntry } from '../../contract/evidence.ts';

/** The entry whose hashed text this is; null when it is none. */
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
    // Not JSON any more: whoever asked learns that it is no entry.
    return null;
  }
}
