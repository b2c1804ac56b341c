import type { DraftContent } from '../../../contract/drafts.ts';
import type { Findings } from './findings.ts';

/** Free text of any kind: space is a value of a field, and a letter may begin with it. */
const MAY_BE_BLANK = new Set(['value', 'tags', 'placeholders', 'additionalText', 'message']);

/**
 * Refuses texts that are nothing but space. An emptied box is left out when a draft is sent, but
 * space would go out as a name, a title or an id that nobody can read. Where another rule has
 * spoken already, this one is silent.
 */
export function checkBlanks({ body }: DraftContent, findings: Findings): void {
  const reported = new Set(findings.errors.map(({ field }) => field));
  for (const at of blanksIn(body, '')) if (!reported.has(at)) findings.error(at, 'blank');
}

function blanksIn(value: unknown, at: string): readonly string[] {
  if (typeof value === 'string') return value !== '' && value.trim() === '' ? [at] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    MAY_BE_BLANK.has(key) ? [] : blanksIn(inner, at === '' ? key : `${at}.${key}`),
  );
}
