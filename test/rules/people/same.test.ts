import { describe, expect, it } from 'vitest';
import type { Person } from '../../../shared/contract/people.ts';
import { duplicateReasons, isSameParty, withNewValues } from '../../../shared/rules/people/same.ts';

const person = (facts: Partial<Person>): Person => ({ kind: 'person', ...facts });
const company = (facts: Partial<Person>): Person => ({ kind: 'company', ...facts });
const asa = person({ firstName: 'Åsa', lastName: 'Öberg', email: 'asa@example.com' });

describe('new data about a party', () => {
  it.each([
    ['the same name and address', asa, asa],
    ['an address in capital letters', asa, { ...asa, email: 'ASA@example.com' }],
    [
      'a personal number, whatever else is different',
      { ...asa, personNumber: '198507099805' },
      person({ lastName: 'Lind', email: 'lind@example.com', personNumber: '19850709-9805' }),
    ],
    ['only a name', asa, person({ firstName: 'Åsa', lastName: 'Öberg' })],
    ['only an address', asa, person({ email: 'asa@example.com' })],
  ])('belongs to the entry with the same data: %s', (_, known, given) => {
    expect(isSameParty(known, given)).toBe(true);
  });

  it.each([
    ['another person with the office’s address', asa, { ...asa, firstName: 'Bo' }],
    ['a namesake with an address of their own', asa, { ...asa, email: 'other@example.com' }],
    [
      'another personal number',
      { ...asa, personNumber: '198507099805' },
      { ...asa, personNumber: '199001019802' },
    ],
    [
      'a number of another country',
      { ...asa, email: undefined, personNumber: '01018512345', country: 'NO' },
      person({ personNumber: '01018512345', country: 'DK', lastName: 'Öberg' }),
    ],
    ['a company with the person’s address', asa, company({ email: 'asa@example.com' })],
    [
      'another contact of the same company',
      company({ companyNumber: '556677-8899', email: 'a@example.com' }),
      company({ companyNumber: '5566778899', email: 'b@example.com' }),
    ],
  ])('belongs to another person: %s', (_, known, given) => {
    expect(isSameParty(person({ ...known }), person({ ...given }))).toBe(false);
  });

  it('keeps known data, and updates the given data', () => {
    const known = { ...asa, mobile: '+46701234567', personNumber: '198507099805' };
    expect(withNewValues(known, person({ email: 'new@example.com', mobile: '' }))).toEqual({
      ...known,
      email: 'new@example.com',
    });
  });
});

describe('two entries are suggested as duplicates', () => {
  it('by an address, a phone, a number or a name, each given as a reason', () => {
    const other = person({ firstName: 'Åsa', lastName: 'Oberg', email: 'asa@example.com' });
    expect(duplicateReasons(asa, other)).toEqual(['email', 'name']);
  });

  it.each([
    ['Carlsson Anna', 'Anna Karlsson'],
    ['Kristoffer Wallin', 'Christofer Vallin'],
    ['Åsa Öberg', 'Oberg, Asa'],
    ['Ærø Færge', 'Aero Faerge'],
  ])('by similar names: %s and %s', (one, other) => {
    const reasons = duplicateReasons(person({ lastName: one }), person({ lastName: other }));
    expect(reasons).toEqual(['name']);
  });

  it('by a company name, with or without its legal form', () => {
    expect(
      duplicateReasons(company({ name: 'Berg AB' }), company({ name: 'Berg Aktiebolag' })),
    ).toEqual(['name']);
  });

  it('never when their numbers, or both address and phone, differ', () => {
    const numbered = { ...asa, personNumber: '198507099805' };
    expect(duplicateReasons(numbered, { ...asa, personNumber: '199001019802' })).toEqual([]);
    const [here, there] = [
      { ...asa, mobile: '+46701234567' },
      { ...asa, email: 'b@example.com', mobile: '+46707654321' },
    ];
    expect(duplicateReasons(here, there)).toEqual([]);
  });
});
