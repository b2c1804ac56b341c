import type { PlacedKind } from '../../model/placed-field.ts';
import { LONG_MARKS } from '../text/long-marks.ts';

/*
 * Which kind of field a label asks for, in the languages of the window: beginnings of words, folded
 * to small letters without marks.
 */

const SIGNATURES = [
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
const INITIALS = [
  'initials',
  'initialer',
  'paraph',
  'paraaf',
  'iniciales',
  'iniziali',
  'parafka',
  'sigla',
];
const DAYS = [
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
const NUMBERS = [
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

/** A day follows these words where they end what stands before a blank: "made on ____". */
const BEFORE_DAY = /(?:^|\s)(?:on|den|am|op|le|il|dnia|dniu|el dia)$/u;

const folded = (text: string): string =>
  text.replaceAll(LONG_MARKS, '').normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** Null where it says nothing of its own: any text will do. */
export function kindOfLabel(label: string): PlacedKind | null {
  const text = folded(label);
  const has = (words: readonly string[]) =>
    words.some((word) => text.startsWith(word) || text.includes(` ${word}`));
  if (has(INITIALS)) return 'initials';
  if (has(SIGNATURES)) return 'signature';
  if (has(DAYS) || BEFORE_DAY.test(text)) return 'date';
  return has(NUMBERS) ? 'number' : null;
}
