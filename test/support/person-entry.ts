import type { PersonEntry } from '../../shared/contract/people.ts';

export const nobody: PersonEntry = {
  kind: 'person',
  firstName: '',
  lastName: '',
  name: '',
  email: '',
  mobile: '',
  country: '',
  companyNumber: '',
};

/** What a person may have typed about Åsa Öberg, but for what is said here. */
export const entryOf = (facts: Partial<PersonEntry>): PersonEntry => ({
  ...nobody,
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  ...facts,
});
