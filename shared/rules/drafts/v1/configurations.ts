import type { ConfigurationV1 as Configuration, PartyV1 } from '../../../model/agreement-v1.ts';
import { checkLength, type Findings, warnOfRepeats } from '../parts/findings.ts';
import { checkRegional } from '../parts/regional.ts';
import { checkReminderTime, type CheckTimes } from '../parts/times.ts';

type Field = Exclude<keyof Configuration, 'type'>;

/** Maximum length of the sender's name in a text message (API v1, "Configuration"). */
const MAX_SENDER_NAME_LENGTH = 11;

const regionalFields = ['locale', 'timeZone'] as const;

/** Fields of each type of configuration (API v1, "Configuration (agreement level)"). */
const fieldsByType: Readonly<Record<Configuration['type'], readonly Field[]>> = {
  DEFAULT: regionalFields,
  NOTIFICATION: [...regionalFields, 'sendExpiryReminderOn'],
  CONTAINER: regionalFields,
  REVIEW_DETAILS: ['enabled', 'visible'],
  WATERMARK: ['x', 'y', 'rotation'],
  OWNER_DETAILS: ['companyName', 'companyShortName'],
  PDF_SEALING: ['enabled'],
  REJECTION: ['enabled'],
};
const everyField = [...new Set(Object.values(fieldsByType).flat())];

/** Checks configurations; each type has its fields (API v1, "Configuration (agreement level)"). */
export function checkConfigurationsV1(
  configurations: readonly Configuration[] = [],
  times: CheckTimes,
  findings: Findings,
): void {
  for (const [index, one] of configurations.entries()) {
    const at = `configurations.${index}`;
    for (const field of everyField) {
      const isGiven = one[field] !== undefined && one[field] !== '';
      if (isGiven && !fieldsByType[one.type].includes(field)) {
        findings.error(`${at}.${field}`, 'not-applicable', `Not a field of ${one.type}`);
      }
    }
    checkRegional(one, at, findings);
    checkLength(one.companyShortName, MAX_SENDER_NAME_LENGTH, `${at}.companyShortName`, findings);
    checkReminderTime(one.sendExpiryReminderOn, times, `${at}.sendExpiryReminderOn`, findings);
  }
  warnOfRepeatedType(configurations, 'configurations', findings);
}

/** Checks configurations of a party (API v1, "Party configuration"). */
export function checkPartyConfigurationsV1(
  configurations: PartyV1['configurations'] = [],
  times: CheckTimes,
  at: string,
  findings: Findings,
): void {
  for (const [index, one] of configurations.entries()) {
    const place = `${at}.${index}`;
    checkRegional(one, place, findings);
    checkReminderTime(one.sendExpiryReminderOn, times, `${place}.sendExpiryReminderOn`, findings);
  }
  warnOfRepeatedType(configurations, at, findings);
}

/** Warns of a second setting of a type: API v1 does not document which of the two applies. */
function warnOfRepeatedType(
  configurations: readonly { readonly type: Configuration['type'] }[],
  at: string,
  findings: Findings,
): void {
  const types = configurations.map(({ type }) => type);
  warnOfRepeats(types, (index) => `${at}.${index}.type`, findings);
}
