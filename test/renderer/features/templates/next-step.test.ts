import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../renderer/features/templates/next-step.ts';
import { fieldState } from '../../../../renderer/features/templates/words.ts';

const pdf = (fields: number, undecided: number) => ({ kind: 'pdf', fields, undecided }) as const;
const service = (fields: number, undecided: number) =>
  ({ kind: 'service', fields, undecided }) as const;

describe('the next step of a template', () => {
  it.each([
    ['searches a PDF without fields', pdf(0, 0), false, 'find'],
    ['goes to drawn fields that are not in the PDF yet', pdf(0, 0), true, 'draw'],
    ['reads the fields of the service’s template', service(0, 0), false, 'learn'],
    ['decides fields while one is undecided', pdf(7, 1), false, 'decide'],
    ['decides fields, also while others are drawn', pdf(7, 7), true, 'decide'],
    ['is a new draft once every field is decided', service(7, 0), false, 'use'],
  ] as const)('%s', (_title, counts, isDrawing, step) => {
    expect(nextStep(counts, isDrawing)).toBe(step);
  });
});

describe('the status of a template’s fields', () => {
  it.each([
    ['3 of 7 fields decided', '3 / 7', pdf(7, 4)],
    ['0 of 1 field decided', '0 / 1', pdf(1, 1)],
    ['Every field decided', '7 / 7', service(7, 0)],
    ['No fields yet', 'No fields yet', pdf(0, 0)],
    ['Fields not known yet', 'Fields not known yet', service(0, 0)],
  ])('is “%s”, in short “%s”', (word, short, counts) => {
    expect(fieldState(counts)).toMatchObject({ word, short });
  });
});
