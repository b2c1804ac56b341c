import { describe, expect, it } from 'vitest';
import { fitValue, type ValueField } from '../../../shared/rules/forms/field-values.ts';
import { errors, mappingV1, mappingV2, rowOf } from '../batches/row.ts';

const list: ValueField = { type: 'choice', options: ['Venus', 'Pluto'], exports: ['2', '9'] };
const many: ValueField = { ...list, multiple: true };
const box: ValueField = { type: 'checkbox', options: ['Godkänt'] };
const text: ValueField = { type: 'text', maxLength: 3 };
const valueOf = (field: ValueField | undefined, given: string | boolean) =>
  fitValue(field, given).value;
const codeOf = (field: ValueField, given: string | boolean) => fitValue(field, given).problem?.code;

describe('the effect of a value on a form field', () => {
  it('is none without a value, for every kind of field (FE-D2)', () => {
    for (const field of [list, many, box, text, undefined]) {
      expect(fitValue(field, '')).toEqual({ value: null, problem: null });
    }
  });

  it('is an empty field when the value requires it (FE-D2)', () => {
    for (const field of [list, many, text, undefined]) expect(valueOf(field, '<empty>')).toBe('');
    expect(valueOf(box, ' <Empty> ')).toBe(false);
  });

  it.each(['yes', 'Ja', 'TRUE', '1', 'x', 'kyllä', 'Godkänt', true])(
    'ticks a box: %j (FE-D1)',
    (word) => {
      expect(valueOf(box, word)).toBe(true);
    },
  );

  it.each(['no', 'Nej', 'false', '0', '-', false])('clears a box: %j (FE-D1)', (word) => {
    expect(valueOf(box, word)).toBe(false);
  });

  it('is an error with the offered options when a box or list does not have the value (FE-D1)', () => {
    expect(codeOf(box, 'perhaps')).toBe('not-offered');
    expect(fitValue(list, 'Mars').problem).toEqual({
      code: 'not-offered',
      message: 'The field offers "Venus", "Pluto"',
      offered: ['Venus', 'Pluto'],
    });
    expect(codeOf(list, 'Venus; Pluto')).toBe('not-offered');
    expect(codeOf({ type: 'radio', options: ['Card'] }, 'Cash')).toBe('not-offered');
    expect(codeOf(text, 'abcd')).toBe('too-long');
    expect(codeOf({ type: 'signature' }, 'x')).toBe('signature-field');
  });

  it('is the stored option value, which is read back unchanged (FE-D1)', () => {
    for (const given of ['Pluto', '9', ' Pluto ']) expect(valueOf(list, given)).toBe('9');
    expect(valueOf(many, 'Venus\nPluto')).toBe('2, 9');
    expect(valueOf(many, 'Venus; 9')).toBe('2, 9');
    expect(valueOf(many, '2, 9')).toBe('2, 9');
    expect(valueOf({ ...list, editable: true }, 'Mars')).toBe('Mars');
  });

  it('is one line feed for each line end (IN-10)', () => {
    expect(valueOf(undefined, 'a\r\nb\rc\r\r\nd\n\ne')).toBe('a\nb\nc\nd\n\ne');
    // A text of a million carriage returns is processed in linear time.
    expect(valueOf(undefined, '\r'.repeat(1_000_000))).toHaveLength(1_000_000);
  });
});

describe('the form fields of a row', () => {
  it('are omitted when every column of a text is empty (FE-D2)', () => {
    const { fields } = rowOf({ 'First name': '', 'Last name': '', Rent: '' });
    expect(fields).toEqual([]);
    expect(rowOf({ Rent: '<empty>' }).fields).toContainEqual({ name: 'rent', value: '' });
    expect(rowOf({ 'First name': '<empty>' }).fields).toContainEqual({
      name: 'tenant',
      value: 'Öberg',
    });
  });

  it('keep existing values of a service template (FE-D2)', () => {
    const dynamicPdf = { templateId: '871', fields: [{ name: 'rent', value: '{Rent}' }] };
    const mapping = {
      api: 'v2' as const,
      fields: {},
      body: { ...mappingV2.body, type: 'DYNAMIC_PDF', dynamicPdf },
    };
    const sent = (rent: string) => {
      const { content } = rowOf({ Rent: rent }, { mapping });
      return content.api === 'v2' ? content.body.dynamicPdf?.fields : undefined;
    };
    expect(sent('9400')).toEqual([{ name: 'rent', value: '9400' }]);
    expect(sent('')).toEqual([]);
    expect(sent('<empty>')).toEqual([{ name: 'rent', value: '' }]);
  });

  it('identify the row by its values, including unsent values (FE-D2)', () => {
    const [first, second] = ['', '<empty>'].map((Rent) => rowOf({ Rent }).checked.key);
    expect(first).toBe(rowOf({ Rent: '' }).checked.key);
    expect(first).not.toBe(second);
    expect(errors({ Rent: '' }, { mapping: mappingV1 })).toEqual([]);
  });
});
