import { describe, expect, it } from 'vitest';
import { localesV1 } from '../../../shared/model/agreement-v1.ts';
import { validateLocale, toIntlLocale } from '../../../shared/rules/text/locales.ts';

describe('a notification language', () => {
  it.each(localesV1)(
    '%s is one of the service’s eleven, and Intl accepts it with a hyphen (T1-55)',
    (locale) => {
      expect(validateLocale(locale)).toEqual({ verdict: 'fine', value: locale });
      expect(validateLocale(toIntlLocale(locale).toLowerCase())).toEqual({
        verdict: 'fine',
        value: locale,
      });
      expect(Intl.getCanonicalLocales(toIntlLocale(locale))).toEqual([toIntlLocale(locale)]);
    },
  );

  it.each([
    ['sv', 'sv_SE'],
    ['EN', 'en_US'],
    ['nb', 'nb_NO'],
    ['no', 'nb_NO'],
    ['no-NO', 'nb_NO'],
  ])('%j probably means %s, with a notice (T1-55)', (text, value) => {
    expect(validateLocale(text)).toEqual({ verdict: 'suspicious', value, why: 'region-assumed' });
  });

  it.each(['sv_FI', 'en_GB', 'is_IS', 'svenska', 's', 'sv_', 'sv_SE_x'])(
    '%j is invalid, because the service would silently replace it (T1-55)',
    (text) => {
      expect(validateLocale(text)).toMatchObject({ verdict: 'wrong', why: 'unknown' });
    },
  );

  it('that is empty is invalid (T1-55)', () => {
    expect(validateLocale(' ')).toMatchObject({ verdict: 'wrong', why: 'empty' });
  });
});
