import { describe, expect, it } from 'vitest';
import {
  countryCodes,
  isCountry,
  validateCountry,
} from '../../../shared/rules/identifiers/countries.ts';

describe('a country', () => {
  it('is one of 249 codes, and Intl has a name for each (T1-41)', () => {
    expect(new Set(countryCodes).size).toBe(249);
    const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
    for (const code of countryCodes) {
      expect(names.of(code)).toBeTypeOf('string');
      expect(validateCountry(code)).toEqual({ verdict: 'fine', value: code });
    }
  });

  it.each(['EU', 'UK', 'XK', 'SU', 'ZZ', 'AA', 'se', 'SWE', ''])(
    '%j is not an official code (T1-46)',
    (text) => {
      expect(isCountry(text)).toBe(false);
    },
  );

  it.each([
    ['se', 'SE'],
    [' SE\u00a0', 'SE'],
    ['Sverige', 'SE'],
    ['SWEDEN', 'SE'],
    ['Ruotsi', 'SE'],
    ['Schweden', 'SE'],
    ['Danmark', 'DK'],
    ['Norja', 'NO'],
    ['Österreich'.normalize('NFD'), 'AT'],
  ])('%j is %s (T1-41)', (text, value) => {
    expect(validateCountry(text)).toEqual({ verdict: 'fine', value });
  });

  it.each([
    ['UK', 'GB'],
    ['EL', 'GR'],
    ['SWE', 'SE'],
    ['fin', 'FI'],
  ])('%j probably means %s, with a notice (T1-41)', (text, value) => {
    expect(validateCountry(text)).toEqual({ verdict: 'suspicious', value, why: 'code-assumed' });
  });

  it.each(['ZZ', 'EU', 'Atlantis', '752', '__proto__'])(
    'does not have the unknown code or name %j',
    (text) => {
      expect(validateCountry(text)).toMatchObject({ verdict: 'wrong', why: 'unknown' });
    },
  );

  it('has a unique name', () => {
    const owners = new Map<string, string>();
    for (const language of ['sv', 'en', 'fi', 'da', 'nb', 'de']) {
      const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
      for (const code of countryCodes) {
        const name = names.of(code) ?? '';
        expect(owners.get(name) ?? code).toBe(code);
        owners.set(name, code);
        expect(validateCountry(name)).toEqual({ verdict: 'fine', value: code });
      }
    }
  });
});
