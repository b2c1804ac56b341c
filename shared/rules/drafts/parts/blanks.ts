import type { DraftContent } from '../../../contract/drafts.ts';
import type { Findings } from './findings.ts';

/** Keys of free text: a space is a valid value of a field, and a message may be blank. */
const KEYS_THAT_MAY_BE_BLANK = new Set([
  'value',
  'tags',
  'placeholders',
  'additionalText',
  'message',
]);

/**
 * Rejects texts of only spaces. An empty box is omitted when a draft is sent, but spaces would be
 * sent as an unreadable name, title or ID. Skips fields that another rule reported.
 */
export function checkBlanks({ body }: DraftContent, findings: Findings): void {
  const reported = new Set(findings.errors.map(({ field }) => field));
  for (const at of blanksIn(body, '')) if (!reported.has(at)) findings.error(at, 'blank');
}

function blanksIn(value: unknown, at: string): readonly string[] {
  if (typeof value === 'string') return value !== '' && value.trim() === '' ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    KEYS_THAT_MAY_BE_BLANK.has(key) ? [] : blanksIn(inner, at === '' ? key : `${at}.${key}`),
  );
}
