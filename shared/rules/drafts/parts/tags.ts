import { checkLength, type Findings } from './findings.ts';

/**
 * Maximum number of the user's tags. One of the hundred in API v1, "Tags", is this program's own
 * tag, by which it finds an agreement after a lost response.
 */
export const TAGS_MAX = 99;
const KEY_MAX = 128;
const VALUE_MAX = 256;
const ALLOWED = /^[\p{L}\s\d+\-=._:/]*$/u;
/** Reserved keys: `egr:` belongs to the service, `desk.` to this program. */
const RESERVED = /^\s*(egr:|desk\.)/i;

/** Checks number, length and names of the tags (API v1, "Tags"). */
export function checkTags(
  tags: Readonly<Record<string, string>> | undefined,
  findings: Findings,
): void {
  const entries = Object.entries(tags ?? {});
  if (entries.length > TAGS_MAX)
    findings.error(
      'tags',
      'too-many',
      `There can be at most ${TAGS_MAX} tags. The service accepts 100, and Signing Desk uses one to find the agreement again`,
    );
  const names = new Set<string>();
  for (const [key, value] of entries) {
    const at = `tags.${key}`;
    if (RESERVED.test(key)) findings.error(at, 'reserved');
    if (key === '') findings.error(at, 'required');
    else if (value === '') findings.warn(at, 'blank');
    checkLength(key, KEY_MAX, at, findings);
    checkLength(value, VALUE_MAX, at, findings);
    if (names.has(key.trim())) findings.error(at, 'duplicate');
    names.add(key.trim());
    if ([key, value].some((text) => !ALLOWED.test(text) || text !== text.trim())) {
      findings.error(at, 'format');
    }
  }
}
