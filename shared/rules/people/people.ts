import type { DraftContent } from '../../contract/drafts.ts';
import type { ApiName } from '../../model/ids.ts';
import type { Person } from '../../contract/people.ts';
import type { PartyV1 } from '../../model/agreement-v1.ts';
import type { CompanyPartyV2, PrivatePartyV2 } from '../../model/agreement-v2.ts';
import type { PartyDatum } from '../../model/template.ts';
import type { Day } from '../time/days.ts';
import { fullName } from '../drafts/parts/contacts.ts';
import { textOrNullIfEmpty } from '../drafts/parts/findings.ts';
import { validatePersonNumberV1, validatePersonNoV2 } from '../identifiers/identity.ts';
import { toE164, toSpacedMobile } from '../identifiers/phone.ts';

/** Country of data without a country: the service is Swedish. */
const DEFAULT_PERSON_COUNTRY = 'SE';

/** Returns the parties of a draft as people for suggestions, without the account's own company. */
export function peopleIn(content: DraftContent, today: Day): readonly Person[] {
  if (content.api === 'v1') {
    return content.body.parties.flatMap((party) => personOfV1(party) ?? []);
  }
  const { privates, companies } = content.body.parties;
  return [
    ...privates.flatMap((one) => personOfV2('person', one, today) ?? []),
    ...companies.flatMap((one) => personOfV2('company', one, today) ?? []),
  ];
}

/** Converts a party of v1 to a person; null for the own company, and for a party without data. */
export function personOfV1(party: PartyV1): Person | null {
  if (party.type === 'MY_COMPANY') return null;
  const { firstName, lastName, name, email, mobile, country, personNumber, companyNumber } = party;
  const kind = party.type === 'PRIVATE' ? 'person' : 'company';
  const about = { firstName, lastName, name, email, mobile, country };
  return personOrNull(tidyPerson(kind, { ...about, personNumber, companyNumber }));
}

/** Converts a party of v2 to a person, in the format of v1; null for a party without data. */
export function personOfV2(
  kind: Person['kind'],
  party: PrivatePartyV2 & CompanyPartyV2,
  today: Day,
): Person | null {
  const personNumber = kind === 'person' ? wholeNumber(party.personNo, today) : undefined;
  const companyNumber = kind === 'company' ? party.orgNo : undefined;
  return personOrNull(tidyPerson(kind, { ...contactOf(party), personNumber, companyNumber }));
}

function personOrNull(person: Person): Person | null {
  const { kind: _kind, country: _country, ...facts } = person;
  return Object.keys(facts).length === 0 ? null : person;
}

export function titleOfPerson(person: Person): string {
  return textOrNullIfEmpty(person.name) ?? fullName(person);
}

export function toPartyV1(person: Person): Omit<PartyV1, 'signingConfigurations'> {
  const { kind, firstName, lastName, name, companyNumber, personNumber, ...shared } = person;
  if (kind === 'person') {
    return {
      type: 'PRIVATE',
      ...shared,
      ...(firstName !== undefined && { firstName }),
      ...(lastName !== undefined && { lastName }),
      ...(personNumber !== undefined && { personNumber }),
    };
  }
  return {
    type: 'COMPANY',
    ...shared,
    name: name ?? fullName(person),
    ...(companyNumber !== undefined && { companyNumber }),
  };
}

/** Converts a person to a party of v2, which supports only Swedish numbers. */
export function toPartyV2(person: Person, today: Day): PrivatePartyV2 & CompanyPartyV2 {
  const { kind, firstName, lastName, email, mobile, personNumber, companyNumber } = person;
  const isHome = (person.country ?? DEFAULT_PERSON_COUNTRY) === DEFAULT_PERSON_COUNTRY;
  const judged =
    isHome && personNumber !== undefined ? validatePersonNoV2(personNumber, today) : null;
  return {
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(email !== undefined && { email }),
    ...(mobile !== undefined && {
      mobile: toSpacedMobile(mobile, DEFAULT_PERSON_COUNTRY) ?? mobile,
    }),
    ...(kind === 'company' && companyNumber !== undefined && { orgNo: companyNumber }),
    ...(judged !== null && judged.verdict !== 'wrong' && { personNo: judged.value }),
  };
}

/** Returns the person's data as answers for a template of `api`. */
export function answersOf(
  person: Person,
  api: ApiName,
  today: Day,
): Partial<Record<PartyDatum, string>> {
  const party = api === 'v1' ? toPartyV1(person) : toPersonDataV1(toPartyV2(person, today));
  const data: readonly (readonly [PartyDatum, string | undefined])[] = [
    ['first-name', party.firstName],
    ['last-name', party.lastName],
    ['person-number', party.personNumber],
    ['company-name', party.name],
    ['company-number', party.companyNumber],
    ['email', party.email],
    ['mobile', party.mobile],
    ['country', party.country],
  ];
  return Object.fromEntries(data.filter(([, text]) => text !== undefined));
}

function toPersonDataV1({
  personNo,
  orgNo,
  ...shared
}: ReturnType<typeof toPartyV2>): Partial<Omit<Person, 'kind'>> {
  return { ...shared, personNumber: personNo, companyNumber: orgNo };
}

function contactOf(one: {
  readonly firstName?: string | undefined;
  readonly lastName?: string | undefined;
  readonly email?: string | undefined;
  readonly mobile?: string | undefined;
}) {
  const { firstName, lastName, email, mobile } = one;
  const whole =
    mobile === undefined ? undefined : (toE164(mobile, DEFAULT_PERSON_COUNTRY) ?? mobile);
  return { firstName, lastName, email, mobile: whole, country: DEFAULT_PERSON_COUNTRY };
}

function wholeNumber(text: string | undefined, today: Day): string | undefined {
  if (text === undefined) return undefined;
  const judged = validatePersonNumberV1(text, DEFAULT_PERSON_COUNTRY, today);
  return judged.verdict === 'wrong' ? text : judged.value;
}

type PersonTexts = { readonly [Key in Exclude<keyof Person, 'kind'>]: string | undefined };

function tidyPerson(kind: Person['kind'], texts: Partial<PersonTexts>): Person {
  const kept = Object.entries(texts).filter(([, text]) => (text ?? '').trim() !== '');
  return { kind, ...Object.fromEntries(kept) };
}
