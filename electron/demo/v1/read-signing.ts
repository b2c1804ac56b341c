import type { Place } from '../server/body.ts';
import { isPersonNumber } from '../server/formats.ts';
import { mobileRule, type Draft } from './draft.ts';
import type { IdentificationConfiguration, SigningConfiguration } from '../state/record-v1.ts';

const MAX_TBS_SENDER_LENGTH = 25;
const MAX_TBS_DESCRIPTION_LENGTH = 400;

/**
 * Reads one signing method, with fields that only some methods have (API v1, "Signing
 * configuration").
 */
export function readSigningConfiguration(item: Place, draft: Draft): SigningConfiguration {
  item.object(['type', 'country', 'provider', 'identifier', 'actionType', 'tbs']);
  const type = item.get('type').needChoice(['EID', 'QES', 'SMS_OTP', 'CLICK', 'DRAW', 'API']);
  const provider = item.get('provider');
  if (type === 'QES') provider.needText();
  else provider.forbid('Only for QES.');
  const country = readEidCountry(item, type === 'EID');
  return {
    id: draft.store.uuid(),
    type,
    country,
    provider: provider.isPresent ? provider.text() : null,
    identifier: readIdentifier(item.get('identifier'), type, country),
    actionType: readActionType(item.get('actionType'), country),
    tbs: readTbs(item.get('tbs'), country),
  };
}

/**
 * Reads how a party identifies itself before reading: with a code by text message or a Swedish eID.
 */
export function readIdentificationConfiguration(
  item: Place,
  draft: Draft,
): IdentificationConfiguration {
  item.object(['type', 'country', 'identifier']);
  const type = item.get('type').needChoice(['SMS_OTP', 'EID']);
  const country = item.get('country');
  if (type === 'EID') country.needChoice(['SE']);
  else country.forbid('Only for EID.');
  return {
    id: draft.store.uuid(),
    type,
    country: type === 'EID' ? 'SE' : null,
    identifier: readIdentifier(item.get('identifier'), type, type === 'EID' ? 'SE' : null),
  };
}

function readEidCountry(item: Place, isEid: boolean): string | null {
  const place = item.get('country');
  if (isEid) return place.needChoice(['SE', 'NO', 'FI', 'DK']);
  place.forbid('Only for EID.');
  return null;
}

function readIdentifier(
  place: Place,
  type: SigningConfiguration['type'],
  country: string | null,
): string | null {
  switch (type) {
    case 'EID':
      return place.text({
        form: (text) => isPersonNumber(country, text),
        called: 'a personal identity number of the country',
      });
    case 'QES':
    case 'SMS_OTP':
      return place.needText(mobileRule);
    case 'CLICK':
    case 'DRAW':
    case 'API':
      place.forbid(`Not applicable to ${type}.`);
      return null;
  }
}

function readActionType(place: Place, country: string | null): string | null {
  if (country === 'DK') return place.needChoice(['AUTHENTICATION']);
  place.forbid('Only for EID with country DK.');
  return null;
}

function readTbs(place: Place, country: string | null): SigningConfiguration['tbs'] {
  if (!place.isPresent) return null;
  if (country !== 'SE') place.forbid('Only for EID with country SE.');
  place.object(['sender', 'description']);
  return {
    sender: place.get('sender').text({ max: MAX_TBS_SENDER_LENGTH }),
    description: place.get('description').text({ max: MAX_TBS_DESCRIPTION_LENGTH }),
  };
}
