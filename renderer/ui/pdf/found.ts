/** Name of the highlight in the styles. */
const FOUND_HIGHLIGHT = 'pdf-found';

/** A character of the plain text, and its position in the page. */
interface PlacedCharacter {
  readonly text: string;
  readonly node: Text;
  readonly offset: number;
}

/** Highlights all matches in the page; without words it clears the highlight. */
export function highlightMatches(page: HTMLElement, words: string): void {
  const wanted = plain(words);
  CSS.highlights.set(
    FOUND_HIGHLIGHT,
    new Highlight(...(wanted === '' ? [] : rangesOf(page, wanted))),
  );
}

/** Normalises text for the search: ignores case and line breaks. */
export function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

function rangesOf(page: HTMLElement, wanted: string): readonly Range[] {
  const letters = charactersOf(page);
  const text = letters.map((letter) => letter.text).join('');
  const ranges: Range[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    const [first, last] = [letters[at], letters[at + wanted.length - 1]];
    if (first === undefined || last === undefined) break;
    const range = document.createRange();
    range.setStart(first.node, first.offset);
    range.setEnd(last.node, last.offset + 1);
    ranges.push(range);
  }
  return ranges;
}

/** Plain characters of the page with their positions; text nodes are separated by a space. */
function charactersOf(page: HTMLElement): readonly PlacedCharacter[] {
  const letters: PlacedCharacter[] = [];
  const walker = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  const add = (text: string, node: Text, offset: number): void => {
    if (text !== ' ' || letters.at(-1)?.text !== ' ') letters.push({ text, node, offset });
  };
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (!(node instanceof Text)) continue;
    for (let offset = 0; offset < node.data.length; offset += 1) {
      const text = node.data.charAt(offset).normalize('NFKC').toLowerCase();
      // A character that folds to two is highlighted as a whole.
      for (const letter of text) add(/\s/.test(letter) ? ' ' : letter, node, offset);
    }
    add(' ', node, Math.max(0, node.data.length - 1));
  }
  return letters;
}
