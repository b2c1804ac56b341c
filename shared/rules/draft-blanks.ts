import { DraftContent } from '../contract/drafts.ts';

/** Texts that mean something when empty: the value of a PDF field, and of a template's placeholder. */
const MEANT_EMPTY = new Set(['value', 'placeholders']);

/**
 * A draft without the empty texts a form leaves behind where nothing was written. Both services
 * tell an empty text from an absent one, and v1 refuses some keys even when they are empty. Empty
 * lists stay: an empty `notifications` means that nobody is told.
 */
export function withoutBlanks(content: DraftContent): DraftContent {
  return DraftContent.parse({ api: content.api, body: prune(content.body) });
}

function prune(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(prune);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key, item]) => MEANT_EMPTY.has(key) || !isEmpty(item));
  return Object.fromEntries(
    kept.map(([key, item]) => [key, MEANT_EMPTY.has(key) ? item : prune(item)]),
  );
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}
