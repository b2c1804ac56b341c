import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  isVisible,
  readPlace,
  writeWindowPlace,
} from '../../../electron/hosts/electron/window-place.ts';

const LAPTOP = { x: 0, y: 0, width: 1440, height: 900 };
const LEFT = { x: -1920, y: 0, width: 1920, height: 1080 };

describe('a stored window position', () => {
  it.each([
    ['in the middle', { x: 200, y: 100, width: 1000, height: 700 }],
    ['with 64 pixels left on the screen', { x: 1376, y: 836, width: 1000, height: 700 }],
    ['on the second screen', { x: -1000, y: 100, width: 800, height: 700 }],
    ['across two screens', { x: -400, y: 100, width: 800, height: 700 }],
  ])('is restored %s', (_, place) => {
    expect(isVisible(place, [LAPTOP, LEFT])).toBe(true);
  });

  it.each([
    ['with 63 pixels left on the screen', { x: 1377, y: 100, width: 1000, height: 700 }],
    ['below the screen', { x: 100, y: 900, width: 1000, height: 700 }],
    ['on a screen that is gone', { x: 3000, y: 100, width: 800, height: 700 }],
    ['with two thin strips on two screens', { x: -40, y: 850, width: 80, height: 700 }],
  ])('is not restored %s', (_, place) => {
    expect(isVisible(place, [LAPTOP, LEFT])).toBe(false);
  });
});

const PLACE = { x: 1, y: 2, width: 700, height: 800 };

describe('the file of the window position', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'signing-desk-place-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('returns the position that was written', () => {
    const file = path.join(folder, 'window.json');
    writeWindowPlace(file, { x: -5, y: 6, width: 700, height: 800 });
    expect(readPlace(file)).toEqual({ x: -5, y: 6, width: 700, height: 800 });
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"x":1,"y":2,"width":3}',
    '{"x":"1","y":2,"width":3,"height":4}',
  ])('counts as missing with %j in it', (text) => {
    const file = path.join(folder, 'window.json');
    writeFileSync(file, text);
    expect(readPlace(file)).toBeUndefined();
  });

  it('may fail to be written, and the window still closes', () => {
    writeWindowPlace(path.join(folder, 'no such folder/window.json'), PLACE);
    expect(existsSync(path.join(folder, 'no such folder'))).toBe(false);
  });

  it('may be missing', () => {
    expect(readPlace(path.join(folder, 'window.json'))).toBeUndefined();
  });
});
