import { expect, it } from 'vitest';
import { localesV1 } from '../../../shared/model/agreement-v1.ts';
import { languageNames, languages } from '../../../shared/model/languages.ts';
import { languageOf } from '../../../shared/rules/text/languages.ts';

it('each window language is a language of the service, and has its name', () => {
  const spoken = localesV1.map((locale) => languageOf(locale)).filter((one) => one !== null);
  expect(new Set(spoken)).toEqual(new Set(languages));
  expect(Object.keys(languageNames)).toEqual(languages);
});

it.each([
  ['sv-SE', 'sv'],
  ['sv_FI', 'sv'],
  ['FR', 'fr'],
  ['nb-NO', 'nb'],
  ['no', 'nb'],
  ['nn_NO', 'nb'],
  ['da-GL', 'da'],
  ['en-AU', 'en'],
  ['fil-PH', null],
  ['is-IS', null],
  ['svk', null],
  ['', null],
  ['constructor', null],
])('the locale %j is read as %j', (locale, language) => {
  expect(languageOf(locale)).toBe(language);
});
