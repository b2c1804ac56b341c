import { describe, expect, it } from 'vitest';
import { personKey } from '../../../shared/rules/identifiers/identity.ts';
import { validateFinnish } from '../../../shared/rules/identifiers/identity-finland.ts';
import { createSeeded, disguise } from '../../support/seeded.ts';

const TODAY = '2026-11-21';
const MARKS = '0123456789ABCDEFHJKLMNPRSTUVWXY';

function checkMark(nineDigits: string): string {
  return MARKS.charAt(Number(nineDigits) % 31);
}

describe('a Finnish identity code', () => {
  it.each([
    ['131052-308T', '131052-308T'],
    ['131052-308t', '131052-308T'],
    [' 131052–308T\u00a0', '131052-308T'],
    ['131052\u2212308T', '131052-308T'],
  ])('%j is written as %s (T1-42)', (text, value) => {
    expect(validateFinnish(text, TODAY)).toEqual({ verdict: 'fine', value });
  });

  it.each(['+', '-', 'Y', 'X', 'W', 'V', 'U', 'A', 'B', 'C', 'D', 'E', 'F'])(
    'may have the century sign %s, allowed since 2023 (T1-42)',
    (sign) => {
      const value = `131005${sign}308${checkMark('131005308')}`;
      expect(validateFinnish(value, TODAY)).toEqual({ verdict: 'fine', value });
      expect(validateFinnish(value.toLowerCase(), TODAY)).toEqual({ verdict: 'fine', value });
    },
  );

  it.each(['*', ',', '.', '/', '0', 'G', 'Z', ' '])(
    'may not have the century sign %j (T1-42)',
    (sign) => {
      expect(validateFinnish(`131052${sign}308T`, TODAY)).toMatchObject({
        verdict: 'wrong',
        why: 'form',
      });
    },
  );

  it.each([
    ['311152-308T', 'birth-date'],
    ['290200+308T', 'birth-date'],
    ['131052A308T', 'future'],
    ['131052-001J', 'form'],
    ['131052-308', 'form'],
    ['131052-308I', 'form'],
    ['1.0105E+32', 'spreadsheet'],
  ])('%j is wrong: %s', (text, why) => {
    expect(validateFinnish(text, TODAY)).toMatchObject({ verdict: 'wrong', why });
  });

  it('with a wrong check character gets only a warning, since the service checks only the form (T1-42)', () => {
    expect(validateFinnish('131052-308U', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '131052-308U',
      why: 'check-digit',
    });
  });

  it('with letters that expand in upper case is read the same again (TE-P7)', () => {
    // The upper case of this letter is an iota with two marks, which becomes shorter when
    // normalised.
    const first = validateFinnish('1312\u0390', '2026-11-22');
    expect(validateFinnish(first.value, '2026-11-22')).toEqual(first);
  });

  it('from 900 is temporary or for tests, and gets a warning', () => {
    expect(validateFinnish('100190-999P', TODAY)).toEqual({
      verdict: 'suspicious',
      value: '100190-999P',
      why: 'test-number',
    });
  });
});

describe('the Finnish identity codes of two people that differ only in the century sign', () => {
  it('never identify one person (T1-42)', () => {
    const people = ['100190-999P', '100190Y999P', '100190X999P'];
    expect(new Set(people.map((one) => personKey(one, 'FI', TODAY))).size).toBe(people.length);
  });

  it('remain different and stable, however the text is cleaned (T1-42)', () => {
    const chance = createSeeded(42);
    const keys = new Map<string, string>();
    for (let round = 0; round < 1000; round += 1) {
      const day = String(chance.whole(1, 28)).padStart(2, '0');
      const date = `${day}${String(chance.whole(1, 12)).padStart(2, '0')}0${String(chance.whole(0, 9))}`;
      const serial = String(chance.whole(2, 999)).padStart(3, '0');
      const sign = chance.pick([...'+-YXWVUABCDEF'] as [string, ...string[]]);
      const number = `${date}${sign}${serial}${checkMark(date + serial)}`;
      const key = personKey(disguise(number, chance), 'FI', TODAY) ?? '';
      expect(key).toBe(`FI:${number}`);
      expect(keys.get(key) ?? number).toBe(number);
      keys.set(key, number);
    }
  });
});
