import { type Findings, lengthOf } from './draft-findings.ts';

/** API v1, "Tags"; one of the hundred is the desk's own, by which a lost reply is found again. */
const TAGS_MAX = 99;
const KEY_MAX = 128;
const VALUE_MAX = 256;
const ALLOWED = /^[\p{L}\p{M}\s\d+\-=._:/]*$/u;
/** `egr:` is the service's; `desk.` is ours. */
const RESERVED = /^(egr:|desk\.)/i;

export function checkTags(
  tags: Readonly<Record<string, string>> | undefined,
  findings: Findings,
): void {
  const entries = Object.entries(tags ?? {});
  if (entries.length > TAGS_MAX) findings.error('tags', 'too-long', `At most ${TAGS_MAX} tags`);
  for (const [key, value] of entries) {
    const at = `tags.${key}`;
    if (RESERVED.test(key)) findings.error(at, 'reserved');
    if (key === '' || value === '') findings.error(at, 'required');
    if (lengthOf(key) > KEY_MAX || lengthOf(value) > VALUE_MAX) findings.error(at, 'too-long');
    if ([key, value].some((text) => !ALLOWED.test(text) || text !== text.trim())) {
      findings.error(at, 'format');
    }
  }
}
