import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../shared/model/languages.ts';
import { matchColumns, missingColumns, shownColumns } from '../../../shared/rules/batches/match.ts';
import { kindOfHeader } from '../../../shared/rules/batches/synonyms.ts';
import { mappingV1 } from './row.ts';

/** Labels that the window uses for questions of templates, and their meaning. */
const labels = {
  templates_datum_first_name: 'given-name',
  templates_datum_last_name: 'surname',
  templates_datum_full_name: 'full-name',
  templates_datum_company_name: 'company-name',
  templates_datum_company_number: 'org-number',
  templates_datum_person_number: 'person-number',
  templates_datum_email: 'email',
  templates_datum_mobile: 'mobile',
  templates_datum_country: 'country',
} as const;

/**
 * Headers as offices write them, by language, in the order of the template. The last one is for the
 * template's own question, and is not recognised.
 */
const sheets = [
  ['sv', ['Förnamn', 'Efternamn', 'E-post', 'Mobil', 'Land', 'Personnr', 'Giltig till', 'Hyra']],
  ['de', ['Vorname', 'Nachname', 'E-Mail', 'Handy', 'Land', 'Personennummer', 'Frist', 'Miete']],
  ['fi', ['Etunimi', 'Sukunimi', 'Sähköposti', 'Puhelin', 'Maa', 'HETU', 'Määräaika', 'Vuokra']],
  ['pl', ['Imię', 'Nazwisko', 'E-mail', 'Telefon', 'Kraj', 'PESEL', 'Ważne do', 'Czynsz']],
] as const;

const WANTED = [
  ...['First name', 'Last name', 'E-mail', 'Mobile', 'Country', 'Personal number', 'Expires'],
] as const;

describe('the columns of a spreadsheet', () => {
  it.each(sheets)(
    'are matched by their names in %s; only a question of the template stays open (AP-17)',
    (_, headers) => {
      const matches = matchColumns(mappingV1, headers);
      const found = new Map(matches.map(({ placeholder, column }) => [placeholder, column]));
      expect(WANTED.map((placeholder) => found.get(placeholder))).toEqual(headers.slice(0, -1));
      expect(missingColumns(matches)).toEqual(['Rent']);
    },
  );

  it.each(languages)('are matched by the names that the window uses in %s', (language) => {
    const url = new URL(`../../../renderer/messages/${language}.json`, import.meta.url);
    const texts: Record<string, unknown> = JSON.parse(readFileSync(url, 'utf8'));
    const found = Object.keys(labels).map((key) => [
      String(texts[key]),
      kindOfHeader(String(texts[key]))?.kind,
    ]);
    expect(found).toEqual(Object.entries(labels).map(([key, kind]) => [String(texts[key]), kind]));
  });

  it('are matched as the user chose before for the same headers', () => {
    const [, headers] = sheets[1];
    const chosen = [{ placeholder: 'Rent', column: 'Miete', dayOrder: 'iso' }] as const;
    expect(missingColumns(matchColumns(mappingV1, headers, chosen))).toEqual([]);
  });
});

it('the check of a batch shows unused columns after the columns that are used', () => {
  const match = (column: string | null) => ({ placeholder: 'x', column, dayOrder: 'iso' }) as const;
  const columns = ['Ort', 'Namn', 'Mobil', 'Hyra'];
  expect(shownColumns(columns, [match('Hyra'), match('Namn'), match(null)])).toEqual([1, 3, 0, 2]);
  expect(shownColumns(columns, [])).toEqual([0, 1, 2, 3]);
});
