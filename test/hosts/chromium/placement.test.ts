import { expect, it } from 'vitest';
import { placeIn } from '../../../electron/hosts/chromium/placement.ts';

const least = { width: 1280, height: 840 };

it.each([
  // A large screen has room for more, with air around it.
  [
    { left: 0, top: 0, width: 2560, height: 1440 },
    { left: 192, top: 108, width: 2176, height: 1224 },
  ],
  // On a middling one it is as large as it was asked for.
  [
    { left: 0, top: 0, width: 1440, height: 900 },
    { left: 80, top: 30, width: 1280, height: 840 },
  ],
  // On a small one it fills what is there.
  [
    { left: 0, top: 24, width: 1024, height: 700 },
    { left: 0, top: 24, width: 1024, height: 700 },
  ],
  // The second screen begins where the first one ends.
  [
    { left: 1920, top: 0, width: 1920, height: 1080 },
    { left: 2064, top: 81, width: 1632, height: 918 },
  ],
])('on a screen of %o the window is placed at %o', (room, place) => {
  expect(placeIn(room, least)).toEqual(place);
});
