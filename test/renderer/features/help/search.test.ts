import { describe, expect, it } from 'vitest';
import { findIn, sectionsOf } from '../../../../renderer/features/help/search.ts';
import type { Block, Inline } from '../../../../renderer/features/help/text.ts';

const text = (words: string): Inline => ({ kind: 'text', text: words });
const paragraph = (...inside: readonly Inline[]): Block => ({ kind: 'paragraph', inside });
const heading = (words: string): Block => ({
  kind: 'heading',
  level: 2,
  anchor: words.toLowerCase(),
  text: words,
});
const say = (inline: Inline): string => {
  if (inline.kind === 'name') return inline.key === 'send' ? 'Check and send' : '?';
  return 'text' in inline ? inline.text : '';
};

const long = 'word '.repeat(80);
const sections = sectionsOf(
  {
    sizes: {},
    pages: [
      {
        name: 'sending',
        title: 'Sending',
        blocks: [
          paragraph(text('Before the first heading.')),
          heading('Undo'),
          paragraph(text('Press '), { kind: 'name', key: 'send', values: {} }, text('.')),
          {
            kind: 'list',
            ordered: false,
            items: [[paragraph(text('Åsa writes a lease.'))], [paragraph(text('It is held.'))]],
          },
          heading('Lease'),
          {
            kind: 'table',
            head: [[text('Keys')]],
            rows: [[[{ kind: 'emphasis', inside: [text('anything')] }]]],
          },
          paragraph(text(`${long}needle ${long}`)),
        ],
      },
    ],
  },
  say,
);

const titles = (query: string): readonly string[] =>
  findIn(sections, query).map(({ section }) => section.title);

describe('the sections of a guide', () => {
  it('are what stands above the first heading, and under each', () => {
    expect(sections.map(({ anchor, title }) => [anchor, title])).toEqual([
      ['', 'Sending'],
      ['undo', 'Undo'],
      ['lease', 'Lease'],
    ]);
  });
});

describe('a search of the guide', () => {
  it('finds what names of the window say, what lists and tables hold, and what is emphasised', () => {
    expect(titles('check and')).toEqual(['Undo']);
    expect(titles('held')).toEqual(['Undo']);
    expect(titles('keys anything')).toEqual(['Lease']);
  });

  it('needs every word, in any order, whatever the case and the accents', () => {
    expect(titles('LEASE asa')).toEqual(['Undo']);
    expect(titles('lease nowhere')).toEqual([]);
  });

  it('shows headings that have the words first', () => {
    expect(titles('lease')).toEqual(['Lease', 'Undo']);
  });

  it('finds a section by the title of its page, too', () => {
    expect(titles('sending undo')).toEqual(['Undo']);
  });

  it('finds nothing for spaces', () => {
    expect(titles('  ')).toEqual([]);
  });

  it('shows the words with what is around them, and marks each', () => {
    const [found] = findIn(sections, 'needle');
    const pieces = found?.excerpt ?? [];
    expect(pieces.filter(({ matches }) => matches)).toEqual([{ text: 'needle', matches: true }]);
    const shown = pieces.map((piece) => piece.text).join('');
    expect(shown.length).toBeLessThan(210);
    expect(shown).toMatch(/^…word .*needle .*…$/);
  });

  it('marks letters where they stand, also behind accents', () => {
    const pieces = findIn(sections, 'asa writes')[0]?.excerpt ?? [];
    expect(pieces.filter(({ matches }) => matches).map((piece) => piece.text)).toEqual([
      'Åsa',
      'writes',
    ]);
  });
});
