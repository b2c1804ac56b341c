import { describe, expect, it } from 'vitest';
import { parsePastedCells } from '../../../shared/rules/sheets/pasted-cells.ts';

describe('a pasted block of cells', () => {
  it('is split into rows by lines and into cells by tabs, for every line end', () => {
    const wanted = [
      ['Åsa', '', '9000'],
      ['Bo', 'Ek', '+46'],
    ];
    for (const end of ['\n', '\r\n']) {
      expect(parsePastedCells(`Åsa\t\t9000${end}Bo\tEk\t+46${end}`)).toEqual(wanted);
    }
  });

  it('loses the quotes around a cell, and keeps one of two doubled quotes', () => {
    expect(parsePastedCells('"Åsa ""Ace"" Öberg"\tplain')).toEqual([['Åsa "Ace" Öberg', 'plain']]);
  });

  it('keeps an empty cell, which clears the target cell', () => {
    expect(parsePastedCells('')).toEqual([['']]);
  });
});
