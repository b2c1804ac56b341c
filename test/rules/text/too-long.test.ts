import { describe, expect, it } from 'vitest';
import { placeOfLongText } from '../../../shared/rules/text/too-long.ts';

describe('the check for too long texts from others', () => {
  const [name, text] = ['x'.repeat(2048), 'x'.repeat(65_536)];

  it.each([
    [
      'has the greatest allowed length',
      { title: name, parties: [{ firstName: name }], message: text },
      null,
    ],
    ['is a title, and too long', { body: { title: `${name}x` } }, 'body.title'],
    [
      'is a name in a list, and too long',
      { parties: [{}, { lastName: `${name}x` }] },
      'parties.1.lastName',
    ],
    ['is another text, and too long', { body: { message: `${text}x` } }, 'body.message'],
    ['is a single value, and too long', `${text}x`, 'its beginning'],
    ['is the name of a field, and too long', { tags: { [`${name}x`]: '' } }, 'tags'],
  ])('finds by its place a text that %s (SR-P18)', (_, whole, place) => {
    expect(placeOfLongText(whole)).toBe(place);
  });

  it('finds a text at any depth that JSON allows (SR-P18)', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(200_000)}"${text}x"${']'.repeat(200_000)}`);
    expect(placeOfLongText(deep)).toMatch(/^0\.0\./u);
  });
});
