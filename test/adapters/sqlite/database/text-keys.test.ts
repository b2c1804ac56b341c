import { describe, expect, it } from 'vitest';
import { titleKey, wordsOf } from '../../../../electron/adapters/sqlite/database/text-keys.ts';

describe('sorted titles', () => {
  const names = [
    'Abonnemang', 'Adel', 'Älg', 'Ål', 'Åland', 'Ängen', 'Anställning', 'Arvode', 'Öl', 'Östra',
    'Ödeshög', 'Zebra', 'Zoo', 'Ystad', 'Kål', 'Kalas', 'Kök', 'Kölapp', 'Kon', 'Köpeavtal',
    'Hyra', 'Hyresavtal', 'Åkeri', 'Äganderätt', 'Överlåtelse', 'Uppdrag', 'Élan', 'Elak', 'Elva',
  ] as const; // oxfmt-ignore

  it('are sorted as in a Swedish or Finnish list, å ä ö last (TX-60)', () => {
    const sorted = names.toSorted((one, other) => (titleKey(one) < titleKey(other) ? -1 : 1));
    for (const locale of ['sv', 'fi']) {
      const { compare } = new Intl.Collator(locale, { sensitivity: 'accent' });
      expect(sorted).toEqual(names.toSorted(compare));
    }
    expect(sorted.slice(-3)).toEqual(['Öl', 'Östra', 'Överlåtelse']);
  });

  it('ignore case, and treat accented letters as the base letter', () => {
    expect(titleKey('ÅLAND')).toBe(titleKey('åland'));
    expect(titleKey('Élan')).toBe(titleKey('elan'));
    expect(titleKey('A\u030Aland')).toBe(titleKey('Åland'));
  });

  it('have ü sorted with y, and Danish and Norwegian letters with their Swedish equivalents', () => {
    const { compare } = new Intl.Collator('sv', { sensitivity: 'base' });
    const words = ['Müller', 'Mylla', 'Mz', 'Mæland', 'Mø', 'Må'];
    const sorted = words.toSorted((one, other) => (titleKey(one) < titleKey(other) ? -1 : 1));
    expect(sorted).toEqual(words.toSorted(compare));
  });
});

describe('search words', () => {
  it.each([
    ['Öberg', ['oberg']],
    ['ÅSA Ängström', ['asa', 'angstrom']],
    ['Łódź', ['lodz']],
    ['Straße', ['strasse']],
    ['Ærø', ['aero']],
    ['Þórður', ['thordur']],
    ['Đorđe', ['dorde']],
    ['Œuvre', ['oeuvre']],
    ['Kıbrıs', ['kibris']],
    ['K-77/b', ['k', '77', 'b']],
    ['astrid@example.com', ['astrid', 'example', 'com']],
    ['Ελλάδα', ['ελλαδα']],
    ['“Avtal” – 1 000:-', ['avtal', '1', '000']],
    ['%&!', []],
    ['8C9A3C0E-6c43-4b8e-9d0a-0d7b6a4f3d11', ['8c9a3c0e6c434b8e9d0a0d7b6a4f3d11']],
    ['8c9a3c0e-6c', ['8c9a3c0e6c']],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });
});
