import { headOf } from '../text/head-of-text.ts';

/** Words before the totals of a table, in the program's languages and English. */
const TOTAL_WORDS: ReadonlySet<string> = new Set(
  [
    ['total', 'totals', 'grand total', 'subtotal', 'sub-total', 'sum', 'count', 'average'],
    [
      'summa',
      'summa totalt',
      'totalt',
      'totalsumma',
      'slutsumma',
      'delsumma',
      'sammanlagt',
      'antal',
    ],
    ['i alt', 'ialt', 'sum total', 'delsum', 'mellemsum', 'medelvärde', 'genomsnitt'],
    ['summe', 'gesamt', 'gesamtsumme', 'insgesamt', 'zwischensumme', 'endsumme', 'anzahl'],
    ['totaal', 'subtotaal', 'eindtotaal', 'som', 'aantal', 'gemiddelde', 'durchschnitt'],
    ['total général', 'somme', 'sous-total', 'moyenne'],
    ['total general', 'suma', 'suma total', 'promedio'],
    ['totale', 'somma', 'subtotale', 'totale generale', 'media'],
    ['yhteensä', 'välisumma', 'loppusumma', 'keskiarvo'],
    ['razem', 'łącznie', 'ogółem', 'suma częściowa', 'średnia'],
  ].flat(),
);
const MAX_CELL_SCAN_LENGTH = 200;
/** An amount with its currency or unit, or a count. */
const AMOUNT_PATTERN =
  /^[\p{Sc}\d\s.,:'%+()−–-]*(?:kr|sek|eur|usd|nok|dkk|gbp|chf|pln|zł|st|pcs|stk)?\.?$/iu;
/** Phone and registration numbers are not totals. */
const IDENTIFIER_PATTERN = /^(?:\+\d|0\d|\d{6,8}[-+]\d{4}$)/;

/** Whether a row is a total of the rows above, without a recipient for an agreement. */
export function isTotalRow(cells: readonly string[]): boolean {
  const [first, ...others] = cells
    .map((cell) => headOf(cell.trim(), MAX_CELL_SCAN_LENGTH))
    .filter(Boolean);
  if (first === undefined || !TOTAL_WORDS.has(firstWordOf(first))) return false;
  return others.every((cell) => AMOUNT_PATTERN.test(cell) && !IDENTIFIER_PATTERN.test(cell));
}

/** Word at the beginning of a cell, in lower case: `Summa: 12 500` becomes `summa`. */
function firstWordOf(cell: string): string {
  const [word = ''] = cell
    .normalize('NFC')
    .toLowerCase()
    .split(/[:=.\d(]/, 1);
  return word.trim().replaceAll(/\s+/g, ' ');
}
