import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';

import { boxIn, dictIn, numberIn, numbersIn } from './dict-values.ts';
import { decodeHeldText } from './held-text.ts';

const key = (name: string) => PDFName.of(name);
const EMPTY_RECTANGLE = [0, 0, 0, 0];
const FULL_TURN_DEGREES = 360;
const FIELDS = key('Fields');
const KIDS = key('Kids');
const PARENT = key('Parent');
const TYPE = key('FT');
const NAME = key('T');
const RECTANGLE = key('Rect');
const PICTURES = key('AP');
const APPEARANCE = key('DA');
/** `/ 11 Tf`: a size whose font has no name (PDF 1.7, 12.7.3.3). */
const UNNAMED_FONT = /\/[\0\t\n\f\r ]+([\d.]+[\0\t\n\f\r ]+Tf)/;
const NORMAL = key('N');
/**
 * Attributes that pdf-lib reads only from the field, although a form may define them for a group
 * (PDF 1.7, 12.7.3).
 */
const INHERITED_KEYS = ['MaxLen', 'Q', 'DA', 'Opt'].map(key);
/** Attributes that pdf-lib itself inherits. */
const LIBRARY_INHERITED_KEYS = ['FT', 'Ff', 'V'].map(key);
/** Attributes that a form may define for all of its fields. */
const FORM_DEFAULT_KEYS = ['Q', 'DA'].map(key);
const TEXT_KEYS = ['T', 'TU', 'V', 'DV', 'Opt'].map(key);
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf] as const;
/** Maximum bytes of a value that is a stream, as long values may be. */
const MAX_STREAM_TEXT_BYTES = 256 * 1024;
/** Maximum depth of nested fields: deeper than any real form. Deeper fields are ignored. */
const MAX_FIELD_NESTING = 100;

/**
 * Repairs form errors that viewers tolerate but pdf-lib does not: entries that are not fields,
 * fields that only their page lists, inherited attributes, and texts in UTF-8 (PDF 2.0, 7.9.2.2) or
 * in streams. Returns whether the list of fields was faulty.
 */
export function repairForm(document: PDFDocument): boolean {
  const form = document.catalog.lookup(key('AcroForm'));
  if (!(form instanceof PDFDict)) return false;
  const mender = new FormRepairer(document);
  return mender.mend(form);
}

type InheritedEntries = ReadonlyMap<PDFName, PDFObject>;

class FormRepairer {
  readonly #document: PDFDocument;
  readonly #seen = new Set<PDFDict>();
  #isStray = false;

  constructor(document: PDFDocument) {
    this.#document = document;
  }

  mend(form: PDFDict): boolean {
    const { context } = this.#document;
    const listed = form.lookup(FIELDS);
    const fields = listed instanceof PDFArray ? listed : context.obj([]);
    if (fields !== listed) form.set(FIELDS, fields);
    const own = inheritedOf(form, new Map(), FORM_DEFAULT_KEYS);
    this.#isStray = listed !== undefined && fields !== listed;
    if (this.#keepFields(fields, own, 0)) this.#isStray = true;
    for (const ref of this.#unlisted()) {
      const dict = context.lookup(ref);
      if (!(dict instanceof PDFDict) || this.#seen.has(dict)) continue;
      if (!this.#mendField(dict, own, 0)) continue;
      fields.push(ref);
      this.#isStray = true;
    }
    return this.#isStray;
  }

  /** Keeps only references to fields; returns whether anything was removed. */
  #keepFields(list: PDFArray, inherited: InheritedEntries, depth: number): boolean {
    let isCut = false;
    for (let at = list.size() - 1; at >= 0; at -= 1) {
      const dict = list.lookup(at);
      if (!(dict instanceof PDFDict && this.#mendField(dict, inherited, depth))) {
        list.remove(at);
        isCut = true;
      } else if (!(list.get(at) instanceof PDFRef)) {
        list.set(at, this.#document.context.register(dict));
      }
    }
    return isCut;
  }

  /**
   * Repairs a field. Returns false if it is not a field: neither it nor a group defines its type.
   */
  #mendField(dict: PDFDict, inherited: InheritedEntries, depth: number): boolean {
    // Viewers do not show a field that contains itself.
    if (this.#seen.has(dict) || depth > MAX_FIELD_NESTING) return true;
    this.#seen.add(dict);
    for (const name of TEXT_KEYS) decodeEntry(dict, name);
    nameFont(dict);
    const below = inheritedOf(dict, inherited, [...INHERITED_KEYS, TYPE]);
    const kids = dict.lookup(KIDS);
    if (kids instanceof PDFArray && this.#hasFields(dict, kids)) {
      if (this.#keepFields(kids, below, depth + 1)) this.#isStray = true;
      return kids.size() > 0;
    }
    if (!below.has(TYPE)) return false;
    if (kids instanceof PDFArray) this.#keepWidgets(kids, dict);
    else repairWidget(dict);
    for (const [name, value] of below) {
      if (name !== TYPE && !dict.has(name)) dict.set(name, value);
    }
    return true;
  }

  /**
   * Whether a field has fields as kids. Kids with a name are fields, others are widgets of this
   * field; a group without a name is replaced by its kids.
   */
  #hasFields(dict: PDFDict, kids: PDFArray): boolean {
    const { context } = this.#document;
    for (let at = kids.size() - 1; at >= 0; at -= 1) {
      const group = kids.lookup(at);
      if (!(group instanceof PDFDict) || group.has(NAME)) continue;
      const inner = group.lookup(KIDS);
      if (!(inner instanceof PDFArray) || this.#seen.has(group)) continue;
      if (!this.#hasFields(group, inner)) continue;
      this.#seen.add(group);
      const attributes = inheritedOf(group, new Map(), [
        ...INHERITED_KEYS,
        ...LIBRARY_INHERITED_KEYS,
      ]);
      kids.remove(at);
      for (const one of inner.asArray().toReversed()) {
        const field = context.lookup(one);
        if (!(field instanceof PDFDict)) continue;
        for (const [name, value] of attributes) if (!field.has(name)) field.set(name, value);
        const parent = context.getObjectRef(dict);
        if (parent !== undefined) field.set(PARENT, parent);
        kids.insert(at, one);
      }
    }
    return kids.asArray().some((kid) => {
      const field = context.lookup(kid);
      return field instanceof PDFDict && field.has(NAME);
    });
  }

  #keepWidgets(kids: PDFArray, field: PDFDict): void {
    for (let at = kids.size() - 1; at >= 0; at -= 1) {
      const widget = kids.lookup(at);
      if (!(widget instanceof PDFDict)) {
        kids.remove(at);
        continue;
      }
      if (isOfOther(widget, field)) {
        kids.remove(at);
        this.#isStray = true;
        continue;
      }
      this.#seen.add(widget);
      repairWidget(widget);
    }
  }

  /** Yields the topmost fields of the widgets on all pages, listed in the form or not. */
  *#unlisted(): Iterable<PDFRef> {
    const { context } = this.#document;
    for (const page of this.#document.getPages()) {
      const annotations = page.node.Annots();
      for (const [at, held] of (annotations?.asArray() ?? []).entries()) {
        // A widget written directly into the list cannot belong to a field, but can be one.
        const entry = held instanceof PDFDict ? context.register(held) : held;
        if (entry !== held) annotations?.set(at, entry);
        if (!(entry instanceof PDFRef)) continue;
        const dict = context.lookup(entry);
        const isWidget = dict instanceof PDFDict && dict.lookup(key('Subtype')) === key('Widget');
        if (isWidget && !this.#seen.has(dict)) yield topFieldOf(this.#document, entry, dict);
      }
    }
  }
}

/**
 * Whether a widget belongs to another field. Two fields may list the same widget: it shows the
 * value of the field that it names.
 */
function isOfOther(widget: PDFDict, field: PDFDict): boolean {
  const parent = widget.lookup(PARENT);
  const kids = parent instanceof PDFDict && parent !== field ? parent.lookup(KIDS) : undefined;
  return kids instanceof PDFArray && kids.asArray().some((_, at) => kids.lookup(at) === widget);
}

function topFieldOf(document: PDFDocument, ref: PDFRef, dict: PDFDict): PDFRef {
  let [top, at] = [ref, dict];
  for (let depth = 0; depth < MAX_FIELD_NESTING; depth += 1) {
    const parent = at.get(PARENT);
    const above = parent instanceof PDFRef ? document.context.lookup(parent) : undefined;
    if (!(parent instanceof PDFRef) || !(above instanceof PDFDict)) return top;
    [top, at] = [parent, above];
  }
  return top;
}

function inheritedOf(
  dict: PDFDict,
  above: InheritedEntries,
  names: readonly PDFName[],
): InheritedEntries {
  const own = names.flatMap((name) => {
    const value = dict.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return own.length === 0 ? above : new Map([...above, ...own]);
}

/** Repairs a widget: pdf-lib requires a rectangle and, if there are appearances, a normal one. */
function repairWidget(dict: PDFDict): void {
  nameFont(dict);
  repairRectangle(dict);
  repairRotation(dict);
  const pictures = dict.lookup(PICTURES);
  if (pictures === undefined) return;
  const normal = pictures instanceof PDFDict ? pictures.lookup(NORMAL) : undefined;
  if (!(normal instanceof PDFDict || normal instanceof PDFStream)) dict.delete(PICTURES);
}

/** Adds a font name to a size without one, which is valid, but which pdf-lib would ignore. */
function nameFont(dict: PDFDict): void {
  const value = dict.lookup(APPEARANCE);
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return;
  const text = value.decodeText();
  const named = text.replace(UNNAMED_FONT, '/Helv $1');
  if (named !== text) dict.set(APPEARANCE, PDFString.of(named));
}

/**
 * Repairs a rectangle: pdf-lib supports only rectangles of four numbers that begin with the lower
 * left corner.
 */
function repairRectangle(dict: PDFDict): void {
  const held = dict.lookup(RECTANGLE);
  const box = boxIn(dict, 'Rect') ?? EMPTY_RECTANGLE;
  const numbers = numbersIn(dict, 'Rect');
  const isUsual = held instanceof PDFArray && held.size() === box.length;
  if (!isUsual || box.some((number, at) => number !== numbers[at])) {
    dict.set(RECTANGLE, dict.context.obj([...box]));
  }
}

/**
 * Repairs a rotation: pdf-lib supports rotations from 0 to 270 degrees; files also contain -90 and
 * 450.
 */
function repairRotation(dict: PDFDict): void {
  const look = dictIn(dict, 'MK');
  const turn = look === null ? null : numberIn(look, 'R');
  if (look === null || turn === null || (turn >= 0 && turn < FULL_TURN_DEGREES)) return;
  look.set(
    key('R'),
    PDFNumber.of(((turn % FULL_TURN_DEGREES) + FULL_TURN_DEGREES) % FULL_TURN_DEGREES),
  );
}

function decodeEntry(dict: PDFDict, name: PDFName): void {
  const value = dict.lookup(name);
  const text = value instanceof PDFRawStream ? decodeHeldText(value, MAX_STREAM_TEXT_BYTES) : null;
  const decoded = text === null ? decodeUtf8(value) : PDFHexString.fromText(text);
  if (decoded !== null) dict.set(name, decoded);
  else if (value instanceof PDFArray) decodeAllTexts(value, 1);
}

/** Decodes the texts of a list; options are texts, or pairs of texts. */
function decodeAllTexts(list: PDFArray, depth: number): void {
  for (let at = 0; at < list.size(); at += 1) {
    const value = list.lookup(at);
    const decoded = decodeUtf8(value);
    if (decoded !== null) list.set(at, decoded);
    else if (value instanceof PDFArray && depth > 0) decodeAllTexts(value, depth - 1);
  }
}

/** Converts UTF-8 text to UTF-16, which pdf-lib reads; null for any other text. */
function decodeUtf8(value: PDFObject | undefined): PDFHexString | null {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return null;
  const raw = value.asString();
  // Fast path: most texts begin with another byte.
  if (value instanceof PDFString && !/^[\\\u00ef]/.test(raw)) return null;
  if (value instanceof PDFHexString && !/^\s*e\s*f/i.test(raw)) return null;
  const bytes = value.asBytes();
  if (!BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte)) return null;
  return PDFHexString.fromText(new TextDecoder('utf-8').decode(bytes));
}
