import { describe, expect, it } from 'vitest';
import {
  hasLuhnDigit,
  validateSwedish,
  swedishChoices,
} from '../../../shared/rules/identifiers/identity-sweden.ts';
import { createSeeded, disguise } from '../../support/seeded.ts';

const TODAY = '2026-11-21';

describe('a Swedish personal number', () => {
  it.each([
    ['198507099805', '198507099805'],
    ['19850709-9805', '198507099805'],
    ['8507099805', '198507099805'],
    ['850709-9805', '198507099805'],
    ['  850709–9805\u00a0', '198507099805'],
    ['850709\u22129805', '198507099805'],
    ['8507\u200b099805', '198507099805'],
    ['８５0709-9805', '198507099805'],
    ['850709 9805', '198507099805'],
  ])('%j becomes twelve digits (T2-48)', (text, value) => {
    expect(validateSwedish(text, TODAY)).toEqual({ verdict: 'fine', value });
  });

  it.each(['197010632391', '7010632391', '701063-2391'])(
    '%j is a valid co-ordination number (T1-41)',
    (text) => {
      expect(validateSwedish(text, TODAY)).toEqual({ verdict: 'fine', value: '197010632391' });
    },
  );

  it.each(['192004912388', '192004911380', '193302902382'])(
    '%j is an accepted co-ordination number with a day that its month lacks (IN-17)',
    (value) => {
      const judged = validateSwedish(value, TODAY);
      expect(judged.value).toBe(value);
      expect(judged.verdict).toBe(hasLuhnDigit(value.slice(2)) ? 'fine' : 'suspicious');
    },
  );

  it('with a day that no month has is rejected (IN-17)', () => {
    expect(validateSwedish('192004922388', TODAY)).toMatchObject({ why: 'birth-date' });
  });

  it.each(['850709-T805', '19850709R805', '850709+s805'])(
    '%j is an interim number, rejected since both services require digits (IN-17)',
    (text) => {
      expect(validateSwedish(text, TODAY)).toMatchObject({
        verdict: 'wrong',
        why: 'interim-number',
      });
    },
  );

  it.each(['191500882392', '191500722390'])(
    '%j is a co-ordination number with an unknown month (T1-41)',
    (value) => {
      expect(validateSwedish(value, TODAY)).toEqual({ verdict: 'fine', value });
    },
  );

  it('may have the day 60, which means an unknown day (T1-41)', () => {
    expect(validateSwedish('197010602394', TODAY)).toMatchObject({ value: '197010602394' });
    expect(validateSwedish('197010602394', TODAY).verdict).not.toBe('wrong');
  });

  it('with a wrong check digit gets only a warning, since the services check only the form (T1-41)', () => {
    expect(validateSwedish('198507099806', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '198507099806',
      why: 'check-digit',
    });
  });

  it.each([
    ['19850700-9805', 'birth-date'],
    ['19851309-9805', 'birth-date'],
    ['19850732-9805', 'birth-date'],
    ['19000229-1234', 'birth-date'],
    ['290229-1234', 'birth-date'],
    ['198500091234', 'birth-date'],
    ['20261122-1234', 'future'],
    ['20991231-1234', 'future'],
    ['850709-0005', 'form'],
    ['850709-98', 'form'],
    ['850709-980X', 'form'],
    ['٨٥٠٧٠٩-٩٨٠٥', 'form'],
    ['178507099805', 'form'],
    ['', 'form'],
    ['1,98507E+11', 'spreadsheet'],
    ['1.98507E+11', 'spreadsheet'],
    ['556036-0793', 'organisation'],
    ['16556036-0793', 'organisation'],
    ['20200101+1234', 'century'],
  ])('%j is wrong: %s', (text, why) => {
    expect(validateSwedish(text, TODAY)).toMatchObject({ verdict: 'wrong', why });
  });
});

describe('the century of a ten-digit Swedish number', () => {
  it('comes from the plus, used from the year in which a person turns a hundred (T2-48)', () => {
    expect(validateSwedish('261122+1237', TODAY).value).toBe('192611221237');
    expect(validateSwedish('261122+1237', '2025-12-31').value).not.toBe('192611221237');
    expect(validateSwedish('261122+1237', '2026-01-01').value).toBe('192611221237');
  });

  it('is required when a birth today would be possible (T2-48)', () => {
    expect(validateSwedish('261101-1111', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '2611011111',
      why: 'century',
    });
    expect(swedishChoices('261101-1111', TODAY)).toEqual(['202611011111', '192611011111']);
  });

  it('is the earlier century only until the day before the birthday, and is required (T2-48)', () => {
    expect(validateSwedish('2611221111', TODAY)).toMatchObject({ why: 'century' });
    expect(swedishChoices('2611221111', TODAY)).toEqual(['192611221111']);
    expect(swedishChoices('2611221111', '2026-11-22')).toHaveLength(2);
  });

  it('is required as long as the younger person would be a child (T2-48)', () => {
    expect(validateSwedish('110101-1111', TODAY)).toMatchObject({ why: 'century' });
    expect(validateSwedish('100101-1111', TODAY).value).toBe('201001011111');
    expect(swedishChoices('100101-1111', TODAY)).toEqual([]);
  });

  it('is that of the last hundred years in every other case', () => {
    expect(validateSwedish('270101-1111', TODAY).value).toBe('192701011111');
    expect(validateSwedish('000229-1111', TODAY).value).toBe('200002291111');
  });

  it('gives a warning when the person would be older than anyone', () => {
    expect(validateSwedish('850709+9805', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '188507099805',
      why: 'old-age',
    });
  });

  it('is kept if it is written, also with a hyphen, as in v2 (T2-48)', () => {
    expect(validateSwedish('19150207-1239', TODAY).value).toBe('191502071239');
    expect(validateSwedish('189001019802', TODAY).verdict).toBe('fine');
  });
});

describe('cleaning Swedish personal numbers', () => {
  const chance = createSeeded(7);
  const numbers = Array.from({ length: 400 }, () => {
    const day = String(chance.whole(1, 28) + chance.pick([0, 60])).padStart(2, '0');
    const month = String(chance.whole(1, 12)).padStart(2, '0');
    const serial = String(chance.whole(1, 999)).padStart(3, '0');
    return `${String(chance.whole(1927, 2009))}${month}${day}${serial}${String(chance.whole(0, 9))}`;
  });

  it('gives the same number for each of four forms with any extra characters (T2-48)', () => {
    for (const number of numbers) {
      const [date, last] = [number.slice(0, 8), number.slice(8)];
      for (const form of [number, `${date}-${last}`, number.slice(2), `${date.slice(2)}-${last}`]) {
        expect(validateSwedish(disguise(form, chance), TODAY).value).toBe(number);
      }
    }
  });

  it('has no further effect when repeated, also on random text', () => {
    const alphabet = [...'0123456789-+ E.A–\u200b'];
    for (let round = 0; round < 500; round += 1) {
      const length = chance.whole(0, 14);
      const noise = Array.from({ length }, () => alphabet[chance.whole(0, alphabet.length - 1)]);
      const once = validateSwedish(noise.join(''), TODAY);
      expect(validateSwedish(once.value, TODAY)).toEqual(once);
    }
    for (const number of numbers) {
      const once = validateSwedish(number, TODAY);
      expect(validateSwedish(once.value, TODAY)).toEqual(once);
    }
  });
});
