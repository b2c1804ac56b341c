import { describe, expect, it } from 'vitest';
import { isTotalRow } from '../../../shared/rules/batches/total-row.ts';

describe('a totals row of a table', () => {
  it.each([
    ['Summa', '', '', '12 500,00 kr'],
    ['', 'TOTALT:', '24'],
    ['Total', '', '€ 1.250,00', '12 %'],
    ['Summa: 3 st', ''],
    ['Gesamtsumme', '-1.250,50 EUR'],
    ['Yhteensä', '12'],
    ['Razem', ''],
    ['Total général', '(1 250,00)'],
    ['Antal', '0'],
  ])('begins with a totals word, and has only amounts: %s %s %s (IN-S11)', (...cells) => {
    expect(isTotalRow(cells)).toBe(true);
  });

  it.each([
    ['Total AB', '556012-3456', ''],
    ['Total', '556012-3456', ''],
    ['Total', '', 'info@total.example'],
    ['Summa', 'Anna', ''],
    ['Total', '070-123 45 67'],
    ['Total', '+46 70 123 45 67'],
    ['12 500', '', ''],
    ['', '', ''],
    ['Bo', 'Summa'],
  ])('has no name, number or address of a person: %s %s %s (IN-S11)', (...cells) => {
    expect(isTotalRow(cells)).toBe(false);
  });
});
