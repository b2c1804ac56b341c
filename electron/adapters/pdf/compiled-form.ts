import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  type PDFField,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRef,
  PDFStream,
  StandardFonts,
} from 'pdf-lib';
import type { PdfForm, PdfValues } from '../../../shared/contract/pdf-form.ts';
import type { MergedPdf } from '../../core/template-ports.ts';
import { type FieldPlan, type Pen, planField } from './field-plan.ts';
import { drawnTexts, refusal } from './fill-field.ts';
import { fieldsOf } from './list-fields.ts';
import { type Addition, type Mould, mouldFile } from './mould.ts';
import { NOTHING, type Picture } from './picture.ts';
import { createNarrowRuler, type Ruler } from './ruler.ts';
import { FONT } from './text-frame.ts';
import { embedWide, lackingLetter } from './wide-font.ts';

/** Annotation flags: not to be shown, and not to be shown on a screen. */
const HIDDEN = 2;
const NO_VIEW = 32;

/** A widget that is drawn: its object in every merged file, and whose picture goes there. */
interface Slot {
  readonly ref: PDFRef;
  readonly plan: number;
  readonly widget: number;
  /** The form hides it; it is drawn only where somebody fills it on purpose. */
  readonly isHidden: boolean;
}

/** A form that was parsed and flattened once; each fill writes only the pictures of its fields. */
export class FlatForm {
  readonly #document: PDFDocument;
  readonly #plans: readonly FieldPlan[];
  readonly #byName: ReadonlyMap<string, readonly number[]>;
  readonly #slots: readonly Slot[];
  readonly #narrow: Pen;
  readonly #mould: Mould;
  /** Fields a person could fill that hold nothing. */
  readonly #open: readonly string[];
  readonly #letters = new Set<string>();
  #wide: { readonly pen: Pen; readonly addition: Addition } | null = null;

  private constructor(document: PDFDocument, form: PdfForm, planned: Planned) {
    this.#document = document;
    this.#plans = planned.plans;
    this.#narrow = planned.narrow;
    this.#slots = planned.slots;
    this.#mould = planned.mould;
    const all = [...planned.plans.entries()];
    const named = Map.groupBy(all, ([, { name }]) => name);
    this.#byName = new Map([...named].map(([name, found]) => [name, found.map(([at]) => at)]));
    this.#open = form.fields
      .filter(
        ({ type, value, readOnly }) =>
          !readOnly && type !== 'signature' && type !== 'button' && value === '',
      )
      .map(({ name }) => name);
  }

  /** The document is used up: it is flattened, and its fields are gone. */
  static async of(document: PDFDocument, form: PdfForm): Promise<FlatForm> {
    return new FlatForm(document, form, await plan(document));
  }

  /** Cuts the font for letters that Helvetica lacks, for all these texts at once. */
  async prepare(texts: Iterable<string>): Promise<void> {
    const lacking = new Set<string>();
    for (const text of texts) this.#collect(text.normalize('NFC'), lacking);
    if (lacking.size > 0) await this.#widen(lacking);
  }

  async fill(values: PdfValues): Promise<MergedPdf> {
    const chosen = new Map<number, string>();
    let filled = 0;
    for (const [name, value] of Object.entries(values)) {
      const plans = this.#byName.get(name);
      if (plans === undefined) {
        throw refusal(name, 'pdf-no-such-field', 'The form has no such field');
      }
      const text = typeof value === 'string' ? value.normalize('NFC') : String(value);
      for (const at of plans) chosen.set(at, text);
      if (text !== '') filled += 1;
    }
    await this.prepare(this.#texts(chosen));
    let isWide = false;
    const drawn = this.#plans.map(({ name, isText, untouched, pictures }, at) => {
      const text = chosen.get(at);
      if (text === undefined) return untouched;
      const pen = isText ? this.#penFor(text, name) : this.#narrow;
      isWide ||= pen !== this.#narrow;
      return pictures(text, pen);
    });
    const ordered = this.#slots.map(({ plan: at, widget, isHidden }): Picture => {
      return isHidden && !chosen.has(at) ? NOTHING : (drawn[at]?.[widget] ?? NOTHING);
    });
    const data = this.#mould.cast(ordered, isWide ? (this.#wide?.addition ?? null) : null);
    return { data, filled, unfilled: this.#open.filter((name) => !values[name]) };
  }

  *#texts(chosen: ReadonlyMap<number, string>): Iterable<string> {
    for (const [at, text] of chosen) if (this.#plans[at]?.isText === true) yield text;
  }

  /** Letters neither font has been cut for yet. */
  #collect(text: string, into: Set<string>): void {
    const { ruler } = this.#narrow;
    if (ruler.lacking(text) === undefined) return;
    for (const letter of text) if (!this.#letters.has(letter)) into.add(letter);
  }

  async #widen(letters: Iterable<string>): Promise<void> {
    for (const letter of letters) this.#letters.add(letter);
    const ruler = await embedWide(this.#document, this.#letters);
    const pen = penOf(this.#document, ruler);
    const resources = this.#document.context.lookup(pen.ref);
    const roots = [pen.ref, ...(resources === undefined ? [] : [resources])];
    this.#wide = { pen: pen.pen, addition: this.#mould.addition(roots) };
  }

  #penFor(text: string, field: string): Pen {
    if (this.#narrow.ruler.lacking(text) === undefined) return this.#narrow;
    const wide = this.#wide?.pen;
    const lacking = (wide ?? this.#narrow).ruler.lacking(text);
    if (wide === undefined || lacking !== undefined) throw lackingLetter(lacking ?? '', field);
    return wide;
  }
}

interface Planned {
  readonly plans: readonly FieldPlan[];
  readonly slots: readonly Slot[];
  readonly narrow: Pen;
  readonly mould: Mould;
}

async function plan(document: PDFDocument): Promise<Planned> {
  const { context } = document;
  const helvetica = await document.embedFont(StandardFonts.Helvetica);
  await helvetica.embed();
  const narrow = penOf(document, createNarrowRuler(helvetica));
  const fields = fieldsOf(document);
  const held = await wideForHeld(document, fields, narrow.pen.ruler);
  const penFor = (text: string) =>
    held === null || narrow.pen.ruler.lacking(text) === undefined ? narrow.pen : held.pen;
  const kept = fields.flatMap(picturesHeld);
  const plans = fields.map((field) => planField(field, penFor));
  const slots = takeOut(document, fields);
  const mould = mouldFile({
    context,
    roots: [narrow.ref, ...(held === null ? [] : [held.ref]), ...kept],
    without: ownObjects(fields),
    holes: slots.map(({ ref }) => ref),
  });
  return { plans, slots, narrow: narrow.pen, mould };
}

function penOf(document: PDFDocument, ruler: Ruler): { readonly pen: Pen; readonly ref: PDFRef } {
  const { context } = document;
  const ref = context.register(
    context.obj({ Font: { [FONT]: ruler.font.ref, [ruler.font.name]: ruler.font.ref } }),
  );
  return { pen: { ruler, resources: ref.toString() }, ref };
}

/** A font for what the form itself holds or offers in letters that Helvetica lacks. */
async function wideForHeld(
  document: PDFDocument,
  fields: readonly PDFField[],
  narrow: Ruler,
): Promise<{ readonly pen: Pen; readonly ref: PDFRef } | null> {
  const texts = fields.flatMap((field) =>
    drawnTexts(field).map((text) => ({ text, name: field.getName() })),
  );
  const lacking = texts.filter(({ text }) => narrow.lacking(text) !== undefined);
  if (lacking.length === 0) return null;
  const ruler = await embedWide(
    document,
    lacking.flatMap(({ text }) => [...text]),
  );
  for (const { text, name } of lacking) {
    const letter = ruler.lacking(text);
    if (letter !== undefined) throw lackingLetter(letter, name);
  }
  return penOf(document, ruler);
}

/** What the pictures that the form brings along are drawn with. */
function picturesHeld(field: PDFField): PDFObject[] {
  return field.acroField.getWidgets().flatMap((widget) => {
    const normal = widget.dict.lookup(PDFName.of('AP'));
    const pictures = normal instanceof PDFDict ? normal.lookup(PDFName.of('N')) : undefined;
    const states = pictures instanceof PDFDict ? pictures.values() : [pictures];
    return states.flatMap((state) => {
      const stream = state instanceof PDFRef ? widget.dict.context.lookup(state) : state;
      return stream instanceof PDFStream ? stream.dict.values() : [];
    });
  });
}

/** Every field's own objects, which no flat file holds. */
function ownObjects(fields: readonly PDFField[]): ReadonlySet<PDFRef> {
  const refs = new Set<PDFRef>();
  for (const { ref, acroField } of fields) {
    refs.add(ref);
    const kids = acroField.dict.lookup(PDFName.of('Kids'));
    if (!(kids instanceof PDFArray)) continue;
    for (const kid of kids.asArray()) if (kid instanceof PDFRef) refs.add(kid);
  }
  return refs;
}

/** Takes the form out of the document, and draws in its place what each slot will hold. */
function takeOut(document: PDFDocument, fields: readonly PDFField[]): readonly Slot[] {
  const { context } = document;
  const pages = new Map<PDFDict, number>();
  for (const [at, { node }] of document.getPages().entries()) {
    const annotations = node.Annots();
    for (let place = (annotations?.size() ?? 0) - 1; place >= 0; place -= 1) {
      const one = annotations?.lookup(place);
      if (!(one instanceof PDFDict) || !isWidget(one)) continue;
      pages.set(one, at);
      annotations?.remove(place);
    }
  }
  const drawing = document.getPages().map((): string[] => []);
  const slots: Slot[] = [];
  for (const [planned, field] of fields.entries()) {
    for (const [widget, { dict }] of field.acroField.getWidgets().entries()) {
      const page = pages.get(dict);
      if (page === undefined) continue;
      const ref = context.nextRef();
      const name = `Field${slots.length + 1}`;
      slots.push({ ref, plan: planned, widget, isHidden: !isShown(dict) });
      document.getPage(page).node.setXObject(PDFName.of(name), ref);
      drawing[page]?.push(`/${name} Do`);
    }
  }
  for (const [at, lines] of drawing.entries()) {
    if (lines.length === 0) continue;
    const { node } = document.getPage(at);
    node.normalize();
    node.addContentStream(context.register(context.flateStream(lines.join('\n'))));
  }
  document.catalog.delete(PDFName.of('AcroForm'));
  // Adobe's usage rights cover the bytes as they were, and would be called broken.
  document.catalog.delete(PDFName.of('Perms'));
  return slots;
}

/** Whether a viewer shows the widget on its page (PDF 1.7, 12.5.3). */
function isShown(widget: PDFDict): boolean {
  const flags = widget.lookupMaybe(PDFName.of('F'), PDFNumber)?.asNumber() ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) === 0;
}

function isWidget(annotation: PDFDict): boolean {
  return annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Widget');
}
