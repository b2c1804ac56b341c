import { describe, expect, it } from 'vitest';
import { arrangeBoxes } from '../../../../../renderer/features/templates/drawing/arrange.ts';
import { boxStyle } from '../../../../../renderer/features/templates/drawing/over-page.ts';
import {
  fitOnPage,
  linesOf,
  toShownBox,
  sizeOf,
  toStoredBox,
} from '../../../../../renderer/features/templates/drawing/seen.ts';
import {
  resizedBox,
  snapMovedBox,
  snapResizedBox,
} from '../../../../../renderer/features/templates/drawing/snap.ts';

/**
 * Returns a page that is turned clockwise by `rotate` degrees, and whose visible part does not
 * start at 0.
 */
const page = (rotate: number) => ({
  page: 1,
  box: { x: 10, y: 20, width: 200, height: 300 },
  rotate,
  xs: [60],
  ys: [120],
});
const stored = { x: 40, y: 60, width: 50, height: 12 };
const seen = (left: number, top: number, width = 20, height = 10) => ({ left, top, width, height });

describe('a box on a page', () => {
  it.each([
    [0, { left: 30, top: 248, width: 50, height: 12 }],
    [90, { left: 40, top: 30, width: 12, height: 50 }],
    [180, { left: 120, top: 40, width: 50, height: 12 }],
    [270, { left: 248, top: 120, width: 12, height: 50 }],
    [-90, { left: 248, top: 120, width: 12, height: 50 }],
  ])(
    'is measured from the upper left of a page turned by %d, and stored unchanged',
    (turn, expected) => {
      expect(toShownBox(page(turn), stored)).toEqual(expected);
      expect(toStoredBox(page(turn), expected)).toEqual(stored);
    },
  );

  it.each([
    [0, { xs: [50], ys: [200] }],
    [90, { xs: [100], ys: [50] }],
    [180, { xs: [150], ys: [100] }],
    [270, { xs: [200], ys: [150] }],
  ])('has the page’s own lines next to it if the page is turned by %d', (turn, expected) => {
    expect(linesOf(page(turn))).toEqual(expected);
    // If a box has its stored edge on the line, its visible edge is also on the line.
    const edge = toShownBox(page(turn), { x: 60, y: 120, width: 10, height: 10 });
    const xs = [edge.left, edge.left + edge.width];
    const ys = [edge.top, edge.top + edge.height];
    expect(xs).toContain(expected.xs[0]);
    expect(ys).toContain(expected.ys[0]);
  });

  it('is as wide as a sideways page is high, and stays on that page', () => {
    expect(sizeOf(page(90))).toEqual({ width: 300, height: 200 });
    const size = sizeOf(page(0));
    expect(fitOnPage(size, seen(190, -5))).toEqual(seen(180, 0));
    expect(fitOnPage(size, seen(-3, 10, 500, 400))).toEqual(seen(0, 0, 200, 300));
  });

  it('is drawn in fractions of the page, at any zoom', () => {
    expect(boxStyle(page(0), seen(50, 75, 100, 150))).toBe(
      'left:25.000%;top:25.000%;width:50.000%;height:50.000%',
    );
  });
});

describe('moving or resizing a box', () => {
  const lines = { xs: [100, 140], ys: [50] };

  it('aligns it with the nearest line, at either side', () => {
    expect(snapMovedBox(seen(103, 20), lines, 5)).toEqual({ box: seen(100, 20), x: 100, y: null });
    expect(snapMovedBox(seen(118, 42), lines, 5)).toEqual({ box: seen(120, 40), x: 140, y: 50 });
  });

  it('does not align it if nothing is near, or alignment is off', () => {
    expect(snapMovedBox(seen(109, 20), lines, 5)).toEqual({ box: seen(109, 20), x: null, y: null });
    expect(snapMovedBox(seen(100.5, 49.5), lines, -1)).toEqual({
      box: seen(100.5, 49.5),
      x: null,
      y: null,
    });
  });

  it('changes only the sides of the handle, and never turns the box inside out', () => {
    const handle = { across: 1, down: 0 } as const;
    expect(snapResizedBox(seen(60, 48, 37), handle, lines, 5)).toEqual({
      box: seen(60, 48, 40),
      x: 100,
      y: null,
    });
    expect(resizedBox(seen(60, 20, 30, 30), { across: -1, down: -1 }, 10, 50)).toEqual(
      seen(70, 44, 20, 6),
    );
  });
});

describe('several boxes', () => {
  const boxes = [seen(10, 10, 40, 20), seen(30, 60, 20, 10), seen(90, 200, 60, 30)];
  const of = (side: 'left' | 'top' | 'width' | 'height', how: Parameters<typeof arrangeBoxes>[1]) =>
    arrangeBoxes(boxes, how).map((box) => box[side]);

  it('are aligned with the first one, and resized like it', () => {
    expect(of('left', 'left')).toEqual([10, 10, 10]);
    expect(of('left', 'center')).toEqual([10, 20, 0]);
    expect(of('left', 'right')).toEqual([10, 30, -10]);
    expect(of('top', 'top')).toEqual([10, 10, 10]);
    expect(of('top', 'middle')).toEqual([10, 15, 5]);
    expect(of('top', 'bottom')).toEqual([10, 20, 0]);
    expect(of('width', 'same-width')).toEqual([40, 40, 40]);
    expect(of('height', 'same-height')).toEqual([20, 20, 20]);
  });

  it('get equal distances, and the outer two stay in place', () => {
    // From the top of the first box to the end of the last one there are 220 points, 60 of which
    // are filled by boxes.
    expect(of('top', 'down')).toEqual([10, 110, 200]);
    expect(of('left', 'across')).toEqual([10, 60, 90]);
    expect(arrangeBoxes(boxes.slice(0, 2), 'down')).toEqual(boxes.slice(0, 2));
  });
});
