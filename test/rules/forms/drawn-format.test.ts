import { describe, expect, it } from 'vitest';
import { NumberFormat } from '../../../shared/model/number-format.ts';
import { fitValue } from '../../../shared/rules/forms/field-values.ts';

const written = (text: string, number: NumberFormat) =>
  fitValue({ type: 'text', number }, text).value;

describe('a drawn number field', () => {
  it.each<[string, NumberFormat, string]>([
    ['9500', '1 234', '9 500'],
    ['9500', '1 234,50', '9 500,00'],
    ['9500,5', '1.234,50', '9.500,50'],
    ['9 500.5', '1,234.50', '9,500.50'],
    ['1.234.567,80', '1 234,50', '1 234 567,80'],
    ['1,234,567.8', '1.234,50', '1.234.567,80'],
    ['1.234.567', '1 234', '1 234 567'],
    ['1 234 567', '1234,50', '1234567,00'],
    ['12\u00a0500', '1234.50', '12500.00'],
    ['-42', '1 234,50', '-42,00'],
    ['\u221242', '1 234', '-42'],
    ['007', '1 234', '7'],
    ['0.120', '1 234,50', '0,12'],
    ['9500.00', '1 234', '9 500'],
  ])('writes %j as %s: %j', (given, format, wanted) => {
    expect(written(given, format)).toBe(wanted);
  });

  it.each<[string, NumberFormat]>([
    ['1.234', '1 234,50'],
    ['12,500', '1 234'],
    ['9500.125', '1 234,50'],
    ['9500.5', '1 234'],
    ['about 9500', '1 234,50'],
    ['9500 kr', '1 234,50'],
    ['95 00', '1 234'],
    ['1,2,3', '1 234'],
    ['1'.repeat(41), '1 234'],
    ['', '1 234'],
  ])(
    'leaves %j unchanged, which is no number, ambiguous, or would be rounded (%s)',
    (given, format) => {
      expect(written(given, format)).toBe(given === '' ? null : given);
    },
  );

  it.each(NumberFormat.options)('formats its own output the same way: %s', (format) => {
    for (const given of ['1', '12', '1234', '1234567', '-1234']) {
      const once = String(written(given, format));
      expect(written(once, format)).toBe(once);
    }
  });

  it('counts the characters that it writes, and reports too many', () => {
    const field = { type: 'text', number: '1 234,50', maxLength: 7 } as const;
    expect(fitValue(field, '950')).toMatchObject({ value: '950,00', problem: null });
    expect(fitValue(field, '9500').problem).toMatchObject({ code: 'too-long' });
  });
});

it('a drawn date field formats a date from any source, and leaves words unchanged', () => {
  const field = { type: 'text', day: 'dd.MM.yyyy' } as const;
  expect(fitValue(field, '2026-12-01').value).toBe('01.12.2026');
  expect(fitValue(field, '01.12.2026').value).toBe('01.12.2026');
  expect(fitValue(field, 'until further notice').value).toBe('until further notice');
});
