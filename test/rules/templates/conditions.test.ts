import { describe, expect, it } from 'vitest';
import type { Template } from '../../../shared/contract/templates.ts';
import { compileMapping } from '../../../shared/rules/batches/compile.ts';
import { fillRow } from '../../../shared/rules/batches/fill.ts';
import { mappingFile, mappingFrom } from '../../../shared/rules/batches/mapping-file.ts';
import { matchColumns, withColumnNames } from '../../../shared/rules/batches/match.ts';
import { mappingOf } from '../../../shared/rules/batches/template.ts';
import { forgetQuestion } from '../../../shared/rules/templates/conditions.ts';
import { chooseSources } from '../../../shared/rules/templates/fields.ts';
import { fillTemplate } from '../../../shared/rules/templates/values.ts';
import { errors, mappingV1, rowOf, warnings } from '../batches/row.ts';

type Content = Template['content'];
type Question = Content['questions'][number];

const question = (id: string, label: string, kind: Question['kind'] = 'text'): Question => ({
  id,
  label,
  help: '',
  kind,
  options: kind === 'choice' ? ['House', 'Flat'] : [],
  required: true,
});

const field = (name: string, value = '') => ({
  name,
  value,
  type: 'text' as const,
  page: 1,
  multiline: false,
  required: false,
  readOnly: false,
});

/**
 * Returns a template whose question about pets depends on the kind of home. The question about the
 * kind of pets and the clause depend on the answer to it.
 */
function lease(): Pick<Template, 'source' | 'content'> {
  return {
    source: {
      kind: 'service',
      templateId: 't',
      learntFrom: null,
      fields: [field('Home'), field('Kind', 'none'), field('Clause')],
    },
    content: {
      body: { api: 'v2', title: 'Lease with {Kind}', expireDays: 30, roles: [], rest: {} },
      mapping: [
        { field: 'Home', source: { from: 'question', question: 'home' } },
        { field: 'Kind', source: { from: 'question', question: 'kind' } },
        {
          field: 'Clause',
          source: { from: 'fixed', value: 'Pets are allowed' },
          onlyIf: { question: 'pets', answer: 'true' },
        },
      ],
      questions: [
        question('home', 'Home', 'choice'),
        { ...question('pets', 'Pets', 'yes-no'), onlyIf: { question: 'home', answer: 'Flat' } },
        { ...question('kind', 'Kind'), onlyIf: { question: 'pets', answer: 'true' } },
      ],
      counter: { prefix: '', width: 0 },
      merge: 'here',
    },
  };
}

function filled(questions: Record<string, string>, template = lease()) {
  const answers = { parties: {}, questions };
  const { values, problems, title } = fillTemplate({ template, answers, now: 0, number: '' });
  return { values, title, problems: problems.map(({ at, code }) => `${at} ${code}`) };
}

describe('a draft from a template with conditions', () => {
  it('is filled when the answers meet the condition, with any word for yes', () => {
    expect(filled({ home: 'Flat', pets: 'ja', kind: 'Dog' })).toEqual({
      values: { Home: 'Flat', Kind: 'Dog', Clause: 'Pets are allowed' },
      title: 'Lease with Dog',
      problems: [],
    });
  });

  it('is left blank when the answers do not meet it, even over PDF content and typed text', () => {
    expect(filled({ home: 'Flat', pets: 'false', kind: 'Dog' })).toEqual({
      values: { Home: 'Flat', Kind: '<empty>', Clause: '<empty>' },
      title: 'Lease with',
      problems: [],
    });
  });

  it('skips a question that depends on a skipped question', () => {
    const { values, problems } = filled({ home: 'House', pets: 'true', kind: 'Dog' });
    expect(values).toEqual({ Home: 'House', Kind: '<empty>', Clause: '<empty>' });
    expect(problems).toEqual([]);
  });

  it('needs an answer to each visible question, and does not read a missing answer as no', () => {
    expect(filled({ home: 'Flat' }).problems).toEqual(['question.pets answer-needed']);
    expect(filled({ home: 'Flat', pets: 'yes' }).problems).toEqual(['question.kind answer-needed']);
    const template = lease();
    for (const one of template.content.questions) {
      if (one.id === 'kind') one.onlyIf = { question: 'pets', answer: 'false' };
    }
    expect(filled({ home: 'Flat' }, template).problems).toEqual(['question.pets answer-needed']);
  });

  it('reports conditions that can never be true: a later question, a missing answer, a cycle', () => {
    const turned = lease();
    turned.content.questions.reverse();
    expect(filled({ home: 'House' }, turned).problems).toEqual([
      'question.kind never-asked',
      'question.pets never-asked',
    ]);
    const gone = lease();
    const [home] = gone.content.questions;
    if (home !== undefined) home.options = ['House', 'Cabin'];
    expect(filled({ home: 'House' }, gone).problems).toEqual(['question.pets never-asked']);
    const lost = lease();
    lost.content.questions = lost.content.questions.filter(({ id }) => id === 'home');
    expect(filled({ home: 'House' }, lost).problems).toContain('field.Clause never-asked');
  });
});

describe('a template with conditions', () => {
  it('drops conditions on a removed question', () => {
    const { content } = lease();
    forgetQuestion(content, 'pets');
    expect(JSON.stringify(content)).not.toContain('"question":"pets"');
    expect(content.questions.map(({ onlyIf }) => onlyIf?.question)).toEqual([
      undefined,
      'home',
      undefined,
    ]);
  });

  it('keeps a field’s condition when its source changes, or is removed', () => {
    const { content } = lease();
    const counted = chooseSources(content, [{ name: 'Clause', source: { from: 'counter' } }]);
    expect(counted.mapping.find((one) => one.field === 'Clause')).toEqual({
      field: 'Clause',
      source: { from: 'counter' },
      onlyIf: { question: 'pets', answer: 'true' },
    });
    const undecided = chooseSources(content, [{ name: 'Clause', source: 'undecided' }]);
    expect(undecided.mapping.map((one) => one.field)).toEqual(['Home', 'Kind']);
  });
});

describe('a batch of a template', () => {
  it('reads the cells of a question for a day as days', () => {
    const { source, content } = lease();
    const questions = content.questions.map((one) =>
      one.id === 'kind' ? { ...one, kind: 'day' as const } : one,
    );
    const { fields } = mappingOf({ source, content: { ...content, questions } });
    expect(fields).toMatchObject({ Home: '{Home}', Kind: '{Kind|day}' });
  });
});

describe('a batch row with conditions', () => {
  const mapping = mappingOf(lease());

  function row(cells: Readonly<Record<string, string>>, of = mapping) {
    const { fields, problems, body, asked } = fillRow(compileMapping(of), {
      cell: (placeholder) => cells[placeholder],
      dayOrder: () => 'iso',
      field: (name) =>
        lease().source.kind === 'service' ? field(name, name === 'Kind' ? 'none' : '') : undefined,
      now: 0,
      number: '',
    });
    const values = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
    return {
      values,
      title: body['name'],
      problems: problems.map(({ placeholder, code }) => `${placeholder} ${code}`),
      asked,
    };
  }

  it('needs a column for a question used only in conditions', () => {
    expect(
      matchColumns(mapping, [])
        .map(({ placeholder }) => placeholder)
        .toSorted(),
    ).toEqual(['Home', 'Kind', 'Pets']);
  });

  it('is filled like a draft with the same answers', () => {
    const cells = [
      { Home: 'Flat', Pets: 'x', Kind: 'Dog' },
      { Home: 'Flat', Pets: 'nej', Kind: '' },
      { Home: 'House', Pets: '', Kind: '' },
    ];
    for (const { Home: home, Pets: pets, Kind: kind } of cells) {
      const draft = filled({ home, pets, kind });
      const { values, title, problems } = row({ Home: home, Pets: pets, Kind: kind });
      const written = Object.entries(values).map(([name, value]) => [name, value || '<empty>']);
      expect(Object.fromEntries(written)).toEqual(draft.values);
      expect(String(title).trim()).toBe(draft.title);
      expect(problems).toEqual([]);
    }
  });

  it('reports ignored cells, and treats rows that differ only in ignored cells as equal', () => {
    const one = row({ Home: 'House', Pets: 'ja', Kind: 'Dog' });
    expect(one.problems).toEqual(['Pets not-asked', 'Kind not-asked']);
    expect(one.asked).toEqual(row({ Home: 'House', Pets: '', Kind: '' }).asked);
  });

  it('is sent with a warning at an ignored cell', () => {
    const onlyIf = { fields: {}, columns: { Rent: [{ column: 'Country', is: 'NO' }] } };
    const mapping = { ...mappingV1, onlyIf };
    expect(errors({}, { mapping })).toEqual([]);
    expect(warnings({}, { mapping })).toContain('Rent:not-asked');
    expect(rowOf({}, { mapping }).fields.map(({ name }) => name)).toEqual(['tenant']);
    expect(rowOf({ Country: 'NO' }, { mapping }).fields).toContainEqual({
      name: 'rent',
      value: '9400',
    });
  });

  it('does not read an unknown word as another answer', () => {
    expect(row({ Home: 'Flat', Pets: 'perhaps' }).problems).toEqual(['Pets not-yes-or-no']);
    expect(row({ Home: 'Castle' }).problems).toEqual(['Home not-an-answer']);
  });

  it('is exported and imported with its own column names', () => {
    const columns = ['Home', 'Djur', 'Kind'];
    const matches = matchColumns(mapping, columns).map((match) =>
      match.placeholder === 'Pets' ? { ...match, column: 'Djur' } : match,
    );
    const named = withColumnNames(mapping, matches);
    const back = mappingFrom(JSON.parse(JSON.stringify(mappingFile(named))), 'v2');
    expect(back).toEqual(named);
    const cells = { Home: 'Flat', Djur: 'ja', Kind: 'Dog' };
    expect(back === null ? null : row(cells, back).values).toEqual(
      row({ Home: 'Flat', Pets: 'ja', Kind: 'Dog' }).values,
    );
  });

  it('is rejected when columns of a handwritten mapping depend on each other', () => {
    const circle = {
      fields: {},
      columns: { A: [{ column: 'B', is: 'true' }], B: [{ column: 'A', is: 'true' }] },
    };
    const of = { api: 'v2' as const, body: { name: '{A}{B}' }, fields: {}, onlyIf: circle };
    expect(row({ A: 'ja', B: 'ja' }, of)).toMatchObject({
      title: '',
      problems: ['A not-asked', 'B not-asked'],
    });
  });
});
