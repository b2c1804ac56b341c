import type { DraftContent } from '../../contract/drafts.ts';
import type { ApiName } from '../../model/ids.ts';
import type { PartyV1, SigningConfigurationV1, SigningMethodV1 } from '../../model/agreement-v1.ts';
import { timestampAfterDays } from './wall-time.ts';

/** Days until a new draft expires: enough for people on holiday, too few to be forgotten. */
const DEFAULT_OPEN_DAYS = 30;

/** Content of a new draft; `now` is epoch milliseconds. */
export function startContent(api: ApiName, now: number): DraftContent {
  if (api === 'v1') {
    const expireOn = timestampAfterDays(DEFAULT_OPEN_DAYS, now);
    return { api, body: { title: '', expireOn, attachments: [], parties: [] } };
  }
  const parties = { privates: [], companies: [] };
  return {
    api,
    body: { name: '', type: 'ATTACHED', expireIn: DEFAULT_OPEN_DAYS, parties, attachments: [] },
  };
}

/** Creates a party without data; the account's own company signs through the API. */
export function startParty(type: PartyV1['type']): PartyV1 {
  const method = type === 'MY_COMPANY' ? 'API' : 'EID';
  return { type, signingOrder: 1, signingConfigurations: [startMethod(method, { type })] };
}

/** Creates a signing method with only the keys it needs, filled from the party's data. */
export function startMethod(
  type: SigningMethodV1,
  party: Pick<PartyV1, 'type' | 'country' | 'mobile'>,
): SigningConfigurationV1 {
  switch (type) {
    case 'EID':
      return withCountry({ type }, party.country || 'SE');
    case 'QES':
      return { type, provider: '', identifier: party.mobile ?? '' };
    case 'SMS_OTP':
      return { type, identifier: party.mobile ?? '' };
    case 'CLICK':
    case 'DRAW':
    case 'API':
      return { type };
  }
}

/** Sets the country of an eID, on which its other keys depend (API v1, "Signing configuration"). */
export function withCountry(one: SigningConfigurationV1, country: string): SigningConfigurationV1 {
  const { actionType: _actionType, tbs, ...rest } = one;
  return {
    ...rest,
    country,
    ...(country === 'DK' ? { actionType: 'AUTHENTICATION' } : {}),
    ...(country === 'SE' && tbs !== undefined ? { tbs } : {}),
  };
}
