import { checkLength, type Findings } from './findings.ts';

/**
 * Maximum number of the user's tags. One of the hundred in API v1, "Tags", is this program's own
 * tag, by which it finds an agreement after a lost response.
 */
export const TAGS_MAX = 99;
const MAX_DRAFT_TAG_KEY_LENGTH = 128;
const MAX_DRAFT_TAG_VALUE_LENGTH = 256;
const ALLOWED_TAG_PATTERN = /^[\p{L}\s\d+\-=._:/]*$/u;
/** Reserved keys: `egr:` belongs to the service, `desk.` to this program. */
const RESERVED_TAG_PATTERN = /^\s*(egr:|desk\.)/i;

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
    if (RESERVED_TAG_PATTERN.test(key)) findings.error(at, 'reserved');
    if (key === '') findings.error(at, 'required');
    else if (value === '') findings.warn(at, 'blank');
    checkLength(key, MAX_DRAFT_TAG_KEY_LENGTH, at, findings);
    checkLength(value, MAX_DRAFT_TAG_VALUE_LENGTH, at, findings);
    if (names.has(key.trim())) findings.error(at, 'duplicate');
    names.add(key.trim());
    if ([key, value].some((text) => !ALLOWED_TAG_PATTERN.test(text) || text !== text.trim())) {
      findings.error(at, 'format');
    }
  }
}
