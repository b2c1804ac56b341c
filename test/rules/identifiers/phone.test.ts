import { describe, expect, it } from 'vitest';
import {
  isE164,
  isSpacedMobile,
  validateMobile,
  toE164,
  toSpacedMobile,
} from '../../../shared/rules/identifiers/phone.ts';
import { createSeeded } from '../../support/seeded.ts';

describe('a mobile number', () => {
  it.each([
    '070-123 45 67',
    '0701234567',
    '0046701234567',
    '+46701234567',
    '+46 70 123 45 67',
    '46701234567',
    '701234567',
    '070‑123–45 67',
    '\u202a+46701234567\u202c',
    '０７０１２３４５６７',
    '＋46701234567',
    '(070) 123.45.67',
  ])('%j is a Swedish number in the forms of both services (T1-43, T2-50)', (text) => {
    expect(validateMobile(text, 'SE')).toEqual({ verdict: 'fine', value: '+46701234567' });
    expect(toE164(text, 'SE')).toBe('+46701234567');
    expect(toSpacedMobile(text, 'SE')).toBe('+46 701234567');
  });

  it.each([
    ['+358 40 123 4567', '+358401234567', '+358 401234567'],
    ['+47 412 34 567', '+4741234567', '+47 41234567'],
    ['+45 20 12 34 56', '+4520123456', '+45 20123456'],
  ])('%j keeps its own country code, whatever the default (T1-43, T2-50)', (text, e164, spaced) => {
    expect(validateMobile(text, 'SE')).toEqual({ verdict: 'fine', value: e164 });
    expect(toSpacedMobile(text, 'SE')).toBe(spaced);
  });

  it.each([
    ['08001123123', 'GB', '+448001123123'],
    ['0812457898', 'FR', '+33812457898'],
    ['0899 123 456', 'FR', '+33899123456'],
    ['020-12 34 56', 'SE', '+4620123456'],
    ['0771-12 34 56', 'SE', '+46771123456'],
    ['0900-123 45 67', 'SE', '+469001234567'],
    ['0800 1 2345', 'FI', '+35880012345'],
    ['810 12 345', 'NO', '+4781012345'],
  ])('%j (%s) gets a warning: it receives no text messages (IN-14)', (text, country, value) => {
    expect(validateMobile(text, country)).toEqual({
      verdict: 'suspicious',
      value,
      why: 'no-mobile',
    });
  });

  it.each([
    ['+46 (0)70 123 45 67', 'bracket-zero', '+46701234567'],
    ['070-123 45 6', 'unassigned', '+4670123456'],
    ['08-123 45 67', 'fixed-line', '+4681234567'],
  ])('%j gets a warning: %s (T1-43)', (text, why, value) => {
    expect(validateMobile(text, 'SE')).toEqual({ verdict: 'suspicious', value, why });
  });

  it.each([
    ['070-1234567 ext 5', 'extension'],
    ['070-123 45 67 anr. 5', 'form'],
    ['070-1234567, 070-7654321', 'form'],
    ['070-1234567/68', 'form'],
    ['ring 070-1234567', 'form'],
    ['0700FLOWERS', 'form'],
    ['+4670123456789012', 'form'],
    ['112', 'form'],
    ['+٤٦٧٠١٢٣٤٥٦٧', 'form'],
    ['4,67E+10', 'spreadsheet'],
    ['', 'empty'],
  ])('%j is wrong: %s (T1-43)', (text, why) => {
    expect(validateMobile(text, 'SE')).toMatchObject({ verdict: 'wrong', why });
    expect(toE164(text, 'SE')).toBeNull();
    expect(toSpacedMobile(text, 'SE')).toBeNull();
  });

  it('without a country code does not get a guessed one (T1-43)', () => {
    expect(validateMobile('070-123 45 67')).toMatchObject({
      verdict: 'wrong',
      why: 'country-needed',
    });
  });

  it('is ready for v1 without spaces, and for v2 with one after the country (T1-43, T2-50)', () => {
    expect(isE164('+46701234567')).toBe(true);
    expect(isSpacedMobile('+46 701234567')).toBe(true);
    for (const text of ['+46 701234567', '46701234567', '0701234567', '+46-701234567', '']) {
      expect(isE164(text)).toBe(false);
    }
    for (const text of ['+46701234567', '+46 70 1234567', '+467 01234567', '0701234567', '']) {
      expect(isSpacedMobile(text)).toBe(false);
    }
  });

  it('is unchanged after formatting for v2 and reading, and cleaning twice has no further effect (T2-50)', () => {
    const chance = createSeeded(50);
    for (let round = 0; round < 300; round += 1) {
      const digits = String(chance.whole(0, 9_999_999)).padStart(7, '0');
      const number = `${chance.pick(['+4670', '+4673', '+35840', '+4741', '+4520'])}${digits}`;
      const once = validateMobile(number);
      expect(validateMobile(once.value)).toEqual(once);
      if (once.verdict === 'wrong') continue;
      expect(toE164(toSpacedMobile(number) ?? '')).toBe(number);
    }
  });
});
