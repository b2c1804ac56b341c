import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { countryName } from '../../../renderer/ui/countries.ts';
import { speak } from '../../../renderer/ui/language.svelte.ts';

beforeAll(() => vi.stubGlobal('document', { documentElement: { lang: '' } }));
afterAll(async () => {
  await speak('en', 'en');
  vi.unstubAllGlobals();
});

it.each([
  ['en', 'Sweden'],
  ['de', 'Schweden'],
] as const)('a country has its name instead of its code, in %s: %s', async (language, name) => {
  await speak(language, 'en');
  expect(countryName('SE')).toBe(name);
});

it.each(['', 'XX', 'Sverige'])('the country %j, which is no code, stays as it is', (text) => {
  expect(countryName(text)).toBe(text);
});
