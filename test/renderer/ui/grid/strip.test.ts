import { describe, expect, it } from 'vitest';
import {
  bodyHeight,
  drawnRows,
  offsetAt,
  offsetShowing,
  scrollTopFor,
  partlyVisibleRows,
} from '../../../../renderer/ui/grid/strip.ts';

const strip = { count: 100_000, rowHeight: 40, viewport: 600 } as const;
/** A list that is higher than any element a browser can render. */
const endless = { ...strip, count: 1_000_000 } as const;

describe('the rendered rows of a list', () => {
  it('are the visible rows and some rows around them, at any scroll position', () => {
    expect(partlyVisibleRows(strip, 4000)).toEqual({ first: 100, last: 114 });
    const { first, last } = drawnRows(strip, 4000);
    expect(first).toBeLessThan(100);
    expect(last).toBeGreaterThan(114);
  });

  it('include a row of which one pixel is visible', () => {
    expect(partlyVisibleRows(strip, 39)).toEqual({ first: 0, last: 15 });
    expect(partlyVisibleRows(strip, 40)).toEqual({ first: 1, last: 15 });
  });

  it('are fewer than sixty, including the header and the selected row', () => {
    for (const [rowHeight, viewport] of [
      [28, 1400],
      [40, 2000],
      [52, 900],
    ] as const) {
      const { first, last } = drawnRows({ count: 100_000, rowHeight, viewport }, 50_000);
      expect(last - first + 1 + 2).toBeLessThan(60);
    }
  });

  it('never exceed the list', () => {
    expect(drawnRows(strip, 0).first).toBe(0);
    const end = strip.count * strip.rowHeight - strip.viewport;
    expect(drawnRows(strip, end).last).toBe(strip.count - 1);
    expect(drawnRows({ ...strip, count: 3 }, 0)).toEqual({ first: 0, last: 2 });
    const none = drawnRows({ ...strip, count: 0 }, 0);
    expect(none.last).toBeLessThan(none.first);
  });
});

describe('a list that exceeds the browser’s maximum height', () => {
  it('is mapped to an element that browsers can draw, including its last row', () => {
    expect(bodyHeight(strip)).toBe(4_000_000);
    expect(bodyHeight(endless)).toBe(16_000_000);
    const offset = offsetAt(endless, bodyHeight(endless) - endless.viewport);
    expect(partlyVisibleRows(endless, offset).last).toBe(endless.count - 1);
    expect(offsetAt(endless, 0)).toBe(0);
  });

  it('keeps its scroll position', () => {
    for (const offset of [0, 40, 123_456, 39_000_000]) {
      expect(offsetAt(endless, scrollTopFor(endless, offset))).toBeCloseTo(offset, 3);
      expect(offsetAt(strip, scrollTopFor(strip, offset))).toBe(offset);
    }
  });
});

describe('scrolling a row into view', () => {
  it('changes nothing for a fully visible row', () => {
    expect(offsetShowing(strip, 4000, 105)).toBe(4000);
  });

  it('scrolls as little as needed, up or down', () => {
    expect(offsetShowing(strip, 4000, 99)).toBe(3960);
    expect(offsetShowing(strip, 4000, 115)).toBe(4040);
    expect(offsetShowing(strip, 4010, 100)).toBe(4000);
    expect(offsetShowing(strip, 0, 0)).toBe(0);
  });
});
