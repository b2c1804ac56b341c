import { countryCodes } from '../../shared/rules/identifiers/countries.ts';
import { currentLanguage, m } from './language.svelte.ts';

/** The countries that API v1 shows, the Nordic ones first (API v1, "Signing configuration"). */
const FIRST_COUNTRIES = ['SE', 'NO', 'FI', 'DK'];

interface CountryItem {
  readonly value: string;
  readonly label: string;
}

/** Name of a country in the user's language; an unknown code is returned unchanged. */
export function countryName(code: string): string {
  if (!countryCodes.some((known) => known === code)) return code;
  return new Intl.DisplayNames(currentLanguage(), { type: 'region' }).of(code) ?? code;
}

/** All countries by name, the empty choice, and the stored value if it is unknown. */
export function countryItems(value: string): readonly CountryItem[] {
  const language = currentLanguage();
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const order = new Intl.Collator(language);
  const named = countryCodes.map((code) => ({ value: code, label: names.of(code) ?? code }));
  const rest = named.filter((item) => !FIRST_COUNTRIES.includes(item.value));
  rest.sort((a, b) => order.compare(a.label, b.label));
  const first = FIRST_COUNTRIES.flatMap((code) => named.filter((item) => item.value === code));
  const isKnown = value === '' || named.some((item) => item.value === value);
  return [
    { value: '', label: m.draft_country_none() },
    ...first,
    ...rest,
    ...(isKnown ? [] : [{ value, label: value }]),
  ];
}
