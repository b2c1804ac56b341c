import { describe, expect, it } from 'vitest';
import {
  isMaskedText,
  containsPersonNumber,
  withMaskedNumbers,
} from '../../../shared/rules/people/personal-numbers.ts';

const NUMBER = '198507099805';

describe('a personal number is found', () => {
  it.each([
    ['with century', '198507099805'],
    ['with a dash', '850709-9805'],
    ['with a plus sign', '850709+9805'],
    ['in a file name behind a word', 'Lease-19850709-9805.pdf'],
    ['between letters', 'pnr198507099805x'],
    ['with a typing error', '850709-9806'],
    ['with dots in its date', '1985.07.09-9805'],
    ['with dashes in its date', '1985-07-09-9805'],
    ['with an en dash and blanks', '850709 – 9805'],
    ['in full-width digits', '１９８５０７０９９８０５'],
    ['with an invisible sign', '850709\u200B-9805'],
    ['as a coordination number of an unknown month', '191500882392'],
    ['as an interim number', '850709-T805'],
    ['of Finland', '131052-308T'],
    ['of Finland with a new century sign', '131052Y308T'],
    ['of Denmark', '010165-1011'],
    ['of Norway', '01129955131'],
    ['of Norway, made for tests', '01819955131'],
    ['of a company that is one person', '800101-9997'],
    ['broken at the end of a line', '850709-\n9805'],
    ['with a tab', '850709\t9805'],
    ['with two blanks', '850709  9805'],
    ['with a slash', '850709/9805'],
    ['with a point', '850709.9805'],
    ['with a short year and dashes', '85-07-09-9805'],
    ['with a short year and blanks', '85 07 09 9805'],
    ['of Norway with points', '01.12.99 55131'],
    ['of Denmark with dashes', '01-01-65-1011'],
    ['of Finland with points', '13.10.52-308T'],
    ['with an underscore', '850709_9805'],
    ['with a colon', '850709:9805'],
    ['with a comma', '850709,9805'],
    ['with a point at half height', '850709·9805'],
    ['with brackets', '(850709)9805'],
    ['with a dash and a blank', '850709-98 05'],
    ['with signs between all its parts', '85 07 09 98 05'],
    ['with century and signs between all its parts', '19 85 07 09 98 05'],
    ['with dashes at odd places', '8507-09-9805'],
    ['with a blank between all its digits', '8 5 0 7 0 9 9 8 0 5'],
    ['beside another number', 'Room 4, 85 07 09 98 05, 12 500'],
    ['in Arabic digits', '٨٥٠٧٠٩٩٨٠٥'],
    ['with a dash as addresses write it', '850709%2D9805'],
    ['of Norway with blanks', '15 10 86 950 88'],
    ['of Denmark with an underscore', '010165_1011'],
    ['behind the code of a country', '+46 850709-9805'],
    ['behind a plus sign', '+198507099805'],
  ])('in a text: %s (DL-C2)', (_form, text) => {
    expect(containsPersonNumber({ title: text })).toBe(true);
    expect(containsPersonNumber({ tags: { [text]: 'x' } })).toBe(true);
    const masked = JSON.stringify(withMaskedNumbers({ rows: [`For ${text}`] }));
    expect(isMaskedText(masked)).toBe(true);
    expect(containsPersonNumber(JSON.parse(masked))).toBe(false);
  });

  it.each([
    ['with a named dash of a web page', '850709&ndash;9805'],
    ['with a named blank of a web page', '850709&nbsp;9805'],
    ['with a numbered dash of a web page', '850709&#45;9805'],
    ['with a hidden hyphen of a web page', '850709&shy;-9805'],
    ['with a digit as a web page may write it', '&#x38;50709-9805'],
    ['in bold up to the dash', '<b>850709</b>-9805'],
    ['in two cells of a web page', '<td>850709</td><td>9805</td>'],
    ['on two lines of a web page', '850709<br>9805'],
    ['between signs that look like a tag', 'a <b 850709-9805 c> d'],
    ['with escapes as addresses write them', '%38%35%30%37%30%39%2D%39%38%30%35'],
    ['with a row of dots', '850709...9805'],
    ['with three dashes', '850709 --- 9805'],
    ['behind a plus sign, with a dash', '+850709-9805'],
    ['of Norway behind the code of its country', '+47 01018512345'],
  ])('in a text: %s (DL-U6)', (_form, text) => {
    expect(containsPersonNumber({ title: `For ${text}` })).toBe(true);
    expect(containsPersonNumber(text)).toBe(true);
    const masked = JSON.stringify(withMaskedNumbers({ rows: [`For ${text}`] }));
    expect(isMaskedText(masked)).toBe(true);
    expect(containsPersonNumber(JSON.parse(masked))).toBe(false);
  });

  it('in fields that always hold one, and in no other field of that name (DL-C2)', () => {
    for (const held of [
      { personNumber: 'A 77' },
      { parties: [{ signingConfigurations: [{ type: 'EID', identifier: 'A 77' }] }] },
      { privates: [{ personNo: 'A 77' }] },
      { parties: 'ab'.repeat(32) },
    ]) {
      expect(containsPersonNumber(held)).toBe(true);
      expect(JSON.stringify(withMaskedNumbers(held))).not.toMatch(/77|abab/);
    }
    expect(containsPersonNumber({ identifier: '+46701234567', type: 'SMS_OTP' })).toBe(false);
    expect(containsPersonNumber({ personNumber: '' })).toBe(false);
  });

  it('in a long text, also at the border between two chunks (DL-C2)', () => {
    for (const before of [65_400, 65_470, 65_530, 200_000]) {
      expect(containsPersonNumber(`${'x'.repeat(before)} ${NUMBER}`)).toBe(true);
    }
  });

  it.each([
    '+46701234567',
    '0701234568',
    '070-123 45 67',
    '+46 (0)70-123 45 67',
    '+1 985 709 9805',
    '28.11.2026 10:30',
    '556036-0793',
    '212000-0142',
    '2026-11-28 10:30',
    '20261128T023218Z',
    '6fa459ea-ee8a-3ca4-894e-198507099805',
    'a'.repeat(20) + '8507099805'.repeat(2) + 'a'.repeat(20),
    'Rent 12 500, room 4',
    '1732761138000',
    '070 712 34 52',
    '2026-11-28 14:02',
    '2026-11-28 14:10',
    'Rooms 12, 14 and 16; 4 500 and 12 700',
  ])('not in %s (DL-C2)', (text) => {
    expect(containsPersonNumber({ text })).toBe(false);
    expect(withMaskedNumbers({ text })).toEqual({ text });
  });

  it.each([
    '+47 401 23 456',
    '+45 12 34 56 78',
    '+358 40 123 4567',
    'Invoice 2026-000123 <b>of</b> 12&nbsp;500,00',
    'SE45 5000 0000 0583 9825 7466',
    '<td>12</td><td>14</td><td>16</td>',
    '10&ndash;12 and 14&ndash;16 o&apos;clock',
    'Rent 12...14 000',
    'a < b and c > d, 100 % of 500',
  ])('not in %s (DL-U6)', (text) => {
    expect(containsPersonNumber({ text })).toBe(false);
    expect(withMaskedNumbers({ text })).toEqual({ text });
  });
});
