import { describe, expect, it } from 'vitest';
import {
  personKey,
  validatePersonNumberV1,
  validatePersonNoV2,
} from '../../../shared/rules/identifiers/identity.ts';
import { createSeeded, disguise } from '../../support/seeded.ts';

const TODAY = '2026-11-21';

describe('a personal number for v1', () => {
  it.each([undefined, ''])('needs a country, and rejects %j (T1-41)', (country) => {
    expect(validatePersonNumberV1('198507099805', country, TODAY)).toMatchObject({
      verdict: 'wrong',
      why: 'country-needed',
    });
  });

  it('has the form of its country (T1-41, T1-42)', () => {
    expect(validatePersonNumberV1('850709-9805', 'SE', TODAY)).toEqual({
      verdict: 'fine',
      value: '198507099805',
    });
    expect(validatePersonNumberV1('131052-308t', 'FI', TODAY)).toEqual({
      verdict: 'fine',
      value: '131052-308T',
    });
    expect(validatePersonNumberV1('211062-5629', 'DK', TODAY)).toEqual({
      verdict: 'fine',
      value: '2110625629',
    });
    expect(validatePersonNumberV1('131052-308T', 'SE', TODAY).verdict).toBe('wrong');
    expect(validatePersonNumberV1('198507099805', 'FI', TODAY).verdict).toBe('wrong');
    expect(validatePersonNumberV1('198507099805', 'NO', TODAY).verdict).toBe('wrong');
  });

  it('needs its century, which is never guessed (T1-41)', () => {
    expect(validatePersonNumberV1('261101-1111', 'SE', TODAY)).toMatchObject({
      verdict: 'wrong',
      why: 'century',
    });
  });

  it('of a country with an unknown form is sent unchanged, on one line', () => {
    expect(validatePersonNumberV1(' AB-12/3 ', 'PL', TODAY)).toEqual({
      verdict: 'fine',
      value: 'AB-12/3',
    });
    expect(validatePersonNumberV1('AB\n12', 'PL', TODAY)).toMatchObject({
      verdict: 'wrong',
      why: 'line-break',
    });
    expect(validatePersonNumberV1(' ', 'PL', TODAY)).toMatchObject({
      verdict: 'wrong',
      why: 'empty',
    });
  });
});

describe('a personal number for v2', () => {
  it('has twelve digits when known, and no plus, which v2 does not accept (T2-48)', () => {
    expect(validatePersonNoV2('850709-9805', TODAY).value).toBe('198507099805');
    expect(validatePersonNoV2('150207+1239', TODAY).value).toBe('191502071239');
  });

  it('keeps ten digits when the century is open, with a notice (T2-48)', () => {
    expect(validatePersonNoV2('261101-1111', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '2611011111',
      why: 'century',
    });
  });
});

describe('comparing personal numbers', () => {
  it('matches one person in every form (T2-48)', () => {
    const forms = ['198507099805', '19850709-9805', '8507099805', '850709-9805'];
    const keys = new Set(forms.map((form) => personKey(form, 'SE', TODAY)));
    expect([...keys]).toEqual(['SE:198507099805']);
  });

  it('does not match ten digits that two people may have (T2-48)', () => {
    expect(personKey('261101-1111', 'SE', TODAY)).toBeNull();
    expect(personKey('261101+1111', 'SE', TODAY)).toBe('SE:192611011111');
  });

  it('does not match a person a hundred years older (T2-48)', () => {
    expect(personKey('850709+9805', 'SE', TODAY)).not.toBe(personKey('850709-9805', 'SE', TODAY));
  });

  it('does not match the same digits in another country', () => {
    expect(personKey('2110625629', 'DK', TODAY)).not.toBe(personKey('2110625629', 'PL', TODAY));
  });

  it('does not match invalid numbers', () => {
    expect(personKey('123', 'SE', TODAY)).toBeNull();
  });

  it('gives three thousand Swedish people different keys (T2-48)', () => {
    const chance = createSeeded(2026);
    const owners = new Map<string, string>();
    for (let round = 0; round < 3000; round += 1) {
      // There are few dates and serial numbers, so that many people differ in only one digit.
      const year = chance.pick([1885, 1915, 1926, 1985, 2015, 2026]);
      const date = `${String(year)}01${chance.pick(['01', '02', '61'])}`;
      const person = `${date}00${String(chance.whole(1, 9))}${String(chance.whole(0, 9))}`;
      const age = 2026 - year;
      const ten = `${person.slice(2, 8)}${age >= 100 ? '+' : '-'}${person.slice(8)}`;
      const text = chance.pick([person, `${person.slice(0, 8)}-${person.slice(8)}`, ten]);
      const key = personKey(disguise(text, chance), 'SE', TODAY);
      if (key === null) continue;
      expect(key).toBe(`SE:${person}`);
      expect(owners.get(key) ?? person).toBe(person);
      owners.set(key, person);
    }
    expect(owners.size).toBeGreaterThan(50);
  });
});
