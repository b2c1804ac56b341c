import { describe, expect, it } from 'vitest';
import type { Person } from '../../../shared/contract/people.ts';
import { answersOf } from '../../../shared/rules/people/people.ts';

const TODAY = '2026-11-21';
const asa: Person = {
  kind: 'person',
  firstName: 'Åsa',
  lastName: 'Öberg',
  email: 'asa@example.com',
  mobile: '+46701234567',
  country: 'SE',
  personNumber: '198507099805',
};
const bok: Person = {
  kind: 'company',
  name: 'Bok AB',
  email: 'info@example.com',
  country: 'SE',
  companyNumber: '556677-8899',
};

describe('an address book person used in a template', () => {
  it('fills values in v1 formats', () => {
    expect(answersOf(asa, 'v1', TODAY)).toEqual({
      'first-name': 'Åsa',
      'last-name': 'Öberg',
      email: 'asa@example.com',
      mobile: '+46701234567',
      country: 'SE',
      'person-number': '198507099805',
    });
    expect(answersOf(bok, 'v1', TODAY)).toEqual({
      'company-name': 'Bok AB',
      email: 'info@example.com',
      country: 'SE',
      'company-number': '556677-8899',
    });
  });

  it('fills values in v2 formats, with Swedish numbers', () => {
    expect(answersOf(asa, 'v2', TODAY)).toEqual({
      'first-name': 'Åsa',
      'last-name': 'Öberg',
      email: 'asa@example.com',
      mobile: '+46 701234567',
      'person-number': '198507099805',
    });
    const norwegian = { ...asa, country: 'NO', personNumber: '01018512345' };
    expect(answersOf(norwegian, 'v2', TODAY)).not.toHaveProperty('person-number');
    expect(answersOf(bok, 'v2', TODAY)).toMatchObject({ 'company-number': '556677-8899' });
  });
});
