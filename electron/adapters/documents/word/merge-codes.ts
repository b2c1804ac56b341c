import type { PlacedKind } from '../../../../shared/model/placed-field.ts';
import { kindOfLabel } from '../../../../shared/rules/forms/place-words.ts';
import type { MergeCode } from '../../../core/documents/ports.ts';
import { type Element, elementsIn, isElement, textIn, type XmlNode } from './xml-tree.ts';

/*
 * Merge codes (`MERGEFIELD Name`), unfilled content controls, and typed `{{name}}` become anchors
 * in a special colour: they are found on the pages by their text, and removed again by their colour
 * (`office/anchors.ts`). ECMA-376-1, 17.16 and 17.5.2.
 */

/** A colour that people do not choose, and that programs distinguish from white. */
export const ANCHOR_COLOUR = 'FEFDFC';

const WORD_NAMESPACES = new Set([
  'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  'http://purl.oclc.org/ooxml/wordprocessingml/main',
]);
/** `MERGEFIELD "First name" \* MERGEFORMAT`. */
const MERGE = /^\s{0,8}MERGEFIELD\s{1,8}(?:"(?<quoted>[^"]{1,200})"|(?<word>[^\s"\\]{1,200}))/iu;
const TYPED = /\{\{\s{0,8}(?<text>[^{}]{1,80}?)\s{0,8}\}\}/gu;
/** Space for a value: the field is as wide as its anchor. */
const ANCHOR_SPACE = '\u00a0'.repeat(8);
const MAX_NAME_LENGTH = 40;

/** Replaces the codes of one part in place, and adds them to `codes`. */
export function markCodes(root: Element, codes: MergeCode[]): boolean {
  const w = prefixOf(root);
  if (w === null) return false;
  const work = new CodeMarker(w, codes);
  work.mark(root);
  return work.isChanged;
}

function prefixOf(root: Element): string | null {
  for (const [name, uri] of Object.entries(root.attributes)) {
    if (!WORD_NAMESPACES.has(uri)) continue;
    if (name === 'xmlns') return '';
    if (name.startsWith('xmlns:')) return `${name.slice('xmlns:'.length)}:`;
  }
  return null;
}

/** A run with one piece of content. */
interface RunPiece {
  readonly run: Element;
  readonly content: Element | undefined;
}

class CodeMarker {
  readonly #w: string;
  readonly #codes: MergeCode[];
  /** Codes by kind and name. */
  readonly #byName = new Map<string, MergeCode>();
  readonly #taken = new Set<string>();
  /** Last number added to each anchor name that occurs more than once. */
  readonly #numbers = new Map<string, number>();
  isChanged = false;

  constructor(w: string, codes: MergeCode[]) {
    this.#w = w;
    this.#codes = codes;
    for (const code of codes) this.#know(code);
  }

  #know(code: MergeCode): void {
    this.#byName.set(`${code.kind} ${code.name}`, code);
    this.#taken.add(code.anchor);
  }

  /** Marks controls first: they may contain whole paragraphs. */
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

  /** Marks a control that still shows its placeholder; a checkbox is always marked. */
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
    replaceNodes(content, (node) => (node === first ? [anchor] : gone.has(node) ? [] : null));
    // Only the font of the control stays: with its other properties, LibreOffice would draw its own
    // control.
    const plain = about.children.filter((one) => this.#is(one, 'rPr'));
    about.children = plain;
  }

  #optionsOf(list: Element | undefined): readonly string[] {
    const items = (list?.children ?? []).filter((one): one is Element => this.#is(one, 'listItem'));
    const shown = items.map((one) => this.#value(one, 'displayText') || this.#value(one, 'value'));
    // The first item is often "Choose an item", without a value.
    const isAsking = (at: number) => at === 0 && this.#value(items[at], 'value') === '';
    return [...new Set(shown.filter((text, at) => text !== '' && !isAsking(at)))].map((text) =>
      text.slice(0, 200),
    );
  }

  #markFields(paragraph: Element): void {
    const others: NodeReplacements = new Map();
    for (const field of this.#inside(paragraph).filter((one) => this.#is(one, 'fldSimple'))) {
      const name = mergeFieldName(this.#value(field, 'instr'));
      const run = name === null ? undefined : this.#firstRun(field);
      if (name === null || run === undefined) continue;
      others.set(field, [this.#anchorRun(run, this.#code(name, kindOf(name), []))]);
    }
    replaceAllNodes(paragraph, others);
    this.#split(paragraph);
    others.clear();
    const atoms: RunPiece[] = [];
    const open: { code: string; isShown: boolean }[] = [];
    for (const atom of this.#atomsOf(paragraph)) {
      const { content } = atom;
      const type = this.#is(content, 'fldChar') ? this.#value(content, 'fldCharType') : '';
      if (type === 'begin') open.push({ code: '', isShown: false });
      // Replacing an outer field also replaces the fields within it.
      if (open.length > 0) atoms.push(atom);
      const field = open.at(-1);
      if (field === undefined) continue;
      if (type === 'separate') field.isShown = true;
      if (this.#is(content, 'instrText') && !field.isShown) field.code += textIn(content);
      if (type !== 'end') continue;
      open.pop();
      if (open.length > 0) continue;
      const name = mergeFieldName(field.code);
      // A nested field, as in a condition, is kept: it decides what the outer field shows.
      if (name !== null) this.#replace(atoms, name, others);
      atoms.length = 0;
    }
    replaceAllNodes(paragraph, others);
  }

  #firstRun(element: Element): Element | undefined {
    for (const one of elementsIn(element)) if (this.#is(one, 'r')) return one;
    return undefined;
  }

  #replace(atoms: readonly RunPiece[], name: string, others: NodeReplacements): void {
    const shown = atoms.find(({ content }) => this.#is(content, 't')) ?? atoms[0];
    if (shown === undefined) return;
    for (const { run } of atoms) others.set(run, []);
    others.set(shown.run, [this.#anchorRun(shown.run, this.#code(name, kindOf(name), []))]);
  }

  /** Word splits text into runs at each correction: typed codes are searched across runs. */
  #markTyped(paragraph: Element): void {
    const atoms = this.#atomsOf(paragraph).filter(({ content }) => this.#is(content, 't'));
    const texts = atoms.map(({ content }) => (content === undefined ? '' : textIn(content)));
    const whole = texts.join('');
    if (!whole.includes('{{')) return;
    const starts = startsOf(texts);
    const made = new Map<number, Element[]>();
    /** Length of each text that is already in its replacement. */
    const used = new Map<number, number>();
    const keep = (at: number, until: number): Element[] => {
      const list = made.get(at) ?? [];
      const run = atoms[at]?.run;
      const text = (texts[at] ?? '').slice(used.get(at) ?? 0, until);
      if (run !== undefined) list.push(...this.#textRun(run, text));
      used.set(at, until);
      made.set(at, list);
      return list;
    };
    for (const { index, 0: code, groups } of whole.matchAll(TYPED)) {
      const from = positionOf(starts, index);
      const to = positionOf(starts, index + code.length - 1);
      const first = atoms[from.at];
      if (first === undefined || this.#isAnchor(first.run)) continue;
      const text = (groups?.['text'] ?? '').replaceAll(/\s+/gu, '\u00a0');
      keep(from.at, from.within).push(this.#anchorRun(first.run, `{{${text}${ANCHOR_SPACE}}}`));
      for (let at = from.at; at < to.at; at += 1) {
        made.set(at, made.get(at) ?? []);
        used.set(at, texts[at]?.length ?? 0);
      }
      made.set(to.at, made.get(to.at) ?? []);
      used.set(to.at, to.within + 1);
    }
    const others: NodeReplacements = new Map();
    for (const at of made.keys()) {
      const run = atoms[at]?.run;
      if (run !== undefined) others.set(run, keep(at, texts[at]?.length ?? 0));
    }
    replaceAllNodes(paragraph, others);
  }

  #isAnchor(run: Element | undefined): boolean {
    const about = run === undefined ? undefined : this.#child(run, 'rPr');
    return (
      this.#value(about === undefined ? undefined : this.#child(about, 'color')) === ANCHOR_COLOUR
    );
  }

  /** Returns the elements of the paragraph itself: text boxes in it have their own paragraphs. */
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

  #atomsOf(paragraph: Element): RunPiece[] {
    return this.#inside(paragraph)
      .filter((one) => this.#is(one, 'r'))
      .map((run) => ({
        run,
        content: run.children.find(
          (one): one is Element => isElement(one) && !this.#is(one, 'rPr'),
        ),
      }));
  }

  /** Creates a run for each piece of content, so that each can be replaced separately. */
  #split(paragraph: Element): void {
    const others: NodeReplacements = new Map();
    for (const run of this.#inside(paragraph).filter((one) => this.#is(one, 'r'))) {
      const about = this.#child(run, 'rPr');
      const pieces = run.children.filter((one) => isElement(one) && one !== about);
      if (pieces.length < 2) continue;
      const runs = pieces.map((piece) => ({
        name: run.name,
        attributes: { ...run.attributes },
        children: about === undefined ? [piece] : [about, piece],
      }));
      others.set(run, runs);
    }
    replaceAllNodes(paragraph, others);
  }

  #code(name: string, kind: PlacedKind, options: readonly string[]): string {
    const known = this.#byName.get(`${kind} ${name}`);
    const anchor = known?.anchor ?? this.#freeAnchor(name);
    if (known === undefined) {
      const code = { anchor, name, kind, options };
      this.#codes.push(code);
      this.#know(code);
    }
    return kind === 'checkbox' ? `{{check:${anchor}}}` : `{{text:${anchor}${ANCHOR_SPACE}}}`;
  }

  /** Builds an anchor of characters between which no line breaks. */
  #freeAnchor(name: string): string {
    const plain =
      name
        .split(/[^\p{L}\p{M}\p{N}]+/u)
        .filter((word) => word !== '')
        .join('_')
        .slice(0, MAX_NAME_LENGTH)
        .replace(/_$/u, '') || 'Field';
    let number = this.#numbers.get(plain) ?? 1;
    let anchor = plain;
    while (this.#taken.has(anchor)) {
      number += 1;
      anchor = `${plain}_${String(number)}`;
    }
    this.#numbers.set(plain, number);
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
    // In the schema's order the colour follows the fonts and the weight.
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

function mergeFieldName(code: string): string | null {
  const groups = MERGE.exec(code.slice(0, 500))?.groups;
  const name = (groups?.['quoted'] ?? groups?.['word'] ?? '').trim();
  return name === '' ? null : name.slice(0, 100);
}

/**
 * Returns the kind of field for a merge code. It is a value from a list of people, so it is never a
 * signature.
 */
function kindOf(name: string): PlacedKind {
  const kind = kindOfLabel(name.replaceAll('_', ' '));
  return kind === 'date' || kind === 'number' ? kind : 'text';
}

/** Returns the start of each text if all are joined. */
function startsOf(texts: readonly string[]): readonly number[] {
  let start = 0;
  return texts.map((text) => {
    const begins = start;
    start += text.length;
    return begins;
  });
}

/**
 * Finds the text that contains a position, which is the last text that begins at or before it, and
 * the position within that text.
 */
function positionOf(starts: readonly number[], index: number): { at: number; within: number } {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle - 1;
  }
  return { at: low, within: index - (starts[low] ?? 0) };
}

/** Replacements by element. */
type NodeReplacements = Map<XmlNode, readonly Element[]>;

function replaceAllNodes(element: Element, others: NodeReplacements): void {
  if (others.size > 0) replaceNodes(element, (node) => others.get(node) ?? null);
}

/**
 * Replaces elements below `element` by the result of `others`; the result null keeps an element.
 */
function replaceNodes(
  element: Element,
  others: (node: Element) => readonly Element[] | null,
): void {
  element.children = element.children.flatMap((child): readonly XmlNode[] => {
    if (!isElement(child)) return [child];
    const made = others(child);
    if (made !== null) return made;
    replaceNodes(child, others);
    return [child];
  });
}
