import { expect, it } from 'vitest';
import { findTurnedPlaces } from '../../../shared/rules/forms/turned-places.ts';

/**
 * Letters of a page that is displayed 300 points wide and 200 high: "Name:", followed by a line
 * from x 100 to 250 at y 150.
 */
const letters = [...'Name:'].map((text, at) => ({
  text,
  x: 50 + at * 8,
  y: 152,
  width: 8,
  height: 10,
}));
const strokes = [{ x: 100, y: 150, right: 250, top: 150 }];
const SEEN = { x: 0, y: 0, width: 300, height: 200 };

it.each([
  [0, SEEN, { x: 100, y: 150.5, width: 150, height: 14.5 }],
  [90, { x: 20, y: 10, width: 200, height: 300 }, { x: 55, y: 110, width: 14.5, height: 150 }],
  [180, { x: 20, y: 10, width: 300, height: 200 }, { x: 70, y: 45, width: 150, height: 14.5 }],
  [270, { x: 20, y: 10, width: 200, height: 300 }, { x: 170.5, y: 60, width: 14.5, height: 150 }],
] as const)(
  'a blank on a page turned by %i degrees is found at its place on the stored page (IN-U06)',
  (turn, stored, box) => {
    const marks = { page: 1, box: SEEN, rotate: turn, letters, strokes, shades: [] };
    const found = findTurnedPlaces([{ marks, stored, turn }], []);
    expect(found.map(({ field }) => [field.name, field.places])).toEqual([
      ['Name', [{ page: 1, box }]],
    ]);
    // A blank that already has a field is not found again.
    const held = [{ name: 'Name', places: [{ page: 1, box }] }];
    expect(findTurnedPlaces([{ marks, stored, turn }], held)).toEqual([]);
  },
);
