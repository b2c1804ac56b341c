import { describe, expect, it } from 'vitest';
import { nextStep } from '../../../../renderer/features/templates/next-step.ts';
import { fieldState } from '../../../../renderer/features/templates/words.ts';

const pdf = (fields: number, undecided: number, isDrawn = false) =>
  ({ kind: 'pdf', fields, undecided, isDrawn }) as const;
const service = (fields: number, undecided: number) =>
  ({ kind: 'service', fields, undecided, isDrawn: false }) as const;

describe('the next step of a template', () => {
  it.each([
    ['searches a PDF without fields', pdf(0, 0), 'find'],
    ['goes to drawn fields that are not in the PDF yet', pdf(0, 0, true), 'draw'],
    ['reads the fields of the service’s template', service(0, 0), 'learn'],
    ['decides fields while one is undecided', pdf(7, 1), 'decide'],
    ['decides fields, also while others are drawn', pdf(7, 7, true), 'decide'],
    ['is a new draft once every field is decided', service(7, 0), 'use'],
  ] as const)('%s', (_title, counts, step) => {
    expect(nextStep(counts)).toBe(step);
  });
});

describe('the status of a template’s fields', () => {
  it.each([
    ['3 of 7 fields decided', '3 / 7', pdf(7, 4)],
    ['0 of 1 field decided', '0 / 1', pdf(1, 1)],
    ['Every field decided', '7 / 7', service(7, 0)],
    ['No fields yet', 'No fields yet', pdf(0, 0)],
    ['Not yet in the PDF', 'Not yet in the PDF', pdf(0, 0, true)],
    ['Fields not known yet', 'Fields not known yet', service(0, 0)],
  ])('is “%s”, in short “%s”', (word, short, counts) => {
    expect(fieldState(counts)).toMatchObject({ word, short });
  });
});
