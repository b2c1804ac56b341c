import { describe, expect, it } from 'vitest';
import { linesOf } from '../../../../renderer/features/agreements/lines.ts';

const groups = [
  { key: 'waiting', from: 0, count: 3 },
  { key: 'signed', from: 3, count: 1 },
  { key: null, from: 4, count: 2 },
];

describe('the lines of a grouped list', () => {
  it('are its rows if there are no groups', () => {
    const lines = linesOf([], 5);
    expect(lines.count).toBe(5);
    expect(lines.lineAt(4)).toEqual({ kind: 'row', place: 4 });
    expect(lines.lineOf(4)).toBe(4);
    expect(lines.placeAt(2)).toBe(2);
  });

  it('start every group with its heading', () => {
    const lines = linesOf(groups, 6);
    const shown = Array.from({ length: lines.count }, (_, at) => {
      const line = lines.lineAt(at);
      return line.kind === 'row' ? line.place : line.group.key;
    });
    expect(shown).toEqual(['waiting', 0, 1, 2, 'signed', 3, null, 4, 5]);
  });

  it('map every row to its line, and every line to its row', () => {
    const lines = linesOf(groups, 6);
    for (let place = 0; place < 6; place += 1) {
      const line = lines.lineOf(place);
      expect(lines.lineAt(line)).toEqual({ kind: 'row', place });
      expect(lines.placeAt(line)).toBe(place);
    }
    // For the line of a heading, the first row below it is returned.
    expect([0, 4, 6].map((line) => lines.placeAt(line))).toEqual([0, 3, 4]);
  });
});
