import type { PlacedKind } from '../../../../shared/model/placed-field.ts';
import { kindOfLabel } from '../../../../shared/rules/forms/place-words.ts';
import type { MergeCode } from '../../../core/documents/ports.ts';
import { type Element, elementsIn, isElement, textIn, type XmlNode } from './xml-tree.ts';

/*
 * Merge codes (`MERGEFIELD Name`), content controls that nobody filled, and `{{name}}` as it was
 * typed become anchors in a colour of their own: by their text they are found on the pages, and by
 * their colour they are taken out again (`office/anchors.ts`). ECMA-376-1, 17.16 and 17.5.2.
 */

/** No person chooses it, and programs tell it from white. */
export const ANCHOR_COLOUR = 'FEFDFC';

const WORD = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
]);
/** `MERGEFIELD "First name" \* MERGEFORMAT`. */
const MERGE = /^\s{0,8}MERGEFIELD\s{1,8}(?:"(?<quoted>[^"]{1,200})"|(?<word>[^\s"\\]{1,200}))/iu;
const TYPED = /\{\{\s{0,8}(?<text>[^{}]{1,80}?)\s{0,8}\}\}/gu;
/** Room for a value: the place is as wide as what stands for it. */
const ROOM = '\u00a0'.repeat(8);
const LONGEST_NAME = 40;

/** Replaces the codes of one part in place; `codes` gets what they are called. */
export function markCodes(root: Element, codes: MergeCode[]): boolean {
  const w = prefixOf(root);
  if (w === null) return false;
  const work = new Marking(w, codes);
  work.mark(root);
  return work.isChanged;
}

function prefixOf(root: Element): string | null {
  for (const [name, uri] of Object.entries(root.attributes)) {
    if (!WORD.has(uri)) continue;
    if (name === 'xmlns') return '';
    if (name.startsWith('xmlns:')) return `${name.slice('xmlns:'.length)}:`;
  }
  return null;
}

/** A run with one piece of content, in the list that it stands in. */
interface Atom {
  readonly run: Element;
  readonly content: Element | undefined;
}

class Marking {
  readonly #w: string;
  readonly #codes: MergeCode[];
  isChanged = false;

  constructor(w: string, codes: MergeCode[]) {
    this.#w = w;
    this.#codes = codes;
  }

  /** Controls first: what they hold may be whole paragraphs. */
  mark(root: Element): void {
    for (const control of [...elementsIn(root)].filter((one) => this.#is(one, 'sdt'))) {
      this.#markControl(control);
    }
    for (const paragraph of [...elementsIn(root)].filter((one) => this.#is(one, 'p'))) {
      this.#markFields(paragraph);
      this.#markTyped(paragraph);
    }
  }

  #is(node: XmlNode | undefined, ...names: readonly string[]): node is Element {
    return (
      node !== undefined &&
      isElement(node) &&
      names.some((name) => node.name === `${this.#w}${name}`)
    );
  }

  #child(element: Element, name: string): Element | undefined {
    return element.children.find((one): one is Element => this.#is(one, name));
  }

  #value(element: Element | undefined, name = 'val'): string {
    return element?.attributes[`${this.#w}${name}`] ?? '';
  }

  /** One that still shows what it asks for; a box is always one to be ticked. */
  #markControl(control: Element): void {
    const about = this.#child(control, 'sdtPr');
    const content = this.#child(control, 'sdtContent');
    if (about === undefined || content === undefined) return;
    const name = this.#value(this.#child(about, 'alias')) || this.#value(this.#child(about, 'tag'));
    const box = about.children.some((one) => isElement(one) && one.name === 'w14:checkbox');
    const isOpen = this.#child(about, 'showingPlcHdr') !== undefined;
    if (name === '' || !(isOpen || box)) return;
    const list = this.#child(about, 'dropDownList') ?? this.#child(about, 'comboBox');
    const options = this.#optionsOf(list);
    const runs = [...elementsIn(content)].filter((one) => this.#is(one, 'r'));
    const [first] = runs;
    if (first === undefined) return;
    const kind = box
      ? 'checkbox'
      : options.length > 0
        ? 'choice'
        : this.#child(about, 'date') === undefined
          ? kindOf(name)
          : 'date';
    const anchor = this.#anchorRun(first, this.#code(name, kind, options));
    const gone = new Set<XmlNode>(runs.slice(1));
    swap(content, (node) => (node === first ? [anchor] : gone.has(node) ? [] : null));
    // Else LibreOffice would draw a control of its own there.
    const plain = about.children.filter((one) => this.#is(one, 'rPr'));
    about.children = plain;
  }

  #optionsOf(list: Element | undefined): readonly string[] {
    const items = (list?.children ?? []).filter((one): one is Element => this.#is(one, 'listItem'));
    const shown = items.map((one) => this.#value(one, 'displayText') || this.#value(one, 'value'));
    // The first often is "Choose an item", without a value.
    const isAsking = (at: number) => at === 0 && this.#value(items[at], 'value') === '';
    return [...new Set(shown.filter((text, at) => text !== '' && !isAsking(at)))].map((text) =>
      text.slice(0, 200),
    );
  }

  #markFields(paragraph: Element): void {
    const simple = this.#inside(paragraph).filter((one) => this.#is(one, 'fldSimple'));
    for (const field of simple) {
      const name = mergeName(this.#value(field, 'instr'));
      const run = [...elementsIn(field)].find((one) => this.#is(one, 'r'));
      if (name === null || run === undefined) continue;
      const anchor = this.#anchorRun(run, this.#code(name, kindOf(name), []));
      swap(paragraph, (node) => (node === field ? [anchor] : null));
    }
    this.#split(paragraph);
    const open: { code: string; isShown: boolean; readonly atoms: Atom[] }[] = [];
    for (const atom of this.#atomsOf(paragraph)) {
      const { content } = atom;
      const type = this.#is(content, 'fldChar') ? this.#value(content, 'fldCharType') : '';
      if (type === 'begin') open.push({ code: '', isShown: false, atoms: [] });
      for (const field of open) field.atoms.push(atom);
      const field = open.at(-1);
      if (field === undefined) continue;
      if (type === 'separate') field.isShown = true;
      if (this.#is(content, 'instrText') && !field.isShown) field.code += textIn(content);
      if (type !== 'end') continue;
      open.pop();
      const name = mergeName(field.code);
      // One within another, as in a condition, decides what that one shows.
      if (name !== null && open.length === 0) this.#replace(paragraph, field.atoms, name);
    }
  }

  #replace(paragraph: Element, atoms: readonly Atom[], name: string): void {
    const shown = atoms.find(({ content }) => this.#is(content, 't')) ?? atoms[0];
    if (shown === undefined) return;
    const anchor = this.#anchorRun(shown.run, this.#code(name, kindOf(name), []));
    const gone = new Set<XmlNode>(atoms.map(({ run }) => run));
    swap(paragraph, (node) => (node === shown.run ? [anchor] : gone.has(node) ? [] : null));
  }

  /** Word cuts a text into runs wherever it was corrected: what was typed is read across them. */
  #markTyped(paragraph: Element): void {
    const atoms = this.#atomsOf(paragraph).filter(({ content }) => this.#is(content, 't'));
    const texts = atoms.map(({ content }) => (content === undefined ? '' : textIn(content)));
    const whole = texts.join('');
    if (!whole.includes('{{')) return;
    const found = [...whole.matchAll(TYPED)].filter(
      ({ index }) => !this.#isAnchor(atoms[placeOf(texts, index).at]?.run),
    );
    for (const match of found.toReversed()) {
      const from = placeOf(texts, match.index);
      const to = placeOf(texts, match.index + match[0].length - 1);
      const [first, last] = [atoms[from.at], atoms[to.at]];
      if (first === undefined || last === undefined) continue;
      const text = (match.groups?.['text'] ?? '').replaceAll(/\s+/gu, '\u00a0');
      const anchor = this.#anchorRun(first.run, `{{${text}${ROOM}}}`);
      const [head, tail] = [texts[from.at] ?? '', texts[to.at] ?? ''];
      const before = this.#textRun(first.run, head.slice(0, from.within));
      const after = this.#textRun(last.run, tail.slice(to.within + 1));
      const gone = new Set<XmlNode>(atoms.slice(from.at, to.at + 1).map(({ run }) => run));
      swap(paragraph, (node) => {
        if (node === first.run) return [...before, anchor, ...after];
        return gone.has(node) ? [] : null;
      });
      // What stands before it in the same run may hold another.
      const [kept] = before;
      atoms[from.at] = { run: kept ?? anchor, content: undefined };
      texts[from.at] = head.slice(0, from.within);
    }
  }

  #isAnchor(run: Element | undefined): boolean {
    const about = run === undefined ? undefined : this.#child(run, 'rPr');
    return (
      this.#value(about === undefined ? undefined : this.#child(about, 'color')) === ANCHOR_COLOUR
    );
  }

  /** What belongs to the paragraph itself: text boxes in it have paragraphs of their own. */
  #inside(paragraph: Element): readonly Element[] {
    const found: Element[] = [];
    const walk = (element: Element): void => {
      for (const child of element.children) {
        if (!isElement(child) || this.#is(child, 'p', 'del', 'txbxContent')) continue;
        found.push(child);
        walk(child);
      }
    };
    walk(paragraph);
    return found;
  }

  #atomsOf(paragraph: Element): Atom[] {
    return this.#inside(paragraph)
      .filter((one) => this.#is(one, 'r'))
      .map((run) => ({
        run,
        content: run.children.find(
          (one): one is Element => isElement(one) && !this.#is(one, 'rPr'),
        ),
      }));
  }

  /** A run for each piece of content, so that each can be replaced alone. */
  #split(paragraph: Element): void {
    for (const run of this.#inside(paragraph).filter((one) => this.#is(one, 'r'))) {
      const about = this.#child(run, 'rPr');
      const pieces = run.children.filter((one) => isElement(one) && one !== about);
      if (pieces.length < 2) continue;
      const runs = pieces.map((piece) => ({
        name: run.name,
        attributes: { ...run.attributes },
        children: about === undefined ? [piece] : [about, piece],
      }));
      swap(paragraph, (node) => (node === run ? runs : null));
    }
  }

  #code(name: string, kind: PlacedKind, options: readonly string[]): string {
    const known = this.#codes.find((one) => one.name === name && one.kind === kind);
    const anchor = known?.anchor ?? this.#freeAnchor(name);
    if (known === undefined) this.#codes.push({ anchor, name, kind, options });
    return kind === 'checkbox' ? `{{check:${anchor}}}` : `{{text:${anchor}${ROOM}}}`;
  }

  /** Letters between which no line ends. */
  #freeAnchor(name: string): string {
    const plain =
      name
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .filter((word) => word !== '')
        .join('_')
        .slice(0, LONGEST_NAME)
        .replace(/_$/u, '') || 'Field';
    const isTaken = (anchor: string) => this.#codes.some((one) => one.anchor === anchor);
    let anchor = plain;
    for (let number = 2; isTaken(anchor); number += 1) anchor = `${plain}_${String(number)}`;
    return anchor;
  }

  #anchorRun(like: Element, text: string): Element {
    this.isChanged = true;
    const about = this.#child(like, 'rPr');
    const loud = [
      'color',
      'rStyle',
      'highlight',
      'shd',
      'u',
      'strike',
      'caps',
      'smallCaps',
      'vanish',
      'lang',
    ];
    const kept = (about?.children ?? []).filter((one) => !this.#is(one, ...loud));
    const colour = this.#element('color', { val: ANCHOR_COLOUR });
    // In the order of the schema the colour stands behind the fonts and the weight.
    const at = kept.filter((one) => this.#is(one, 'rFonts', 'b', 'bCs', 'i', 'iCs')).length;
    const children = [...kept.slice(0, at), colour, ...kept.slice(at)];
    return {
      name: like.name,
      attributes: {},
      children: [{ ...this.#element('rPr', {}), children }, this.#text(text)],
    };
  }

  #textRun(like: Element, text: string): readonly Element[] {
    if (text === '') return [];
    const about = this.#child(like, 'rPr');
    const children = [...(about === undefined ? [] : [about]), this.#text(text)];
    return [{ name: like.name, attributes: {}, children }];
  }

  #text(text: string): Element {
    return { name: `${this.#w}t`, attributes: { 'xml:space': 'preserve' }, children: [text] };
  }

  #element(name: string, values: Readonly<Record<string, string>>): Element {
    const attributes = Object.fromEntries(
      Object.entries(values).map(([key, value]) => [`${this.#w}${key}`, value]),
    );
    return { name: `${this.#w}${name}`, attributes, children: [] };
  }
}

function mergeName(code: string): string | null {
  const groups = MERGE.exec(code.slice(0, 500))?.groups;
  const name = (groups?.['quoted'] ?? groups?.['word'] ?? '').trim();
  return name === '' ? null : name.slice(0, 100);
}

/** A merge code is a value of a list of people: it is never where somebody signs. */
function kindOf(name: string): PlacedKind {
  const kind = kindOfLabel(name.replaceAll('_', ' '));
  return kind === 'date' || kind === 'number' ? kind : 'text';
}

/** In which of the texts, laid end to end, a place lies, and where within. */
function placeOf(texts: readonly string[], index: number): { at: number; within: number } {
  let start = 0;
  for (const [at, text] of texts.entries()) {
    if (index < start + text.length) return { at, within: index - start };
    start += text.length;
  }
  return { at: texts.length - 1, within: (texts.at(-1)?.length ?? 1) - 1 };
}

/** Puts others in place of elements beneath; null leaves one. */
function swap(element: Element, others: (node: Element) => readonly Element[] | null): void {
  element.children = element.children.flatMap((child): readonly XmlNode[] => {
    if (!isElement(child)) return [child];
    const made = others(child);
    if (made !== null) return made;
    swap(child, others);
    return [child];
  });
}
