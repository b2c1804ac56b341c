import type { Person, PersonEntry } from '../../contract/people.ts';
import type { Day } from '../time/days.ts';
import { validateEmail } from '../identifiers/email.ts';
import { validatePersonNumberV1 } from '../identifiers/identity.ts';
import {
  validateOrganisationNumber,
  formatOrganisationNumber,
} from '../identifiers/organisation-number.ts';
import { toE164 } from '../identifiers/phone.ts';
import { validateName } from '../text/clean-text.ts';
import { titleOfPerson } from './people.ts';

/** Maximum number of characters in a name (API v1, "Party"). */
const MAX_NAME_LENGTH = 80;
const DEFAULT_ENTRY_COUNTRY = 'SE';

/** Error messages by field, in English for the command line. */
type EntryProblems = Readonly<Partial<Record<keyof PersonEntry, string>>>;

/** Validated input: an entry in the format of API v1, or the errors. */
type ValidatedEntry =
  | { readonly person: Person; readonly problems: null }
  | { readonly person: null; readonly problems: EntryProblems };

/**
 * Validates the input for a person. `known` is the stored personal number; it is kept if no new one
 * is entered.
 */
export function validateEntry(
  entry: PersonEntry,
  known: string | undefined,
  today: Day,
): ValidatedEntry {
  const problems: Partial<Record<keyof PersonEntry, string>> = {};
  const country = entry.country.trim().toUpperCase();
  if (country !== '' && !/^[A-Z]{2}$/.test(country)) {
    problems.country = 'Enter a country code of two letters';
  }
  const home = country === '' ? DEFAULT_ENTRY_COUNTRY : country;
  const name = (field: 'firstName' | 'lastName' | 'name'): string | undefined => {
    if (entry[field].trim() === '') return undefined;
    const judged = validateName(entry[field], MAX_NAME_LENGTH);
    if (judged.verdict === 'wrong') problems[field] = 'This cannot be a name';
    return judged.value;
  };
  const fact = (
    field: 'email' | 'mobile' | 'companyNumber',
    read: (text: string) => string | null,
    problem: string,
  ): string | undefined => {
    if (entry[field].trim() === '') return undefined;
    const value = read(entry[field]);
    if (value === null) problems[field] = problem;
    return value ?? undefined;
  };
  const person = {
    kind: entry.kind,
    firstName: name('firstName'),
    lastName: name('lastName'),
    name: entry.kind === 'company' ? name('name') : undefined,
    email: fact('email', emailOf, 'This is not an email address'),
    mobile: fact('mobile', (text) => toE164(text, home), 'This is not a phone number'),
    country: country === '' ? undefined : country,
    personNumber: numberOf(entry, known, home, today, problems),
    companyNumber:
      entry.kind === 'company'
        ? fact(
            'companyNumber',
            (text) => companyNumberOf(text, home, today),
            'This is not a number',
          )
        : undefined,
  };
  const written = withoutEmptyValues(person);
  const isNobody = titleOfPerson(written) === '' && !written.email && !written.mobile;
  if (isNobody && Object.keys(problems).length === 0) {
    problems[entry.kind === 'company' ? 'name' : 'firstName'] = 'Enter a name or an address';
  }
  return Object.keys(problems).length === 0
    ? { person: written, problems: null }
    : { person: null, problems };
}

export function emailOf(text: string): string | null {
  const judged = validateEmail(text);
  return judged.verdict === 'wrong' ? null : judged.value;
}

/** Organisation number in the stored format; null if invalid. Other countries' stay as written. */
export function companyNumberOf(text: string, country: string, today: Day): string | null {
  if (country !== DEFAULT_ENTRY_COUNTRY) return text.trim();
  const judged = validateOrganisationNumber(text, today);
  return judged.verdict === 'wrong' ? null : formatOrganisationNumber(judged.value);
}

function numberOf(
  { kind, personNumber }: PersonEntry,
  known: string | undefined,
  home: string,
  today: Day,
  problems: Partial<Record<keyof PersonEntry, string>>,
): string | undefined {
  if (kind === 'company') return undefined;
  if (personNumber === undefined) return known;
  if (personNumber.trim() === '') return undefined;
  const judged = validatePersonNumberV1(personNumber, home, today);
  if (judged.verdict === 'wrong') problems.personNumber = 'This is not a personal number';
  return judged.value;
}

function withoutEmptyValues({
  kind,
  ...facts
}: {
  readonly [Name in keyof Person]: Person[Name] | undefined;
} & Pick<Person, 'kind'>): Person {
  const said = Object.entries(facts).filter(([, text]) => text !== undefined && text !== '');
  return { kind, ...Object.fromEntries(said) };
}
