import type {
  DuplicateReason,
  ForgetDraft,
  ImportRefusal,
  ImportDecision,
  Person,
  PersonDetails,
} from '../../../shared/contract/people.ts';
import { countryName } from '../../ui/countries.ts';
import { m } from '../../ui/language.svelte.ts';

export const reasonWords: Readonly<Record<DuplicateReason, () => string>> = {
  number: m.people_same_number,
  email: m.people_same_email,
  mobile: m.people_same_mobile,
  name: m.people_same_name,
};

export const verdictWords: Readonly<Record<ImportDecision, () => string>> = {
  new: m.people_import_new,
  same: m.people_import_same,
  change: m.people_import_change,
  refused: m.people_import_refused,
};

export const refusalWords: Readonly<Record<ImportRefusal, () => string>> = {
  nobody: m.people_refused_nobody,
  name: m.people_refused_name,
  email: m.people_refused_email,
  mobile: m.people_refused_mobile,
  number: m.people_refused_number,
  broken: m.people_refused_broken,
  letters: m.people_refused_letters,
};

export const factWords: Readonly<Record<keyof Person, () => string>> = {
  kind: m.people_kind,
  firstName: m.draft_first_name,
  lastName: m.draft_last_name,
  name: m.draft_company_name,
  email: m.draft_email,
  mobile: m.draft_mobile,
  country: m.draft_country,
  personNumber: m.draft_person_number,
  companyNumber: m.settings_identity_org_no,
};

export const draftWords: Readonly<
  Record<ForgetDraft['state'], (about: { title: string }) => string>
> = {
  open: ({ title }) => title,
  trashed: m.people_forget_draft_trashed,
  sent: m.people_forget_draft_sent,
};

/** Known facts about a person, by name; unknown ones are omitted. */
export function factsOf(person: PersonDetails): { name: string; value: string }[] {
  const { kind, firstName, lastName, name, email, mobile, number, country } = person;
  const isCompany = kind === 'company';
  const rows = [
    { name: m.people_kind(), value: isCompany ? m.draft_company() : m.draft_person() },
    { name: m.draft_company_name(), value: name },
    { name: m.draft_first_name(), value: firstName },
    { name: m.draft_last_name(), value: lastName },
    { name: m.draft_email(), value: email ?? '' },
    { name: m.draft_mobile(), value: mobile ?? '' },
    { name: m.draft_country(), value: countryName(country) },
    {
      name: isCompany ? m.settings_identity_org_no() : m.draft_person_number(),
      value: number ?? '',
    },
  ];
  return rows.filter(({ value }) => value !== '');
}
