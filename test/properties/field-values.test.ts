import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  BLANK_WORD,
  fitValue,
  isBlankWord,
  type ValueField,
  writtenValue,
} from '../../shared/rules/forms/field-values.ts';
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
/** A value as a person or a sheet gives it: any text, a word of the field, or several of them. */
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

describe('a value that goes into a field', () => {
  it('fits again as it came out, so that a draft, a row and a form agree (TE-P16)', () => {
    fc.assert(
      fc.property(both, ([of, value]) => {
        const first = fitValue(of, value);
        fc.pre(first.value !== null);
        const written = writtenValue(first.value ?? '');
        expect(fitValue(of, written)).toEqual(first);
      }),
      settings,
    );
  });

  it('is given or refused with a reason, never both, and never longer than the field (TE-P16)', () => {
    fc.assert(
      fc.property(both, ([of, value]) => {
        const { value: fitted, problem } = fitValue(of, value);
        if (problem !== null) expect(fitted).toBeNull();
        if (typeof fitted === 'string' && of.maxLength !== undefined && of.type === 'text') {
          expect(fitted.length).toBeLessThanOrEqual(of.maxLength);
        }
        // Nothing at all leaves the field alone; only the word for it empties it.
        if (value === '') expect(fitted).toBeNull();
        if (fitted === '') expect(isBlankWord(String(value)) || of.type !== 'text').toBe(true);
      }),
      settings,
    );
  });

  it('into a list is one of what the PDF offers, unless the list takes any text (TE-P16)', () => {
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

  it('into a text field is the text itself, composed and with plain line ends (TE-P16)', () => {
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
