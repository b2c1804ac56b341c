import { expect, it } from 'vitest';
import type { Template } from '../../../shared/contract/templates.ts';
import { guidesOf } from '../../../shared/rules/forms/page-guides.ts';
import { MAX_GUIDES } from '../../../shared/model/page-guides.ts';
import { fillTemplate } from '../../../shared/rules/templates/values.ts';

const field = {
  type: 'text',
  page: 1,
  value: '',
  multiline: false,
  required: false,
  readOnly: false,
} as const;

it('a date answer is written in the drawn field’s format, and other answers stay unchanged', () => {
  const question = {
    id: 'from',
    label: 'From',
    help: '',
    kind: 'day',
    options: [],
    required: true,
  } as const;
  const template: Pick<Template, 'source' | 'content'> = {
    source: {
      kind: 'service',
      templateId: 't',
      learntFrom: null,
      fields: [
        { ...field, name: 'From', day: 'dd.MM.yyyy' },
        { ...field, name: 'Until', day: 'MM/dd/yyyy' },
        { ...field, name: 'Plain' },
      ],
    },
    content: {
      body: { api: 'v2', title: 'Lease', expireDays: 30, roles: [], rest: {} },
      mapping: [
        { field: 'From', source: { from: 'question', question: 'from' } },
        { field: 'Plain', source: { from: 'question', question: 'from' } },
        { field: 'Until', source: { from: 'fixed', value: 'until further notice' } },
      ],
      questions: [{ ...question, options: [] }],
      counter: { prefix: '', width: 0 },
      merge: 'here',
    },
  };
  const answers = { parties: {}, questions: { from: '2026-12-01' } };
  const { values, problems } = fillTemplate({ template, answers, now: 0, number: '' });
  expect(problems).toEqual([]);
  expect(values).toEqual({
    From: '01.12.2026',
    Plain: '2026-12-01',
    Until: 'until further notice',
  });
});

it('a page with very many lines gives a limited number of guides', () => {
  const strokes = Array.from({ length: 3000 }, (_, at) => ({ x: 0, y: at, right: 9, top: at }));
  const box = { x: 0, y: 0, width: 600, height: 3000 };
  const guides = guidesOf({ page: 1, box, rotate: 0, letters: [], strokes, shades: [] });
  expect(guides.ys).toHaveLength(MAX_GUIDES);
  expect(guides.xs).toEqual([0, 9]);
});
