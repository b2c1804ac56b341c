import { foldCharacters, foldedWords, hasWords } from '../../ui/fold.ts';
import type { Block, GuideText, Inline } from './text.ts';

/** Text below one heading, or between a title and the first heading. */
export interface Section {
  readonly page: string;
  readonly pageTitle: string;
  /** Anchor of the section's heading; empty at the top of a page. */
  readonly anchor: string;
  readonly title: string;
  readonly text: string;
}

/** A section that contains all words, with the position of the first word. */
export interface Found {
  readonly section: Section;
  /** Text of the section around the words, split into matching and other pieces. */
  readonly excerpt: readonly ExcerptPiece[];
}

interface ExcerptPiece {
  readonly text: string;
  readonly matches: boolean;
}

/** Number of characters shown before the first matching word, and in total. */
const CHARACTERS_BEFORE_MATCH = 60;
const MAX_EXCERPT_CHARACTERS = 200;

/** Returns the text for a name or for keys. */
export type InlineToText = (inline: Inline) => string;

export function sectionsOf({ pages }: GuideText, say: InlineToText): readonly Section[] {
  return pages.flatMap(({ name: page, title: pageTitle, blocks }) => {
    const sections: Section[] = [];
    let current: Section = { page, pageTitle, anchor: '', title: pageTitle, text: '' };
    for (const block of blocks) {
      if (block.kind === 'heading') {
        sections.push(current);
        current = { page, pageTitle, anchor: block.anchor, title: block.text, text: '' };
      } else {
        current = { ...current, text: joinPassages([current.text, blockText(block, say)]) };
      }
    }
    return [...sections, current];
  });
}

function blockText(block: Block, say: InlineToText): string {
  switch (block.kind) {
    case 'heading':
    case 'code':
      return block.text;
    case 'paragraph':
      return inlineText(block.inside, say);
    case 'picture':
      return inlineText(block.words, say);
    case 'list':
      return joinPassages(block.items.flat().map((one) => blockText(one, say)));
    case 'note':
      return joinPassages(block.inside.map((one) => blockText(one, say)));
    case 'table':
      return joinPassages(
        [block.head, ...block.rows].map((row) =>
          row.map((cell) => inlineText(cell, say)).join(' – '),
        ),
      );
  }
}

/** Joins paragraphs, points of a list or rows; a separator follows text that has no full stop. */
function joinPassages(passages: readonly string[]): string {
  return passages
    .filter((passage) => passage !== '')
    .reduce((text, passage) => {
      const separator = text === '' ? '' : /[.:;!?…]$/.test(text) ? ' ' : ' · ';
      return `${text}${separator}${passage}`;
    }, '');
}

export function inlineText(inlines: readonly Inline[], say: InlineToText): string {
  return inlines
    .map((inline) => ('inside' in inline ? inlineText(inline.inside, say) : say(inline)))
    .join('');
}

/** Sections with every word of `query`; those with all of them in the heading come first. */
export function findSections(sections: readonly Section[], query: string): readonly Found[] {
  const words = foldedWords(query);
  if (words.length === 0) return [];
  const rank = ({ title }: Section): number => (hasWords(title, words) ? 0 : 1);
  return sections
    .filter(({ pageTitle, title, text }) => hasWords(`${pageTitle} ${title} ${text}`, words))
    .toSorted((a, b) => rank(a) - rank(b))
    .map((section) => ({ section, excerpt: excerptOf(section.text, words) }));
}

function excerptOf(text: string, words: readonly string[]): readonly ExcerptPiece[] {
  const folded = foldCharacters(text);
  const places = words.map((word) => folded.indexOf(word)).filter((at) => at >= 0);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from =
    first <= CHARACTERS_BEFORE_MATCH ? 0 : wordStart(text, first - CHARACTERS_BEFORE_MATCH);
  const to = wordEnd(text, from + MAX_EXCERPT_CHARACTERS, first);
  const shown = excerptPieces(text.slice(from, to), folded.slice(from, to), words);
  const dots = { text: '…', matches: false };
  return [...(from > 0 ? [dots] : []), ...shown, ...(to < text.length ? [dots] : [])];
}

const wordStart = (text: string, at: number): number => text.indexOf(' ', at) + 1;

/** End of the last word before `at` that is whole; `at` if no word after `from` is whole. */
function wordEnd(text: string, at: number, from: number): number {
  if (at >= text.length) return text.length;
  const end = text.lastIndexOf(' ', at);
  return end > from ? end : at;
}

function excerptPieces(
  text: string,
  folded: string,
  words: readonly string[],
): readonly ExcerptPiece[] {
  const marks = Array.from({ length: text.length }, () => false);
  for (const word of words) {
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + word.length)) {
      marks.fill(true, at, at + word.length);
    }
  }
  const found: ExcerptPiece[] = [];
  let start = 0;
  for (let at = 1; at <= text.length; at += 1) {
    if (at < text.length && marks[at] === marks[at - 1]) continue;
    found.push({ text: text.slice(start, at), matches: marks[start] === true });
    start = at;
  }
  return found.filter((piece) => piece.text !== '');
}
