import { describe, expect, it } from 'vitest';
import { ClickSeries, isDoublePress } from '../../../renderer/window/pressed.ts';

const save = { name: 'Save' };
const remove = { name: 'Remove the next row' };
const zoom = { name: 'Zoom in' };

describe('the second click of a double click', () => {
  it('is ignored on the same button, unless the button is meant for repetition', () => {
    const series = new ClickSeries();
    expect(series.isRepetition(1, save, true)).toBe(false);
    expect(series.isRepetition(2, save, true)).toBe(true);
    expect(series.isRepetition(1, zoom, false)).toBe(false);
    expect(series.isRepetition(2, zoom, false)).toBe(false);
    expect(series.isRepetition(3, zoom, false)).toBe(false);
  });

  it('is ignored on every control that appeared under the pointer after the first click', () => {
    const series = new ClickSeries();
    series.isRepetition(1, save, true);
    expect(series.isRepetition(2, zoom, false)).toBe(true);
    expect(series.isRepetition(3, zoom, false)).toBe(true);
    series.isRepetition(1, null, false);
    expect(series.isRepetition(2, remove, true)).toBe(true);
  });

  it('reaches content that is not a control, such as a row that opens on a double click', () => {
    const series = new ClickSeries();
    series.isRepetition(1, null, false);
    expect(series.isRepetition(2, null, false)).toBe(false);
  });
});

it('two presses are a double press only at one place and within a second', () => {
  const first = { at: 1000, x: 40, y: 40 };
  expect(isDoublePress(first, { at: 1350, x: 42, y: 40 })).toBe(true);
  expect(isDoublePress(first, { at: 2100, x: 40, y: 40 })).toBe(false);
  expect(isDoublePress(first, { at: 1050, x: 40, y: 60 })).toBe(false);
});

it('presses of a key and separate clicks are never ignored', () => {
  const series = new ClickSeries();
  for (const clicks of [0, 0, 1, 1]) expect(series.isRepetition(clicks, save, true)).toBe(false);
  expect(series.isRepetition(1, remove, true)).toBe(false);
});
