import { describe, expect, it } from 'vitest';
import {
  toDrawnFields,
  freeName,
  newField,
  numberedName,
  toPlacedField,
  problemsOf,
} from '../../../../../renderer/features/templates/drawing/drawn.ts';
import { PlacedField } from '../../../../../shared/model/placed-field.ts';
import type { DrawnField } from '../../../../../shared/model/template.ts';

const board = {
  pages: [{ page: 1, box: { x: 0, y: 0, width: 595, height: 842 }, rotate: 0, xs: [], ys: [] }],
  others: [{ name: 'theirs', places: [] }],
};
const place = { page: 1, box: { x: 80, y: 700, width: 160, height: 20 } };
const drawn = (changed: Partial<DrawnField> = {}): DrawnField => ({
  ...newField('text', 'Tenant', place),
  ...changed,
});
const problemOf = (...fields: DrawnField[]) => [...problemsOf(fields, board).values()];

describe('a drawn field', () => {
  it.each<[string, Partial<DrawnField>]>([
    ['name-missing', { name: '  ' }],
    ['name-long', { name: 'x'.repeat(121) }],
    ['name-dot', { name: 'a.b' }],
    ['name-taken', { name: ' theirs' }],
    ['options', { kind: 'choice', options: ['', ' '] }],
    ['outside', { places: [{ ...place, page: 2 }] }],
    ['outside', { places: [{ page: 1, box: { ...place.box, x: 590 } }] }],
    ['value', { maxLength: 2, value: 'three' }],
    ['value', { kind: 'choice', options: ['A'], value: 'B' }],
  ])('has a named problem: %s', (problem, changed) => {
    expect(problemOf(drawn(changed))).toEqual([problem]);
  });

  it('has no problem as it is drawn, and two with the same name both have one', () => {
    expect(problemOf(drawn())).toEqual([]);
    expect(problemOf(drawn(), drawn({ name: 'Tenant ' }))).toEqual(['name-taken', 'name-taken']);
  });

  it('is stored without settings that its kind does not use, in the form that the PDF keeps', () => {
    const signs = toPlacedField(
      drawn({ kind: 'signature', value: 'x', maxLength: 3, options: ['A'], format: 'long' }),
    );
    expect(signs).toMatchObject({ value: '', maxLength: null, options: [] });
    expect('format' in signs).toBe(false);
    const day = toPlacedField(drawn({ kind: 'date', format: 'dd.MM.yyyy', name: ' From ' }));
    expect(day).toMatchObject({ name: 'From', format: 'dd.MM.yyyy' });
    const rent = toPlacedField(drawn({ kind: 'number', number: '1 234,50', font: 'mono' }));
    expect(rent).toMatchObject({ number: '1 234,50', font: 'mono' });
    const tick = toPlacedField(drawn({ kind: 'checkbox', number: '1 234,50', font: 'mono' }));
    expect('number' in tick || 'font' in tick).toBe(false);
    for (const field of [signs, day, rent, tick])
      expect(PlacedField.safeParse(field).success).toBe(true);
  });

  it('is read back from the form unchanged, identified by its name there', () => {
    const [again] = toDrawnFields([PlacedField.parse(toPlacedField(drawn()))]);
    expect(again).toMatchObject({ name: 'Tenant', was: 'Tenant', source: null });
    expect(toPlacedField(again ?? expect.unreachable())).toEqual({
      ...toPlacedField(drawn()),
      was: 'Tenant',
    });
  });

  it('gets a unique name', () => {
    expect(freeName('Tenant', new Set(['Rent']))).toBe('Tenant');
    expect(freeName('Text 2', new Set(['Text 2', 'Text 3']))).toBe('Text 4');
    expect(numberedName('Text', new Set(['Text 1']))).toBe('Text 2');
  });
});
