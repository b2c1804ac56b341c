import { describe, expect, it } from 'vitest';
import type { FormFormat } from '../../../shared/model/form-scripts.ts';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { fitValue } from '../../../shared/rules/forms/field-values.ts';
import { formatProblem } from '../../../shared/rules/forms/form-format.ts';
import { mappingV1, rowOf } from '../batches/row.ts';

const european = {
  kind: 'number',
  places: 2,
  group: '.',
  point: ',',
  negative: 'minus',
  before: '',
  after: '',
} as const;
const kronor: FormFormat = { ...european, after: ' kr' };
const dollars: FormFormat = {
  ...european,
  group: ',',
  point: '.',
  negative: 'parentheses',
  before: '$',
};
const whole: FormFormat = { ...european, places: 0 };
const red: FormFormat = { ...european, negative: 'colour' };
const day = (pattern: string): FormFormat => ({ kind: 'day', pattern });

const written = (format: FormFormat, text: string) =>
  fitValue({ type: 'text', format }, text).value;

describe('a form field with a script that formats numbers or dates', () => {
  it.each<[FormFormat, string, string]>([
    [european, '9000', '9.000,00'],
    [european, '9 000.5', '9.000,50'],
    [european, '-42', '-42,00'],
    [kronor, '9000', '9.000,00 kr'],
    [kronor, '9000 kr', '9.000,00 kr'],
    [dollars, '1234567.8', '$1,234,567.80'],
    [dollars, '-5', '($5.00)'],
    [dollars, '$12', '$12.00'],
    [whole, '1.234', '1.234'],
    [whole, '12 500,00', '12.500'],
    [red, '7', '7,00'],
    [day('dd.mm.yyyy'), '2026-03-05', '05.03.2026'],
    [day('dd.mm.yyyy'), '5.3.2026', '05.03.2026'],
    [day('d-mmm-yy'), '2026-03-05', '5-Mar-26'],
    [day('mmmm d, yyyy'), '2026-12-24', 'December 24, 2026'],
    [day('mmmm d, yyyy'), 'december 24, 2026', 'December 24, 2026'],
    [day('mm/dd/yyyy'), '2026-03-05', '03/05/2026'],
    [day('mm/dd/yyyy'), '3/25/2026', '03/25/2026'],
    [day('ddmmyyyy'), '2026-03-05', '05032026'],
    [day('m/d'), '2026-03-05', '3/5'],
  ])(
    '%j writes %j as %j, also a second time, without a warning (IN-F11)',
    (format, text, wanted) => {
      expect(written(format, text)).toBe(wanted);
      expect(written(format, wanted)).toBe(wanted);
      expect(formatProblem({ format }, text)).toBeNull();
      expect(formatProblem({ format }, wanted)).toBeNull();
    },
  );

  it.each<[FormFormat, string]>([
    [european, '1.234'],
    [european, '9000.125'],
    [european, 'about 9000'],
    [european, '(9000)'],
    [kronor, '9000 EUR'],
    [red, '-7'],
    [day('dd.mm.yyyy'), '31.2.2026'],
    [day('dd.mm.yyyy'), '5.3.26'],
    [day('dd.mm.yyyy'), 'until further notice'],
    [day('mm/dd/yyyy'), '5/3/2026'],
    [day('mm/dd/yyyy'), '25/3/2026'],
    [{ kind: 'other' }, '9000'],
  ])('%j leaves %j as typed and warns of it (IN-F11)', (format, text) => {
    expect(written(format, text)).toBe(text);
    expect(formatProblem({ format }, text)).toContain('it is written as typed');
  });

  it('gives the format that the form uses (IN-F11)', () => {
    expect(formatProblem({ format: kronor }, 'much')).toContain('as 1.234,00 kr,');
    expect(formatProblem({ format: day('dd.mm.yyyy') }, 'soon')).toContain('as dd.mm.yyyy,');
    expect(formatProblem({ format: kronor }, '')).toBeNull();
  });

  it('keeps the typed text when the field has no room for more characters (IN-F11)', () => {
    const field = { type: 'text', format: european, maxLength: 5 } as const;
    expect(fitValue(field, '900')).toMatchObject({ value: '900', problem: null });
    expect(formatProblem(field, '900')).toContain('as 1.234,00,');
    expect(fitValue(field, '90')).toMatchObject({ value: '90,00', problem: null });
  });
});

describe('a password field of a form', () => {
  it('accepts no text, which everyone could read in the PDF, and can be emptied (IN-P26)', () => {
    const field = { type: 'text', password: true } as const;
    expect(fitValue(field, 'hunter2').problem).toMatchObject({ code: 'password-field' });
    expect(fitValue(field, '<empty>')).toEqual({ value: '', problem: null });
    expect(fitValue(field, '')).toEqual({ value: null, problem: null });
  });
});

describe('a form field validated by a script', () => {
  const kinds = { text: { type: 'text' }, list: { type: 'choice', editable: true } } as const;
  const said = (kind: 'text' | 'list', field: Partial<PdfField>, Rent: string) => {
    const rent: PdfField = {
      name: 'rent',
      page: 1,
      value: '',
      multiline: false,
      required: false,
      readOnly: false,
      ...kinds[kind],
      ...field,
    };
    const mapping = { ...mappingV1, fields: { rent: '{Rent}' } };
    const { problems } = rowOf({ Rent }, { mapping, fields: [rent] }).checked;
    return problems.filter(({ isError }) => !isError).map(({ detail }) => detail);
  };
  const range = { kind: 'range', least: '0', most: '100.5' } as const;

  it.each([
    ['100,5', false],
    ['0', false],
    ['100.51', true],
    ['-1', true],
    ['much', true],
  ])('gives a row warning for a value outside its range: %s (IN-Z8)', (text, isWarned) => {
    expect(said('text', { check: range }, text).includes('not-checked')).toBe(isWarned);
  });

  it('gives a row warning when the script is not understood, also for a list (IN-Z8)', () => {
    const check = { kind: 'other' } as const;
    expect(said('text', { check }, '5')).toContain('not-checked');
    expect(said('list', { check }, '5')).toContain('not-checked');
    expect(said('list', { format: { kind: 'other' } }, '5')).toContain('not-formatted');
    expect(said('text', {}, '5')).toEqual([]);
  });
});
