import { describe, expect, it } from 'vitest';
import { matchColumns, missingColumns } from '../../../shared/rules/batches/match.ts';
import { mappingV1 } from './row.ts';

/** As offices name what the template asks for, in its order; what is meant stands in the mapping. */
const sheets = [
  ['sv', ['Förnamn', 'Efternamn', 'E-post', 'Mobil', 'Land', 'Personnr', 'Giltig till', 'Hyra']],
  ['de', ['Vorname', 'Nachname', 'E-Mail', 'Handy', 'Land', 'Personennummer', 'Frist', 'Miete']],
  ['fi', ['Etunimi', 'Sukunimi', 'Sähköposti', 'Puhelin', 'Maa', 'HETU', 'Määräaika', 'Vuokra']],
  ['pl', ['Imię', 'Nazwisko', 'E-mail', 'Telefon', 'Kraj', 'PESEL', 'Ważne do', 'Czynsz']],
] as const;

const WANTED = [
  ...['First name', 'Last name', 'E-mail', 'Mobile', 'Country', 'Personal number', 'Expires'],
] as const;

describe('the columns of a sheet', () => {
  it.each(sheets)(
    'are found by what they are called in %s; only a question of the template’s own is left (AP-17)',
    (_, headers) => {
      const matches = matchColumns(mappingV1, headers);
      const found = new Map(matches.map(({ placeholder, column }) => [placeholder, column]));
      expect(WANTED.map((placeholder) => found.get(placeholder))).toEqual(headers.slice(0, -1));
      expect(missingColumns(matches)).toEqual(['Rent']);
    },
  );

  it('are those that a person chose for the same headers before', () => {
    const [, headers] = sheets[1];
    const chosen = [{ placeholder: 'Rent', column: 'Miete', dayOrder: 'iso' }] as const;
    expect(missingColumns(matchColumns(mappingV1, headers, chosen))).toEqual([]);
  });
});
