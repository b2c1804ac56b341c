import { company } from '../state/account.ts';
import { mobileOf, people, type Name } from './people.ts';

type Body = Readonly<Record<string, unknown>>;

const methods = {
  EID_SE: { type: 'EID', country: 'SE' },
  EID_NO: { type: 'EID', country: 'NO' },
  EID_FI: { type: 'EID', country: 'FI' },
  EID_DK: { type: 'EID', country: 'DK', actionType: 'AUTHENTICATION' },
  TBS: {
    type: 'EID',
    country: 'SE',
    tbs: { sender: company.name, description: 'Jag godkänner avtalet och dess bilagor.' },
  },
  DRAW: { type: 'DRAW' },
  CLICK: { type: 'CLICK' },
} as const;
type StorySigningMethod = keyof typeof methods | 'QES' | 'SMS_OTP';

export function personV1(name: Name, method: StorySigningMethod = 'CLICK', more: Body = {}): Body {
  const { firstName, lastName, email, country, personNumber } = people[name];
  const id = personNumber === undefined ? {} : { country, personNumber };
  return {
    type: 'PRIVATE',
    firstName,
    lastName,
    email,
    ...id,
    signingConfigurations: [configuration(name, method)],
    ...more,
  };
}

export function companyV1(name: string, contact: Name, more: Body = {}): Body {
  const { firstName, lastName, email, country } = people[contact];
  return {
    type: 'COMPANY',
    name,
    firstName,
    lastName,
    email,
    country,
    signingConfigurations: [configuration(contact, 'CLICK')],
    ...more,
  };
}

export function ourCompany(more: Body = {}): Body {
  return { type: 'MY_COMPANY', signingConfigurations: [{ type: 'API' }], ...more };
}

/** Returns a private party for v2, which requires a Swedish personal number of everyone. */
export function personV2(name: Name, signMethod = 'EID', more: Body = {}): Body {
  const { firstName, lastName, email, country, personNumber } = people[name];
  return {
    personNo: country === 'SE' ? personNumber : '198507099805',
    firstName,
    lastName,
    email,
    signMethods: [signMethod],
    mobile: mobileOf(people[name], 'spaced'),
    ...more,
  };
}

export function companyV2(orgNo: string, contact: Name, more: Body = {}): Body {
  const { firstName, lastName, email } = people[contact];
  return { orgNo, firstName, lastName, email, signMethods: ['EID'], ...more };
}

function configuration(name: Name, method: StorySigningMethod): Body {
  const identifier = mobileOf(people[name], 'e164');
  if (method === 'SMS_OTP') return { type: 'SMS_OTP', identifier };
  if (method === 'QES') return { type: 'QES', provider: 'example-trust', identifier };
  return methods[method];
}
