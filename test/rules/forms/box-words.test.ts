import { describe, expect, it } from 'vitest';
import type { PdfField } from '../../../shared/model/pdf-form.ts';
import { boxEffect, indexOfAnswer } from '../../../shared/rules/forms/box-words.ts';
import { fitValue } from '../../../shared/rules/forms/field-values.ts';
import { mappingV1, rowOf } from '../batches/row.ts';

const box = (name: string, on: string): PdfField => ({
  name,
  type: 'checkbox',
  options: [on],
  page: 1,
  value: 'false',
  multiline: false,
  required: false,
  readOnly: false,
});

describe('an answer for a checkbox', () => {
  it.each([
    ['Nej', 'NEJ', 'tick'],
    ['Nej', 'Ja', 'clear'],
    ['Nej', 'no', 'unclear'],
    ['Nej', 'x', 'tick'],
    ['NO', 'yes', 'clear'],
    ['Nein', 'ja', 'clear'],
    ['0', '0', 'unclear'],
    ['0', 'yes', 'tick'],
    ['-', '-', 'unclear'],
    ['False', 'FALSE', 'clear'],
    ['Ja', 'nej', 'clear'],
    ['Accepted', 'accepted', 'tick'],
    ['Accepted', 'perhaps', null],
  ] as const)('for a box named %s: %s (IN-Y02)', (name, word, effect) => {
    expect(boxEffect(name, word)).toBe(effect);
  });

  it.each([
    ['Nein1', 'ja', 'unclear'],
    ['Nein1', 'nein', 'unclear'],
    ['Nein1', 'nein1', 'tick'],
    ['No_2', 'yes', 'unclear'],
    ['Off1', 'ja', 'unclear'],
    ['Nej, tack', 'ja', 'unclear'],
    ['Nee', 'ja', 'clear'],
    ['Nee', 'nee', 'tick'],
    ['Não', 'yes', 'unclear'],
    ['Nein1', 'x', 'tick'],
    ['Nein1', 'false', 'clear'],
    ['Ja1', 'ja', 'tick'],
    ['Nora', 'ja', 'tick'],
    ['N 1', 'ja', 'tick'],
  ] as const)(
    'for a box named %s, which may mean no: %s is never guessed (IN-Z1)',
    (name, word, effect) => {
      expect(boxEffect(name, word)).toBe(effect);
    },
  );

  it('means the same when stored as true or false (IN-F2)', () => {
    for (const on of ['Nej', '0', 'False', 'Ja', 'Off ']) {
      for (const value of [true, false]) {
        const field = box('any', on);
        expect(fitValue(field, String(value))).toEqual({ value, problem: null });
      }
    }
  });
});

describe('an answer to several options', () => {
  it('is found in any case, or by a word for yes or no when one option is such a word (IN-F1)', () => {
    expect(indexOfAnswer(['Yes', 'No'], 'nein')).toBe(1);
    expect(indexOfAnswer(['Ja', 'Nej', 'Vet ej'], 'TRUE')).toBe(0);
    expect(indexOfAnswer(['MALE', 'FEMALE'], 'Female')).toBe(1);
    expect(indexOfAnswer(['J', 'N'], 'no')).toBe(1);
  });

  it('is never guessed: numbers, directions and two kinds of yes (IN-F1)', () => {
    expect(indexOfAnswer(['0', '1'], 'yes')).toBeNull();
    expect(indexOfAnswer(['N', 'Y', 'S', 'W'], 'no')).toBeNull();
    expect(indexOfAnswer(['Yes', 'On', 'No'], 'ja')).toBeNull();
    expect(indexOfAnswer(['Yes', 'No'], 'x')).toBeNull();
    expect(indexOfAnswer(['yes', 'YES'], 'Yes')).toBeNull();
  });
});

describe('two boxes that contradict each other, filled from one column', () => {
  const fields = [box('tenant', 'Ja'), box('rent', 'Nej')];
  const mapping = { ...mappingV1, fields: { tenant: '{Answer}', rent: '{Answer}' } };
  const row = (Answer: string) => rowOf({ Answer }, { mapping, fields });
  const said = (answer: string) => row(answer).checked.problems.filter(({ isError }) => isError);

  it('are ticked one at a time by their own words (IN-Y01)', () => {
    expect(row('Ja').fields).toEqual([
      { name: 'tenant', value: true },
      { name: 'rent', value: false },
    ]);
    expect(row('nej').fields).toEqual([
      { name: 'tenant', value: false },
      { name: 'rent', value: true },
    ]);
    expect(said('Ja')).toEqual([]);
  });

  it('cause a row error with both words when both boxes would be set alike (IN-F2)', () => {
    for (const answer of ['TRUE', 'x', 'false']) {
      expect(said(answer)).toMatchObject([
        { detail: 'contradicts', field: 'attachments.0.fields.1.value', repairs: ['Ja', 'Nej'] },
      ]);
    }
    expect(said('<empty>')).toEqual([]);
    expect(said('no')).toMatchObject([{ detail: 'not-offered', repairs: ['true', 'false'] }]);
  });
});

describe('a total that the form calculates', () => {
  const plain = { ...box('rent', 'x'), type: 'text', value: '', options: undefined } as const;
  const total: PdfField = { ...plain, name: 'total', value: '0', calculated: true };
  const fields = [{ ...plain, name: 'tenant' }, { ...plain }, total];
  const warned = (more: Readonly<Record<string, string>>) => {
    const mapping = { ...mappingV1, fields: { ...mappingV1.fields, ...more } };
    return rowOf({}, { mapping, fields }).checked.problems.map(({ detail }) => detail);
  };

  it('causes a warning for a row that fills other fields, unless the row fills the total (IN-P18)', () => {
    expect(warned({})).toContain('not-calculated');
    expect(warned({ total: '{Rent}' })).not.toContain('not-calculated');
  });
});
