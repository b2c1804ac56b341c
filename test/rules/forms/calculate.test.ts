import { describe, expect, it } from 'vitest';
import type { Calculation, FormFormat } from '../../../shared/model/form-scripts.ts';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { totalsOf } from '../../../shared/rules/forms/calculate.ts';
import { mappingV1, mappingV2, rowOf } from '../batches/row.ts';

const text = (name: string, more: Partial<PdfField> = {}): PdfField => ({
  name,
  type: 'text',
  page: 1,
  value: '',
  multiline: false,
  required: false,
  readOnly: false,
  ...more,
});
const total = (
  name: string,
  how: Calculation['how'],
  of: readonly string[],
  more: Partial<PdfField> & { readonly order?: number } = {},
): PdfField => {
  const { order = 0, ...rest } = more;
  return text(name, { calculated: true, calculation: { how, of: [...of], order }, ...rest });
};
const european: FormFormat = {
  kind: 'number',
  places: 2,
  group: '.',
  point: ',',
  negative: 'minus',
  before: '',
  after: '',
};

/** Returns the totals by name; `left` has the names of totals that could not be calculated. */
const totals = (
  fields: readonly PdfField[],
  values: Readonly<Record<string, string | boolean>>,
) => {
  const { worked, left } = totalsOf(fields, new Map(Object.entries(values)));
  return { ...Object.fromEntries(worked), left: left.map(({ name }) => name) };
};

describe('a total calculated by a simple form script', () => {
  const [a, b] = [text('a'), text('b')];

  it.each<[Calculation['how'], string, string, string]>([
    ['SUM', '0,1', '0,2', '0,3'],
    ['SUM', '0.1', '0.2', '0.3'],
    ['SUM', '100', '', '100'],
    ['SUM', '12345678901234567890', '1', '12345678901234567891'],
    ['SUM', '1 000,50', '-0,50', '1000'],
    ['PRD', '1.1', '1.1', '1.21'],
    ['PRD', '5', '', '0'],
    ['AVG', '1', '2', '1.5'],
    ['MIN', '10', '9.5', '9.5'],
    ['MAX', '-10', '', '0'],
  ])('is exact: %s of %j and %j is %j (IN-F11)', (how, one, other, wanted) => {
    const fields = [a, b, total('t', how, ['a', 'b'])];
    expect(totals(fields, { a: one, b: other })).toEqual({ t: wanted, left: [] });
  });

  it('is written in its own format and reads other fields in theirs (IN-F11)', () => {
    const fields = [
      { ...a, format: european },
      text('b', { value: '2.500,00', format: european }),
      total('t', 'SUM', ['a', 'b'], { format: european }),
    ];
    expect(totals(fields, { a: '9.000,00' })).toEqual({ t: '11.500,00', left: [] });
  });

  it('uses the form’s calculation order, so that totals of totals agree (IN-F11)', () => {
    const fields = [
      a,
      b,
      total('grand', 'SUM', ['sub', 'b'], { order: 2 }),
      total('sub', 'SUM', ['a', 'b'], { order: 1 }),
    ];
    expect(totals(fields, { a: '1', b: '2' })).toEqual({ sub: '3', grand: '5', left: [] });
  });

  it('adds all fields of a group, and the option values of boxes and lists (IN-F11)', () => {
    const fields = [
      text('row.1'),
      text('row.2', { value: '20' }),
      text('box', { type: 'checkbox', options: ['100'], value: 'false' }),
      text('list', { type: 'choice', options: ['much'], exports: ['1000'], value: 'much' }),
      total('t', 'SUM', ['row', 'box', 'list']),
    ];
    expect(totals(fields, { 'row.1': '3', box: true })).toEqual({ t: '1123', left: [] });
  });

  it.each<[string, readonly PdfField[]]>([
    ['a field holds no number', [text('b', { value: 'two' }), total('t', 'SUM', ['a', 'b'])]],
    [
      'a number has two possible readings',
      [text('b', { value: '1.234' }), total('t', 'SUM', ['a', 'b'])],
    ],
    ['a field is missing', [total('t', 'SUM', ['a', 'gone'])]],
    ['the total depends on itself', [total('t', 'SUM', ['a', 't'])]],
    [
      'a field is calculated later',
      [total('t', 'SUM', ['a', 'u'], { order: 0 }), total('u', 'SUM', ['a'], { order: 1 })],
    ],
    [
      'a field has another script',
      [text('x', { calculated: true, value: '7' }), total('t', 'SUM', ['a', 'x'])],
    ],
    ['the result would be rounded', [b, text('c'), total('t', 'AVG', ['a', 'b', 'c'])]],
    [
      'its format would round the result',
      [text('b', { value: '0,001' }), total('t', 'SUM', ['a', 'b'], { format: european })],
    ],
    [
      'the script that writes it is unknown',
      [total('t', 'SUM', ['a'], { format: { kind: 'other' } })],
    ],
    ['its field is too short', [total('t', 'SUM', ['a'], { maxLength: 1 })]],
  ])('is not changed and reported when %s (IN-F11)', (_, others) => {
    const found = totals([a, ...others], { a: '10' });
    expect(found).not.toHaveProperty('t');
    expect(found.left).toContain('t');
  });

  it('is not changed when a row gives it a value, or fills in no field (IN-F11)', () => {
    const fields = [a, b, total('t', 'SUM', ['a', 'b'], { value: '0' })];
    expect(totals(fields, { a: '1', t: '7' })).toEqual({ left: [] });
    expect(totals(fields, {})).toEqual({ left: [] });
  });

  it('is unchanged, without a warning, when all its fields are empty (IN-F11)', () => {
    const fields = [a, b, text('other'), total('t', 'SUM', ['a', 'b'])];
    expect(totals(fields, { other: 'x' })).toEqual({ left: [] });
    expect(totals(fields, { a: '' })).toEqual({ t: '0', left: [] });
  });

  it('takes bounded time in a form designed to be slow (IN-F11)', () => {
    const many = Array.from({ length: 2000 }, (_, at) => text(`row.${at}`, { value: '1' }));
    const hard = Array.from({ length: 2000 }, (_, at) =>
      total(
        `t${at}`,
        'SUM',
        Array.from({ length: 500 }, () => 'row'),
        { order: at },
      ),
    );
    expect(totals([a, ...many, ...hard], { a: '1' }).left.length).toBeGreaterThan(1900);
  });
});

describe('a row that fills a form with a total', () => {
  const fields = [text('tenant'), text('rent'), total('total', 'SUM', ['rent'], { value: '0' })];
  const said = (mapping: typeof mappingV1, Rent: string) =>
    rowOf({ Rent }, { mapping, fields }).checked.problems.map(({ detail }) => detail);

  it('gets a warning only when the total is not calculated locally (IN-F11)', () => {
    expect(said(mappingV2, '9400')).not.toContain('not-calculated');
    expect(said(mappingV2, 'much')).toContain('not-calculated');
    // The service fills the PDF of API v1, and calculates no totals.
    expect(said(mappingV1, '9400')).toContain('not-calculated');
  });

  it('has its total measured like the texts of its cells (IN-F11)', () => {
    const { drawn } = rowOf({}, { mapping: mappingV2, fields }).checked;
    expect(drawn.map(({ name, text: one }) => [name, one])).toContainEqual(['total', '9400']);
  });
});
