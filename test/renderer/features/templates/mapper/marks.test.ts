import { describe, expect, it } from 'vitest';
import { markOf } from '../../../../../renderer/features/templates/mapper/marks.ts';
import type { FieldSource } from '../../../../../shared/model/template.ts';
import { startTemplate } from '../../../../../shared/rules/templates/start.ts';

const roles = Array.from({ length: 9 }, (_, place) => String(place));

function content() {
  const { body } = startTemplate('v2', '', null);
  if (body.api !== 'v2') expect.unreachable();
  body.roles = roles.map((id) => ({ id, name: id, kind: 'private', party: {} }));
  return { body };
}

describe('the mark of a field', () => {
  it.each<[string, string, FieldSource | undefined]>([
    ['A', 'party-0', { from: 'party', role: '0', datum: 'email' }],
    ['C', 'party-2', { from: 'signature', role: '2' }],
    ['A', 'party-0', { from: 'signature', role: '8' }],
    ['•', 'party-7', { from: 'signature', role: 'gone' }],
    ['?', 'party-7', { from: 'question', question: 'rent' }],
    ['•', 'party-7', { from: 'counter' }],
    ['', 'party-7', undefined],
  ])('has the letter “%s” and the colour %s', (letter, colour, source) => {
    expect(markOf(source, content())).toEqual({ letter, colour });
  });
});
