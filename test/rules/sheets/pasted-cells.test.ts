import { describe, expect, it } from 'vitest';
import { pastedCells } from '../../../shared/rules/sheets/pasted-cells.ts';

describe('a block from the clipboard', () => {
  it('is rows by line and cells by tab, however the lines end', () => {
    const wanted = [
      ['Åsa', '', '9000'],
      ['Bo', 'Ek', '+46'],
    ];
    for (const end of ['\n', '\r\n']) {
      expect(pastedCells(`Åsa\t\t9000${end}Bo\tEk\t+46${end}`)).toEqual(wanted);
    }
  });

  it('has a cell in quotes without them, its own quotes once', () => {
    expect(pastedCells('"Åsa ""Ace"" Öberg"\tplain')).toEqual([['Åsa "Ace" Öberg', 'plain']]);
  });

  it('keeps an empty cell, which empties the one it is put over', () => {
    expect(pastedCells('')).toEqual([['']]);
  });
});
