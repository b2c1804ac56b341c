import type { PlacedKind } from '../../model/placed-field.ts';
import type { TextLine } from './page-lines.ts';
import {
  type Box,
  type Found,
  type FieldDetection,
  isSignatureKind,
  MIN_FIELD_WIDTH,
  withSignatureHeight,
} from './place-boxes.ts';
import { bracketed, labelBelow, labelOf, textOf } from './place-labels.ts';
import { kindOfLabel } from './place-words.ts';

/** Maximum words of a label above a blank; more words are a sentence. */
const MAX_LABEL_WORDS = 4;
/** Minimum number of consecutive equal characters that are a blank, by character. */
const MIN_BLANK_CHARACTERS: ReadonlyMap<string, number> = new Map([
  ['_', 3],
  ['.', 5],
  ['…', 2],
]);

const DOT_CHARACTERS = new Set(['.', '…']);
const BOX_CHARACTERS = new Set([
  '☐',
  '□',
  '▢',
  '❏',
  '❑',
  '◻',
  '\uf06f',
  '\uf071',
  '\uf0a8',
  '\uf0a3',
]);

const ANCHOR_PATTERN = /\{\{\s{0,8}(?<text>[^{}]{1,80}?)\s{0,8}\}\}/gu;

/** Separators between two captions on one line. */
const CAPTION_GAP_PATTERN = /\t|[ \u00a0]{3,100}/u;

const BRACKETS_PATTERN = /[[(](?<blank>[ \u00a0_]{1,200})[\])]/gu;

const KINDS_BY_ANCHOR_WORD: Readonly<Record<string, PlacedKind>> = {
  signature: 'signature',
  sign: 'signature',
  initials: 'initials',
  seal: 'seal',
  date: 'date',
  number: 'number',
  check: 'checkbox',
  checkbox: 'checkbox',
  text: 'text',
  lines: 'lines',
};

type Letter = TextLine['letters'][number];

interface BlankSpan {
  readonly from: number;
  readonly to: number;
  readonly by: FieldDetection;
  /** Kind of the field; null if the text does not state it. */
  readonly kind: PlacedKind | null;
  readonly label: string | null;
}

export function findInLine(
  line: TextLine,
  lines: readonly TextLine[],
  at: number,
): readonly Found[] {
  const spans = spansOf(line).toSorted((one, other) => one.from - other.from);
  return spans.flatMap((span, index): Found[] => {
    const [first, last] = [line.letters[span.from], line.letters[span.to - 1]];
    if (first === undefined || last === undefined) return [];
    const box = BOX_CHARACTERS.has(first.text) ? innerSquare(first) : boxOver(first, last);
    const before = textOf(line, spans[index - 1]?.to ?? 0, span.from);
    const after = textOf(line, span.to, spans[index + 1]?.from ?? line.letters.length);
    if (span.kind === 'checkbox') {
      const label = span.label ?? labelOf(after) ?? labelOf(before) ?? '';
      return [{ by: span.by, kind: 'checkbox', label, box }];
    }
    if (box.right - box.x < MIN_FIELD_WIDTH) return [];
    if (span.label === null && isTableOfContents(line, span, before)) return [];
    const label =
      span.label ??
      labelOf(before) ??
      (labelOf(after) === null ? null : labelOf(endOfPreviousLine(lines[at - 1], line))) ??
      captionOf(line, spans, index, lines[at + 1]) ??
      labelBelow(box, lines.slice(at + 1)) ??
      labelFromPreviousLine(lines[at - 1], line) ??
      labelOf(bracketed(after)) ??
      labelOf(after) ??
      '';
    const kind = span.kind ?? kindOfLabel(label) ?? 'text';
    return [{ by: span.by, kind, label, box: withSignatureHeight(kind, box, lines.slice(0, at)) }];
  });
}

/** Box for writing on a blank: above underscores, but at the height of dots. */
function boxOver(first: Letter, last: Letter): Box {
  const foot = DOT_CHARACTERS.has(first.text) ? 0 : first.height * 0.25;
  const [y, top] = [first.y - foot, first.y + first.height * 1.25 - foot];
  return { x: first.x, y, right: last.x + last.width, top };
}

/** Square of a printed checkbox, in the middle of its character. */
function innerSquare({ x, y, width, height }: Letter): Box {
  const side = width * 0.8;
  const [left, bottom] = [x + (width - side) / 2, y + height * 0.375 - side / 2];
  return { x: left, y: bottom, right: left + side, top: bottom + side };
}

/**
 * Caption of a blank in the line below; null unless that line has as many captions as the upper
 * line has blanks. They are paired one by one, regardless of the spaces between them.
 */
function captionOf(
  line: TextLine,
  spans: readonly BlankSpan[],
  index: number,
  below: TextLine | undefined,
): string | null {
  if (spans.length < 2 || below === undefined || line.y - below.y > line.height * 1.8) return null;
  const blanks = new Set(spans.flatMap(({ from, to }) => indexRange(from, to)));
  if (line.letters.some(({ text }, at) => !blanks.has(at) && text.trim() !== '')) return null;
  const captions = textOf(below, 0, below.letters.length).trim().split(CAPTION_GAP_PATTERN);
  return captions.length === spans.length ? labelOf(captions[index] ?? '') : null;
}

const indexRange = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, at) => from + at);

/** Label from the previous line, if it has only a few words and no blank. */
function labelFromPreviousLine(before: TextLine | undefined, line: TextLine): string | null {
  if (before === undefined || before.y - line.y > line.height * 3) return null;
  if (spansOf(before).length > 0) return null;
  const text = textOf(before, 0, before.letters.length).trim();
  return text.split(/\s+/u).length > MAX_LABEL_WORDS ? null : labelOf(text);
}

/** End of the previous line's text if the next line continues it; otherwise empty. */
function endOfPreviousLine(before: TextLine | undefined, line: TextLine): string {
  if (before === undefined || before.y - line.y > line.height * 1.8) return '';
  const last = Math.max(0, ...spansOf(before).map(({ to }) => to));
  return textOf(before, last, before.letters.length);
}

/** Whether dots are in a line of a table of contents: heading, dots and page number. */
function isTableOfContents(
  { letters }: TextLine,
  { from, to }: BlankSpan,
  before: string,
): boolean {
  const rest = textOf({ letters }, to, letters.length).trim();
  return (
    letters[from]?.text !== '_' && before.trim() !== '' && /^(?:\d{1,4}|[ivxlc]{1,7})$/iu.test(rest)
  );
}

function spansOf(line: TextLine): readonly BlankSpan[] {
  const { letters } = line;
  // One character of a font can be several characters of text.
  const starts: number[] = [];
  let text = '';
  for (const letter of letters) {
    starts.push(text.length);
    text += letter.text;
  }
  const letterAt = (index: number): number => {
    const next = starts.findIndex((start) => start > index);
    return next === -1 ? letters.length - 1 : next - 1;
  };
  const anchors = [...text.matchAll(ANCHOR_PATTERN)].map((match): BlankSpan => {
    const [kind, label] = meaningOf(match.groups?.['text'] ?? '');
    const from = letterAt(match.index);
    return { from, to: letterAt(match.index + match[0].length - 1) + 1, by: 'anchor', kind, label };
  });
  const brackets = [...text.matchAll(BRACKETS_PATTERN)].map((match): BlankSpan => {
    const from = letterAt(match.index);
    const to = letterAt(match.index + match[0].length - 1) + 1;
    const isBox = widthOf(letters, from + 1, to - 1) < MIN_FIELD_WIDTH;
    if (isBox) return { from, to, by: 'box', kind: 'checkbox', label: null };
    return { from: from + 1, to: to - 1, by: 'blank', kind: null, label: null };
  });
  const boxes = letters.flatMap((letter, from): BlankSpan[] =>
    BOX_CHARACTERS.has(letter.text)
      ? [{ from, to: from + 1, by: 'box', kind: 'checkbox', label: null }]
      : [],
  );
  const known = [...anchors, ...brackets, ...boxes];
  const isFree = (one: BlankSpan) => !known.some(({ from, to }) => one.from < to && from < one.to);
  return [...known, ...blanksOf(line).filter(isFree)];
}

/** Kind and label in a text: `signature:landlord` is a signature of the landlord. */
function meaningOf(text: string): readonly [kind: PlacedKind | null, label: string] {
  const [, word = '', rest = ''] = /^(\w{1,20})\s{0,4}:\s{0,4}(.+)$/u.exec(text) ?? [];
  const kind = KINDS_BY_ANCHOR_WORD[word.toLowerCase()] ?? null;
  if (kind !== null) return [kind, isSignatureKind(kind) ? `${rest} ${word}` : rest];
  return [KINDS_BY_ANCHOR_WORD[text.toLowerCase()] ?? kindOfLabel(text), text];
}

/** Finds blanks in a line: underscores, dots and ellipses, with the spaces between them. */
function blanksOf({ letters }: TextLine): readonly BlankSpan[] {
  const spans: BlankSpan[] = [];
  for (let from = 0; from < letters.length; from += 1) {
    const sign = letters[from]?.text ?? '';
    const fewest = MIN_BLANK_CHARACTERS.get(sign);
    if (fewest === undefined) continue;
    let [count, last] = [0, from];
    for (let at = from; at < letters.length; at += 1) {
      const letter = letters[at];
      if (letter === undefined) break;
      const before = letters[last];
      const gap = before === undefined ? 0 : letter.x - before.x - before.width;
      if (gap > letter.height) break;
      if (letter.text === sign) [count, last] = [count + 1, at];
      else if (letter.text.trim() !== '') break;
    }
    if (count >= fewest) {
      spans.push({ from, to: last + 1, by: 'blank', kind: null, label: null });
    }
    from = last;
  }
  return spans;
}

const widthOf = (letters: TextLine['letters'], from: number, to: number): number =>
  letters.slice(from, to).reduce((sum, { width }) => sum + width, 0);
