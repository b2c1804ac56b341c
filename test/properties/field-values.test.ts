import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLANK_WORD,
  fitValue,
  isBlankWord,
  type ValueField,
  toStoredValue,
} from '../../shared/rules/forms/field-values.ts';
import type { FormFormat } from '../../shared/model/form-scripts.ts';
import { decimalInFormat, formatProblem, inFormat } from '../../shared/rules/forms/form-format.ts';
import { anyText, settings } from './runs.ts';

const options = fc.uniqueArray(
  anyText(8).filter((text) => text.trim() !== ''),
  { minLength: 1, maxLength: 5 },
);
const field: fc.Arbitrary<ValueField> = fc.oneof(
  fc.record({
    type: fc.constant('text' as const),
    maxLength: fc.option(fc.nat({ max: 30 }), { nil: undefined }),
  }),
  fc.record({
    type: fc.constant('checkbox' as const),
    options: fc.uniqueArray(anyText(6), { maxLength: 1 }),
  }),
  fc.record({ type: fc.constant('radio' as const), options }),
  fc.record({
    type: fc.constant('choice' as const),
    options,
    editable: fc.boolean(),
    multiple: fc.boolean(),
  }),
  options.chain((shown) =>
    fc.record({
      type: fc.constant('choice' as const),
      options: fc.constant(shown),
      exports: fc.constant(shown.map((_, at) => `x${String(at)}`)),
      multiple: fc.boolean(),
    }),
  ),
  fc.record({ type: fc.constantFrom('signature' as const, 'button' as const) }),
);
/**
 * A value as typed by a user or read from a spreadsheet: any text, or one or more words that the
 * field knows.
 */
const given = (of: ValueField): fc.Arbitrary<string | boolean> => {
  const known = [
    ...(of.options ?? []),
    ...(of.exports ?? []),
    'yes',
    'no',
    'JA',
    'nej',
    '1',
    '0',
    BLANK_WORD,
  ];
  const words = fc.array(fc.constantFrom(...known), { minLength: 1, maxLength: 3 });
  return fc.oneof(
    anyText(40),
    fc.boolean(),
    words.chain((some) => fc.constantFrom('\n', ';', ', ').map((sign) => some.join(sign))),
  );
};
const both = field.chain((of) => fc.tuple(fc.constant(of), given(of)));

describe('a value for a field', () => {
  it('is unchanged if it is fitted again, so that draft, row and form have the same value (TE-P16)', () => {
    fc.assert(
      fc.property(both, ([of, value]) => {
        const first = fitValue(of, value);
        fc.pre(first.value !== null);
        const written = toStoredValue(first.value ?? '');
        expect(fitValue(of, written)).toEqual(first);
      }),
      settings,
    );
  });

  it('is either accepted or rejected with a reason, and never longer than the field (TE-P16)', () => {
    fc.assert(
      fc.property(both, ([of, value]) => {
        const { value: fitted, problem } = fitValue(of, value);
        if (problem !== null) expect(fitted).toBeNull();
        if (typeof fitted === 'string' && of.maxLength !== undefined && of.type === 'text') {
          expect(fitted.length).toBeLessThanOrEqual(of.maxLength);
        }
        // An empty text leaves the field's value unchanged; only the word for blank clears it.
        if (value === '') expect(fitted).toBeNull();
        if (fitted === '') expect(isBlankWord(String(value)) || of.type !== 'text').toBe(true);
      }),
      settings,
    );
  });

  it('is one of the PDF’s options in a list, unless the list accepts any text (TE-P16)', () => {
    fc.assert(
      fc.property(both, ([of, value]) => {
        fc.pre((of.type === 'choice' || of.type === 'radio') && of.editable !== true);
        const { value: fitted } = fitValue(of, value);
        if (typeof fitted !== 'string' || fitted === '') return;
        const { options: shown = [], exports = shown } = of;
        const parts =
          of.multiple === true && !exports.includes(fitted) ? fitted.split(/, |\n/) : [fitted];
        for (const part of parts) expect(exports.map((one) => one.trim())).toContain(part.trim());
      }),
      settings,
    );
  });

  it('is the text itself in a text field, with composed characters and plain line ends (TE-P16)', () => {
    fc.assert(
      fc.property(anyText(), (text) => {
        fc.pre(text !== '' && !isBlankWord(text));
        const plain = text.replaceAll(/\r{1,2}\n|\r/g, '\n').normalize('NFC');
        expect(fitValue({ type: 'text' }, text).value).toBe(plain);
        expect(fitValue(undefined, text).value).toBe(plain);
      }),
      settings,
    );
  });
});

const amounts: fc.Arbitrary<FormFormat & { kind: 'number' }> = fc
  .record({
    places: fc.nat({ max: 4 }),
    marks: fc.constantFrom(
      { group: ',', point: '.' } as const,
      { group: '', point: '.' } as const,
      { group: '.', point: ',' } as const,
      { group: '', point: ',' } as const,
      { group: "'", point: '.' } as const,
    ),
    negative: fc.constantFrom('minus' as const, 'parentheses' as const, 'colour' as const),
    before: fc.constantFrom('', '$', 'kr ', 'Rs. '),
    after: fc.constantFrom('', ' kr', '€', ' , kr'),
  })
  .map(({ places, marks: { group, point }, negative, before, after }) => {
    const kind = 'number' as const;
    return { kind, places, group, point, negative, before, after };
  });
const days: fc.Arbitrary<FormFormat> = fc
  .constantFrom('dd.mm.yyyy', 'm/d/yy', 'mm/dd/yyyy', 'ddmmyyyy', 'd-mmm-yy', 'mmmm d, yyyy', 'm/d')
  .map((pattern) => ({ kind: 'day', pattern }));
const amountText = fc
  .tuple(fc.constantFrom('', '-'), fc.nat(9_999_999), fc.constantFrom('', ',5', '.25', '.125'))
  .map(([sign, whole, tail]) => `${sign}${String(whole)}${tail}`);
const dayText = fc
  .tuple(fc.integer({ min: 1900, max: 2199 }), fc.integer({ min: 1, max: 12 }), fc.nat(27))
  .map(([year, month, day]) =>
    [String(year), String(month).padStart(2, '0'), String(day + 1).padStart(2, '0')].join('-'),
  );

describe('a value that a script of the form formats', () => {
  it('does not change if it is formatted again, and causes no warning (IN-F11)', () => {
    const text = fc.oneof(amountText, dayText, anyText(20));
    fc.assert(
      fc.property(fc.oneof(amounts, days), text, (format, typed) => {
        const first = inFormat({ format }, typed);
        fc.pre(first !== null);
        expect(inFormat({ format }, first ?? '')).toBe(first);
        expect(formatProblem({ format }, first ?? '')).toBeNull();
      }),
      settings,
    );
  });

  it('is the same number as before, digit by digit (IN-F11)', () => {
    fc.assert(
      fc.property(amounts, amountText, (format, typed) => {
        const first = inFormat({ format }, typed);
        fc.pre(first !== null);
        const { units = 0n, places = 0 } = decimalInFormat(format, first ?? '') ?? {};
        const [whole = '', tail = ''] = typed.replace(',', '.').split('.');
        const wanted = BigInt(`${whole}${tail.padEnd(10, '0')}`);
        expect(units * 10n ** BigInt(10 - places)).toBe(wanted);
      }),
      settings,
    );
  });
});
