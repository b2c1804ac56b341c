import { describe, expect, it } from 'vitest';
import {
  bodyHeight,
  drawnRows,
  offsetAt,
  offsetShowing,
  scrollFor,
  seenRows,
} from '../../../../renderer/ui/grid/strip.ts';

const strip = { count: 100_000, rowHeight: 40, viewport: 600 } as const;
/** Higher than any box a browser draws. */
const endless = { ...strip, count: 1_000_000 } as const;

describe('the rows that are drawn', () => {
  it('are those seen and some ahead, wherever the list stands', () => {
    expect(seenRows(strip, 4000)).toEqual({ first: 100, last: 114 });
    const { first, last } = drawnRows(strip, 4000);
    expect(first).toBeLessThan(100);
    expect(last).toBeGreaterThan(114);
  });

  it('hold a row of which a pixel is seen', () => {
    expect(seenRows(strip, 39)).toEqual({ first: 0, last: 15 });
    expect(seenRows(strip, 40)).toEqual({ first: 1, last: 15 });
  });

  it('are fewer than sixty with the header and the row under the cursor', () => {
    for (const [rowHeight, viewport] of [
      [28, 1400],
      [40, 2000],
      [52, 900],
    ] as const) {
      const { first, last } = drawnRows({ count: 100_000, rowHeight, viewport }, 50_000);
      expect(last - first + 1 + 2).toBeLessThan(60);
    }
  });

  it('never lie outside the list', () => {
    expect(drawnRows(strip, 0).first).toBe(0);
    const end = strip.count * strip.rowHeight - strip.viewport;
    expect(drawnRows(strip, end).last).toBe(strip.count - 1);
    expect(drawnRows({ ...strip, count: 3 }, 0)).toEqual({ first: 0, last: 2 });
    const none = drawnRows({ ...strip, count: 0 }, 0);
    expect(none.last).toBeLessThan(none.first);
  });
});

describe('a list that is higher than a box can be', () => {
  it('is scrolled over in one that browsers draw, and to its very end', () => {
    expect(bodyHeight(strip)).toBe(4_000_000);
    expect(bodyHeight(endless)).toBe(16_000_000);
    const offset = offsetAt(endless, bodyHeight(endless) - endless.viewport);
    expect(seenRows(endless, offset).last).toBe(endless.count - 1);
    expect(offsetAt(endless, 0)).toBe(0);
  });

  it('stands where it was scrolled to', () => {
    for (const offset of [0, 40, 123_456, 39_000_000]) {
      expect(offsetAt(endless, scrollFor(endless, offset))).toBeCloseTo(offset, 3);
      expect(offsetAt(strip, scrollFor(strip, offset))).toBe(offset);
    }
  });
});

describe('bringing a row into sight', () => {
  it('moves nothing for a row that is seen whole', () => {
    expect(offsetShowing(strip, 4000, 105)).toBe(4000);
  });

  it('moves as little as needed, up or down', () => {
    expect(offsetShowing(strip, 4000, 99)).toBe(3960);
    expect(offsetShowing(strip, 4000, 115)).toBe(4040);
    expect(offsetShowing(strip, 4010, 100)).toBe(4000);
    expect(offsetShowing(strip, 0, 0)).toBe(0);
  });
});
