import type { DraftBodyV1 } from '../../../contract/drafts.ts';
import { type Findings, isBlank, warnOfRepeats, textOrNullIfEmpty } from '../parts/findings.ts';

type AccessRight = NonNullable<DraftBodyV1['accessRights']>[number];

const VERSION_1_UUID_PATTERN = /^[\da-f]{8}-[\da-f]{4}-1[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Checks access rights: one entry grants one action to one actor (API v1, "Access right"). */
export function checkAccessRightsV1(rights: readonly AccessRight[] = [], findings: Findings): void {
  for (const [index, right] of rights.entries()) {
    const at = `accessRights.${index}`;
    if (right.type === 'GRANT_BY_ID') checkGrantById(right, at, findings);
    else checkGrantByName(right, at, findings);
  }
  const keys = rights.map(({ type, actorType, actorId, actorName, action }) =>
    [type, actorType, actorId ?? '', actorName?.trim().toLowerCase() ?? '', action].join('\n'),
  );
  warnOfRepeats(keys, (index) => `accessRights.${index}.action`, findings);
}

/**
 * Warns of an ID that is not a UUID of version 1, as all IDs are (API v1, "Conventions"): a pasted
 * file ID of v2 has another format.
 */
export function warnOfOtherId(text: string | undefined, at: string, findings: Findings): void {
  const id = textOrNullIfEmpty(text);
  if (id !== null && !VERSION_1_UUID_PATTERN.test(id)) {
    findings.warn(at, 'format', 'This does not look like an ID of this service');
  }
}

function checkGrantById(right: AccessRight, at: string, findings: Findings): void {
  if (isBlank(right.actorId)) findings.error(`${at}.actorId`, 'required');
  else warnOfOtherId(right.actorId, `${at}.actorId`, findings);
  warnOfUnused(right, ['actorName', 'description'], at, findings);
}

function checkGrantByName(right: AccessRight, at: string, findings: Findings): void {
  if (right.actorType !== 'group') {
    findings.error(`${at}.actorType`, 'not-applicable', 'Only a group can have a name');
  }
  if (isBlank(right.actorName)) findings.error(`${at}.actorName`, 'required');
  else findings.warn(`${at}.actorName`, 'new-group');
  warnOfUnused(right, ['actorId'], at, findings);
}

function warnOfUnused(
  right: AccessRight,
  keys: readonly ('actorId' | 'actorName' | 'description')[],
  at: string,
  findings: Findings,
): void {
  for (const key of keys) {
    if (textOrNullIfEmpty(right[key]) !== null) findings.warn(`${at}.${key}`, 'not-applicable');
  }
}
