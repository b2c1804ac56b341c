import type { MemberChoices, PartiesContent, Person } from '../../contract/people.ts';
import type { PartyV1 } from '../../model/agreement-v1.ts';
import type { CompanyPartyV2, PrivatePartyV2 } from '../../model/agreement-v2.ts';
import type { Day } from '../time/days.ts';
import { toPartyV1, toPartyV2, personOfV1, personOfV2 } from './people.ts';

/** Member of a group: a person, with or without choices. The own company has only choices. */
export interface Member {
  readonly person: Person | null;
  readonly choices: MemberChoices | null;
}

export function membersOf(content: PartiesContent, today: Day): readonly Member[] {
  if (content.api === 'v1') {
    return content.parties.map((party) => {
      const person = personOfV1(party);
      const rest = person === null ? party : withoutPersonV1(party);
      return { person, choices: { api: 'v1', party: rest } };
    });
  }
  const { privates, companies } = content.parties;
  return [
    ...privates.map((one): Member => {
      const person = personOfV2('person', one, today);
      const party = person === null ? one : withoutPersonV2(one);
      return { person, choices: { api: 'v2', list: 'privates', party } };
    }),
    ...companies.map((one): Member => {
      const person = personOfV2('company', one, today);
      const party = person === null ? one : withoutPersonV2(one);
      return { person, choices: { api: 'v2', list: 'companies', party } };
    }),
  ];
}

/** Converts members with choices for the API to its parties; other members are `people`. */
export function partiesOf(
  members: readonly Member[],
  api: PartiesContent['api'],
  today: Day,
): { readonly content: PartiesContent; readonly people: readonly Person[] } {
  const chosen = members.flatMap(({ person, choices }) =>
    choices?.api === api ? [{ person, choices }] : [],
  );
  const people = members.flatMap(({ person, choices }) =>
    person !== null && choices?.api !== api ? [person] : [],
  );
  if (api === 'v1') {
    const parties = chosen.flatMap(({ person, choices }) => {
      if (choices.api !== 'v1') return [];
      return [person === null ? choices.party : { ...toPartyV1(person), ...choices.party }];
    });
    return { content: { api, parties }, people };
  }
  const parties = { privates: new Array<PrivatePartyV2>(), companies: new Array<CompanyPartyV2>() };
  for (const { person, choices } of chosen) {
    if (choices.api !== 'v2') continue;
    const known = person === null ? {} : toPartyV2(person, today);
    const { personNo, orgNo, ...contact } = known;
    if (choices.list === 'privates') {
      parties.privates.push({ ...(personNo && { personNo }), ...contact, ...choices.party });
    } else parties.companies.push({ ...(orgNo && { orgNo }), ...contact, ...choices.party });
  }
  return { content: { api, parties }, people };
}

/** Returns the people of these parties, without the account's own company. */
export function peopleOf(content: PartiesContent, today: Day): readonly Person[] {
  return membersOf(content, today).flatMap(({ person }) => person ?? []);
}

function withoutPersonV1(party: PartyV1): PartyV1 {
  const { firstName: _1, lastName: _2, name: _3, email: _4, mobile: _5, ...rest } = party;
  const { country: _6, personNumber: _7, companyNumber: _8, ...choices } = rest;
  return choices;
}

function withoutPersonV2(party: PrivatePartyV2 & CompanyPartyV2): CompanyPartyV2 {
  const { personNo: _1, orgNo: _2, firstName: _3, lastName: _4, ...rest } = party;
  const { email: _5, mobile: _6, ...choices } = rest;
  return choices;
}
