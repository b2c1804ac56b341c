import { describe, expect, it } from 'vitest';
import { findSections, sectionsOf } from '../../../../renderer/features/help/search.ts';
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

const long = 'longest '.repeat(50);
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
          {
            kind: 'list',
            ordered: false,
            items: [[paragraph(text('Folders'))], [paragraph(text('Files'))]],
          },
          heading('Lease'),
          {
            kind: 'table',
            head: [[text('Keys')], [text('Result')]],
            rows: [[[{ kind: 'emphasis', inside: [text('anything')] }], [text('nothing')]]],
          },
          paragraph(text(`${long}needle ${long}`)),
        ],
      },
    ],
  },
  say,
);

const titles = (query: string): readonly string[] =>
  findSections(sections, query).map(({ section }) => section.title);

describe('the sections of a guide', () => {
  it('are the text above the first heading, and the text under each heading', () => {
    expect(sections.map(({ anchor, title }) => [anchor, title])).toEqual([
      ['', 'Sending'],
      ['undo', 'Undo'],
      ['lease', 'Lease'],
    ]);
  });

  it('separate the points of lists, and the cells and rows of tables', () => {
    expect(sections[1]?.text).toBe(
      'Press Check and send. Åsa writes a lease. It is held. Folders · Files',
    );
    expect(sections[2]?.text).toMatch(/^Keys – Result · anything – nothing · longest /);
  });
});

describe('a search of the guide', () => {
  it('finds names of the window, contents of lists and tables, and emphasised text', () => {
    expect(titles('check and')).toEqual(['Undo']);
    expect(titles('held')).toEqual(['Undo']);
    expect(titles('keys anything')).toEqual(['Lease']);
  });

  it('requires every word, in any order, and ignores case and accents', () => {
    expect(titles('LEASE asa')).toEqual(['Undo']);
    expect(titles('lease nowhere')).toEqual([]);
  });

  it('shows headings that contain the words first', () => {
    expect(titles('lease')).toEqual(['Lease', 'Undo']);
  });

  it('also finds a section by the title of its page', () => {
    expect(titles('sending undo')).toEqual(['Undo']);
  });

  it('finds nothing for spaces', () => {
    expect(titles('  ')).toEqual([]);
  });

  it('shows the found words with their context, and marks each', () => {
    const [found] = findSections(sections, 'needle');
    const pieces = found?.excerpt ?? [];
    expect(pieces.filter(({ matches }) => matches)).toEqual([{ text: 'needle', matches: true }]);
    const shown = pieces.map((piece) => piece.text).join('');
    expect(shown.length).toBeLessThan(210);
    expect(shown).toMatch(/^…longest .*needle .* longest…$/);
  });

  it('marks the right characters, also after accents', () => {
    const pieces = findSections(sections, 'asa writes')[0]?.excerpt ?? [];
    expect(pieces.filter(({ matches }) => matches).map((piece) => piece.text)).toEqual([
      'Åsa',
      'writes',
    ]);
  });
});
