import type { PlacedKind } from '../../model/placed-field.ts';
import { EXCESS_COMBINING_MARKS } from '../text/long-marks.ts';

/*
 * Words in labels for each kind of field, in the languages of the window. Each entry is the
 * beginning of a word, in lower case without diacritics.
 */

const SIGNATURE_WORDS = [
  ...[
    'signature',
    'signed',
    'sign here',
    'underskrift',
    'namnteckning',
    'signatur',
    'underskrevet',
  ],
  ...[
    'unterschrift',
    'gezeichnet',
    'firma',
    'firmante',
    'allekirjoitus',
    'signataire',
    'sottoscrizione',
  ],
  ...['handtekening', 'ondertekening', 'podpis'],
];
const INITIALS_WORDS = [
  'initials',
  'initialer',
  'paraph',
  'paraaf',
  'iniciales',
  'iniziali',
  'parafka',
  'sigla',
];
const DAY_WORDS = [
  ...[
    'date',
    'datum',
    'dato',
    'fecha',
    'paivays',
    'paivamaara',
    'data',
    'from',
    'until',
    'fran',
    'till',
  ],
  ...['born', 'fodd', 'geburt', 'ne le', 'syntyma'],
];
const NUMBER_WORDS = [
  ...[
    'amount',
    'rent',
    'price',
    'sum',
    'total',
    'belopp',
    'hyra',
    'pris',
    'summa',
    'betrag',
    'miete',
  ],
  ...[
    'montant',
    'loyer',
    'importe',
    'alquiler',
    'importo',
    'canone',
    'bedrag',
    'huur',
    'kwota',
    'czynsz',
  ],
  ...['vuokra', 'leje', 'leie'],
];

/** Last word before a blank for a day, as in "made on ____". */
const BEFORE_DAY_PATTERN = /(?:^|\s)(?:on|den|am|op|le|il|dnia|dniu|el dia)$/u;

const foldLabelText = (text: string): string =>
  text
    .replaceAll(EXCESS_COMBINING_MARKS, '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();

/** Kind of field for a label; null for a label without a known word, where any text is allowed. */
export function kindOfLabel(label: string): PlacedKind | null {
  const text = foldLabelText(label);
  const has = (words: readonly string[]) =>
    words.some((word) => text.startsWith(word) || text.includes(` ${word}`));
  if (has(INITIALS_WORDS)) return 'initials';
  if (has(SIGNATURE_WORDS)) return 'signature';
  if (has(DAY_WORDS) || BEFORE_DAY_PATTERN.test(text)) return 'date';
  return has(NUMBER_WORDS) ? 'number' : null;
}
