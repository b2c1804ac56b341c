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

/** Values for Åsa Öberg as a user types them, with these changes. */
export const entryOf = (facts: Partial<PersonEntry>): PersonEntry => ({
  ...nobody,
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  ...facts,
});
