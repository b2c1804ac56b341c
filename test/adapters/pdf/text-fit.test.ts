import { afterAll, describe, expect, it } from 'vitest';
import { createPdfEngine } from '../../../electron/adapters/pdf/engine.ts';
import { AppError } from '../../../shared/errors.ts';
import { handMade, textField } from './hand-made.ts';

const pdf = createPdfEngine();
afterAll(() => pdf.close(0));

const ADDRESS = 'Kungsholmsgatan 12345 Lägenhet 1102, 112 27 Stockholm';
const NARROW = [60, 700, 160, 720] as const;
const LOW = [60, 680, 200, 720] as const;
const fitOf = async (data: Uint8Array, text: string) =>
  (await pdf.textFits(data, [{ field: 'a', text }]))[0];
const merging = async (data: Uint8Array, text: string, isFlat: boolean) =>
  pdf.merge(data, { a: text }, isFlat);

describe('a text too long for its box', () => {
  it('is rejected on one line, with the text that fits and the number of further characters (IN-P15)', async () => {
    const data = handMade([textField('a', NARROW)]);
    for (const isFlat of [true, false]) {
      await expect(merging(data, ADDRESS, isFlat)).rejects.toMatchObject({
        failure: { reason: 'pdf-text-cut', cutTexts: [{ field: 'a', size: null }] },
      });
    }
    const fit = await fitOf(data, ADDRESS);
    const { fits = '', excess = 0 } = fit ?? {};
    expect(ADDRESS.startsWith(fits)).toBe(true);
    expect(fits.length).toBeGreaterThan(15);
    expect(excess).toBe(ADDRESS.length - fits.length);
    expect(fit?.message).toContain(`by ${excess} characters`);
    expect((await merging(data, fits, true)).filled).toBe(1);
    await expect(
      merging(data, `${fits}${ADDRESS.slice(fits.length, fits.length + 2)}`, true),
    ).rejects.toThrow();
  });

  it('is rejected on several lines if lines or a long word would be cut (IN-R05)', async () => {
    const data = handMade([textField('a', LOW, '/Ff 4096 /DA (/Helv 10 Tf 0 g)')]);
    const lines = ['one', 'two', 'three', 'four', 'five', 'six'].join('\n');
    expect(await fitOf(data, lines)).toMatchObject({ fits: 'one\ntwo\nthree', excess: 14 });
    expect(await fitOf(data, 'one\ntwo\nthree')).toBeNull();
    expect((await fitOf(data, 'W'.repeat(40)))?.excess).toBeGreaterThan(10);
    for (const isFlat of [true, false]) {
      await expect(merging(data, lines, isFlat)).rejects.toThrow(/too long for its box/);
    }
  });

  it('is rejected in a comb with letters outside its cells, counted in visible characters (IN-F3)', async () => {
    const comb = handMade([
      textField('a', [60, 700, 90, 720], '/MaxLen 3 /Ff 16777216 /DA (/Helv 30 Tf 0 g)'),
    ]);
    expect((await fitOf(comb, 'WWW'))?.excess).toBeGreaterThan(0);
    const data = handMade([textField('a', NARROW)]);
    const text = `${'x'.repeat(60)}åäö`;
    const fit = await fitOf(data, text);
    expect([...(fit?.fits ?? '')].length + (fit?.excess ?? 0)).toBe(63);
  });

  it('is rejected if it does not fit one of the widgets of its field (IN-F3)', async () => {
    const places = ['/Rect [60 600 400 620]', '/Rect [60 500 100 520]'];
    const data = handMade([{ field: '/FT /Tx /T (a)', places }]);
    expect((await fitOf(data, 'A name of some length'))?.excess).toBeGreaterThan(5);
    expect(await fitOf(data, 'Short')).toBeNull();
  });
});

it.each([
  '191212-1212 Svensson, Lägenhet',
  '191212121212 Svensson, Lägenhet',
  '1912 12 12 12 12 Svensson, Lägenhet',
  'Svensson, L 191212-1212',
])('a cut text is reported without the digits of a personal number: %s (IN-Z9)', async (text) => {
  const data = handMade([textField('a', [60, 700, 140, 720])]);
  const error: unknown = await merging(data, text, true).catch((caught: unknown) => caught);
  const said = JSON.stringify(
    error instanceof AppError ? [error.message, error.failure.fields] : [],
  );
  expect(said).toContain('this part fits: ');
  expect(said).not.toMatch(/\d\D?\d\D?\d\D?\d/);
});

describe('a text with automatic size', () => {
  it('is reported if it is smaller than six points, and rejected if even the smallest size is cut (IN-F3)', async () => {
    const data = handMade([textField('a', NARROW, '/DA (/Helv 0 Tf 0 g)')]);
    expect(await fitOf(data, 'Kungsgatan 1')).toBeNull();
    const small = await fitOf(data, 'Kungsholmsgatan 12345, 112 27 Stockholm');
    expect(small).toMatchObject({ excess: 0, size: 5 });
    expect((await merging(data, 'Kungsholmsgatan 12345, 112 27 Stockholm', true)).filled).toBe(1);
    expect((await fitOf(data, ADDRESS.repeat(3)))?.excess).toBeGreaterThan(50);
  });
});
