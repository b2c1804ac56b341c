import { describe, expect, it } from 'vitest';
import { fitFrame, placeIn } from '../../../electron/hosts/chromium/placement.ts';

const least = { width: 1280, height: 840 };

it.each([
  // A large screen has room for a larger window with a margin.
  [
    { left: 0, top: 0, width: 2560, height: 1440 },
    { left: 192, top: 108, width: 2176, height: 1224 },
  ],
  // A medium screen shows the window in the requested size.
  [
    { left: 0, top: 0, width: 1440, height: 900 },
    { left: 80, top: 30, width: 1280, height: 840 },
  ],
  // On a small screen, the window fills the screen.
  [
    { left: 0, top: 24, width: 1024, height: 700 },
    { left: 0, top: 24, width: 1024, height: 700 },
  ],
  // The second screen starts at the right edge of the first one.
  [
    { left: 1920, top: 0, width: 1920, height: 1080 },
    { left: 2064, top: 81, width: 1632, height: 918 },
  ],
])('on a screen of %o the window is placed at %o', (room, place) => {
  expect(placeIn(room, least)).toEqual(place);
});

describe('a window with a frame', () => {
  it('keeps its size if the frame fits', () => {
    const wide = { left: 0, top: 0, width: 1600, height: 1000 };
    const first = placeIn(wide, least);
    const seen = { left: first.left, top: first.top + 29, width: 1360, height: 850 };
    expect(fitFrame(wide, first, seen)).toBeNull();
  });

  it.each([
    [
      'below its place',
      { left: 43, top: 29, width: 1280, height: 768 },
      { left: 43, top: 0, width: 1280, height: 731 },
    ],
    [
      'with borders',
      { left: 48, top: 29, width: 1280, height: 768 },
      { left: 43, top: 0, width: 1280, height: 731 },
    ],
    [
      'as a larger one',
      { left: 43, top: 0, width: 1290, height: 802 },
      { left: 43, top: 0, width: 1280, height: 726 },
    ],
    [
      'to the right',
      { left: 100, top: 0, width: 1280, height: 768 },
      { left: 43, top: 0, width: 1258, height: 760 },
    ],
  ])('is made smaller if the desktop places it %s', (_, seen, smaller) => {
    const room = { left: 0, top: 0, width: 1366, height: 768 };
    expect(fitFrame(room, placeIn(room, least), seen)).toEqual(smaller);
  });

  it('leaves space for both borders on a screen that is narrower than requested', () => {
    const room = { left: 0, top: 24, width: 1024, height: 700 };
    const asked = placeIn(room, least);
    const seen = { left: 0, top: 53, width: 1024, height: 700 };
    const smaller = { left: 8, top: 24, width: 1008, height: 663 };
    expect(fitFrame(room, asked, seen)).toEqual(smaller);
  });
});
