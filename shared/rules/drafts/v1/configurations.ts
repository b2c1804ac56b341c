import type { ConfigurationV1 as Configuration, PartyV1 } from '../../../model/agreement-v1.ts';
import { checkLength, type Findings, warnOfRepeats } from '../parts/findings.ts';
import { checkRegional } from '../parts/regional.ts';
import { checkReminderTime, type Times } from '../parts/times.ts';

type Field = Exclude<keyof Configuration, 'type'>;

/** Maximum length of the sender's name in a text message (API v1, "Configuration"). */
const SHORT_NAME_MAX = 11;

const regional = ['locale', 'timeZone'] as const;

/** Fields of each type of configuration (API v1, "Configuration (agreement level)"). */
const fieldsOf: Readonly<Record<Configuration['type'], readonly Field[]>> = {
  DEFAULT: regional,
  NOTIFICATION: [...regional, 'sendExpiryReminderOn'],
  CONTAINER: regional,
  REVIEW_DETAILS: ['enabled', 'visible'],
  WATERMARK: ['x', 'y', 'rotation'],
  OWNER_DETAILS: ['companyName', 'companyShortName'],
  PDF_SEALING: ['enabled'],
  REJECTION: ['enabled'],
};
const everyField = [...new Set(Object.values(fieldsOf).flat())];

/** Checks configurations; each type has its fields (API v1, "Configuration (agreement level)"). */
export function checkConfigurationsV1(
  configurations: readonly Configuration[] = [],
  times: Times,
  findings: Findings,
): void {
  for (const [index, one] of configurations.entries()) {
    const at = `configurations.${index}`;
    for (const field of everyField) {
      const isGiven = one[field] !== undefined && one[field] !== '';
      if (isGiven && !fieldsOf[one.type].includes(field)) {
        findings.error(`${at}.${field}`, 'not-applicable', `Not a field of ${one.type}`);
      }
    }
    checkRegional(one, at, findings);
    checkLength(one.companyShortName, SHORT_NAME_MAX, `${at}.companyShortName`, findings);
    checkReminderTime(one.sendExpiryReminderOn, times, `${at}.sendExpiryReminderOn`, findings);
  }
  warnOfSecond(configurations, 'configurations', findings);
}

/** Checks configurations of a party (API v1, "Party configuration"). */
export function checkPartyConfigurationsV1(
  configurations: PartyV1['configurations'] = [],
  times: Times,
  at: string,
  findings: Findings,
): void {
  for (const [index, one] of configurations.entries()) {
    const place = `${at}.${index}`;
    checkRegional(one, place, findings);
    checkReminderTime(one.sendExpiryReminderOn, times, `${place}.sendExpiryReminderOn`, findings);
  }
  warnOfSecond(configurations, at, findings);
}

/** Warns of a second setting of a type: API v1 does not document which of the two applies. */
function warnOfSecond(
  configurations: readonly { readonly type: Configuration['type'] }[],
  at: string,
  findings: Findings,
): void {
  const types = configurations.map(({ type }) => type);
  warnOfRepeats(types, (index) => `${at}.${index}.type`, findings);
}
