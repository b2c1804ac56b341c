import type { DraftBodyV1, DraftBodyV2 } from '../../../contract/drafts.ts';
import type { Day } from '../../time/days.ts';
import { type Findings, warnOfRepeats, textOrNullIfEmpty } from './findings.ts';
import { personKey } from '../../identifiers/identity.ts';

/** Warns of one person as two parties, in any format of the number: legal, but rarely intended. */
export function warnOfSamePersonV1(body: DraftBodyV1, today: Day, findings: Findings): void {
  const keys = body.parties.map(({ personNumber, country }) => {
    const number = textOrNullIfEmpty(personNumber);
    return number === null ? null : personKey(number, country ?? '', today);
  });
  warnOfRepeats(keys, (index) => `parties.${index}.personNumber`, findings);
}

/** Warns of one person as two parties in v2, where every personal number is Swedish. */
export function warnOfSamePersonV2(body: DraftBodyV2, today: Day, findings: Findings): void {
  const keys = body.parties.privates.map(({ personNo }) => {
    const number = textOrNullIfEmpty(personNo);
    return number === null ? null : personKey(number, 'SE', today);
  });
  warnOfRepeats(keys, (index) => `parties.privates.${index}.personNo`, findings);
}
