import type { GroupId, PersonDetails, PersonSuggestion } from '../../../shared/contract/people.ts';
import { maskPersonNumber } from '../../../shared/rules/text/mask.ts';
import { titleOfPerson } from '../../../shared/rules/people/people.ts';
import type { StoredPerson } from './ports.ts';

/** Returns an entry for a list, with a masked personal number. */
export function toPersonSuggestion({ id, person, times, usedAt }: StoredPerson): PersonSuggestion {
  const { kind, email, mobile, personNumber, companyNumber } = person;
  const number = personNumber === undefined ? companyNumber : maskPersonNumber(personNumber);
  return {
    id,
    kind,
    title: titleOfPerson(person) || (email ?? mobile ?? ''),
    email: email ?? null,
    mobile: mobile ?? null,
    number: number ?? null,
    usedAt: times === 0 ? null : usedAt,
  };
}

export function detailsOf(row: StoredPerson, groups: readonly GroupId[]): PersonDetails {
  const { firstName = '', lastName = '', name = '', country = '', companyNumber = '' } = row.person;
  const { addedAt, changedAt } = row;
  const facts = { firstName, lastName, name, country, companyNumber };
  return { ...toPersonSuggestion(row), ...facts, addedAt, changedAt, groups: [...groups] };
}
