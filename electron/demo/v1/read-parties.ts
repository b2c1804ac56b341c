import { company } from '../state/account.ts';
import type { Place } from '../server/body.ts';
import { isCountry, isPersonNumber } from '../server/formats.ts';
import { emailRule, mobileRule, type Draft } from './draft.ts';
import { readNotifications } from './read-notifications.ts';
import { readPartyConfigurations } from './read-settings.ts';
import { readIdentificationConfiguration, readSigningConfiguration } from './read-signing.ts';
import type { Configuration, Party } from '../state/record-v1.ts';

const PARTY_FIELDS = [
  'type',
  'firstName',
  'lastName',
  'name',
  'email',
  'mobile',
  'country',
  'personNumber',
  'companyNumber',
  'signingOrder',
  'configurations',
  'signingConfigurations',
  'identificationConfigurations',
  'notifications',
];
const MAX_SIGNING_ORDER = 10_000;
export const countryRule = { form: isCountry, called: 'an ISO 3166-1 alpha-2 code' } as const;

export function readParties(
  place: Place,
  draft: Draft,
  inherited: readonly Configuration[],
): Party[] {
  return place.needItems().map((item) => readParty(item.object(PARTY_FIELDS), draft, inherited));
}

function readParty(item: Place, draft: Draft, inherited: readonly Configuration[]): Party {
  const who = readPartyIdentity(item);
  const configurations = readPartyConfigurations(item.get('configurations'), draft);
  const rules = {
    media: ['EMAIL', 'SMS'],
    usualAddress: who.email,
    configurations: [...configurations, ...inherited],
  } as const;
  return {
    id: draft.store.uuid(),
    ...who,
    signingOrder: item.get('signingOrder').whole(1, MAX_SIGNING_ORDER) ?? 1,
    configurations,
    signingConfigurations: item
      .get('signingConfigurations')
      .needItems()
      .map((one) => readSigningConfiguration(one, draft)),
    identificationConfigurations: item
      .get('identificationConfigurations')
      .items()
      .map((one) => readIdentificationConfiguration(one, draft)),
    notifications: readNotifications(item.get('notifications'), rules, draft),
    state: 'DRAFT',
    signedOn: null,
    signedWith: null,
    signer: null,
    rejectionReason: null,
  };
}

function readPartyIdentity(item: Place) {
  const type = item.get('type').needChoice(['PRIVATE', 'COMPANY', 'MY_COMPANY']);
  const isOurs = type === 'MY_COMPANY';
  if (isOurs) {
    for (const key of ['name', 'companyNumber', 'country']) {
      item.get(key).forbid('Must not be sent for MY_COMPANY; the account knows it.');
    }
  } else if (type === 'PRIVATE') {
    item.get('companyNumber').forbid('Only for COMPANY.');
  }
  const needName = (key: string, isNeeded: boolean) =>
    isNeeded ? item.get(key).needText() : item.get(key).text();
  return {
    type,
    firstName: needName('firstName', type === 'PRIVATE'),
    lastName: needName('lastName', type === 'PRIVATE'),
    name: isOurs ? company.name : needName('name', type === 'COMPANY'),
    email: item.get('email').text(emailRule),
    mobile: item.get('mobile').text(mobileRule),
    country: isOurs ? company.country : item.get('country').text(countryRule),
    personNumber: readPersonNumber(item, isOurs ? company.country : null),
    companyNumber: isOurs ? company.orgNo : item.get('companyNumber').text(),
  };
}

function readPersonNumber(item: Place, ownCountry: string | null): string | null {
  const place = item.get('personNumber');
  if (!place.isPresent) return null;
  const country = ownCountry ?? item.get('country').needText(countryRule);
  return place.text({
    form: (text) => isPersonNumber(country, text),
    called: `a personal identity number of ${country}`,
  });
}
