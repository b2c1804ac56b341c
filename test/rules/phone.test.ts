import { describe, expect, it } from 'vitest';
import { toE164, toSpacedMobile } from '../../shared/rules/phone.ts';

describe('a phone number', () => {
  it.each([
    ['070-123 45 67', 'SE'],
    ['+46 (0)70-123 45 67', undefined],
    ['0046701234567', 'SE'],
    ['\u202a+46 70 123 45 67\u202c', undefined],
    ['＋４６７０１２３４５６７', undefined],
  ])('%j is written as each API wants it (T1-43, T2-50)', (text, country) => {
    expect(toE164(text, country)).toBe('+46701234567');
    expect(toSpacedMobile(text, country)).toBe('+46 701234567');
  });

  it.each([
    ['070-123 45 67', undefined],
    ['070-123 45 67', 'XX'],
    ['+46701234567 anr. 5', undefined],
    ['+46701234567 ext 5', undefined],
    ['+46701', undefined],
    ['4,67E+10', 'SE'],
    ['two words', 'SE'],
    ['', 'SE'],
  ])('%j with the country %s is none (T1-43)', (text, country) => {
    expect(toE164(text, country)).toBeNull();
    expect(toSpacedMobile(text, country)).toBeNull();
  });
});
