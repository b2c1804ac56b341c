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
import type { PdfField, PdfForm, PdfValues } from '../../../shared/model/pdf-form.ts';
import type { MergedPdf } from '../../core/templates/ports.ts';
import { type Brush, type FieldPlan, type Pen, planField } from './field-plan.ts';
import { drawnTexts, needsPictures } from './fill-field.ts';
import { fieldsByName, type FieldsByName, fitValues, unfilledOf } from './fit-values.ts';
import { fieldsOf, nameOf } from './list-fields.ts';
import { type Addition, type FlatTemplate, flatten } from './flat-template.ts';
import { movedPicture, NOTHING, type Picture } from './picture.ts';
import { createNarrowMeasure, type TextMeasure } from './text-width.ts';
import { FONT } from './text-frame.ts';
import { embedWide, missingLetter } from './wide-font.ts';

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

/** A widget of no field that can be told: it keeps its picture. */
interface FixedSlot {
  readonly ref: PDFRef;
  readonly picture: Picture;
}

/** A form that was parsed and flattened once; each fill writes only the pictures of its fields. */
export class FlatForm {
  readonly #document: PDFDocument;
  readonly #plans: readonly FieldPlan[];
  readonly #byName: ReadonlyMap<string, readonly number[]>;
  readonly #slots: readonly (Slot | FixedSlot)[];
  readonly #narrow: Pen;
  readonly #flatTemplate: FlatTemplate;
  readonly #fields: readonly PdfField[];
  readonly #named: FieldsByName;
  readonly #letters = new Set<string>();
  #wide: { readonly pen: Pen; readonly addition: Addition } | null = null;

  private constructor(document: PDFDocument, form: PdfForm, planned: Planned) {
    this.#document = document;
    this.#plans = planned.plans;
    this.#narrow = planned.narrow;
    this.#slots = planned.slots;
    this.#flatTemplate = planned.flatTemplate;
    const all = [...planned.plans.entries()];
    const named = Map.groupBy(all, ([, { name }]) => name);
    this.#byName = new Map([...named].map(([name, found]) => [name, found.map(([at]) => at)]));
    this.#fields = form.fields;
    this.#named = fieldsByName(form.fields);
  }

  /** The document is used up: it is flattened, and its fields are gone. */
  static async of(document: PDFDocument, form: PdfForm): Promise<FlatForm> {
    return new FlatForm(document, form, await plan(document, form));
  }

  /** Cuts the font for letters that Helvetica lacks, for all these texts at once. */
  async prepare(texts: Iterable<string>): Promise<void> {
    const missing = new Set<string>();
    for (const text of texts) this.#collect(text.normalize('NFC'), missing);
    if (missing.size > 0) await this.#widen(missing);
  }

  async fill(values: PdfValues): Promise<MergedPdf> {
    const fitted = fitValues(this.#named, values);
    const chosen = new Map<number, string>();
    let filled = 0;
    for (const [name, value] of fitted) {
      for (const at of this.#byName.get(name) ?? []) chosen.set(at, String(value));
      if (value !== '') filled += 1;
    }
    await this.prepare(this.#texts(chosen));
    let isWide = false;
    const drawn = this.#plans.map(({ name, isText, untouched, missing, pictures }, at) => {
      const text = chosen.get(at);
      if (text === undefined) {
        if (missing !== null) throw missingLetter(missing, name);
        return untouched;
      }
      const pen = isText ? this.#penFor(text, name) : this.#narrow;
      isWide ||= pen !== this.#narrow;
      return pictures(text, pen);
    });
    const ordered = this.#slots.map((slot): Picture => {
      if ('picture' in slot) return slot.picture;
      const { plan: at, widget, isHidden } = slot;
      return isHidden && !chosen.has(at) ? NOTHING : (drawn[at]?.[widget] ?? NOTHING);
    });
    const data = this.#flatTemplate.cast(ordered, isWide ? (this.#wide?.addition ?? null) : null);
    return { data, filled, unfilled: unfilledOf(this.#fields, fitted) };
  }

  *#texts(chosen: ReadonlyMap<number, string>): Iterable<string> {
    for (const [at, text] of chosen) if (this.#plans[at]?.isText === true) yield text;
  }

  /** Letters neither font has been cut for yet. */
  #collect(text: string, into: Set<string>): void {
    const { measure } = this.#narrow;
    if (measure.missing(text) === undefined) return;
    for (const letter of text) if (!this.#letters.has(letter)) into.add(letter);
  }

  async #widen(letters: Iterable<string>): Promise<void> {
    for (const letter of letters) this.#letters.add(letter);
    const measure = await embedWide(this.#document, this.#letters);
    const pen = penOf(this.#document, measure);
    const resources = this.#document.context.lookup(pen.ref);
    const roots = [pen.ref, ...(resources === undefined ? [] : [resources])];
    this.#wide = { pen: pen.pen, addition: this.#flatTemplate.addition(roots) };
  }

  #penFor(text: string, field: string): Pen {
    if (this.#narrow.measure.missing(text) === undefined) return this.#narrow;
    const wide = this.#wide?.pen;
    const missing = (wide ?? this.#narrow).measure.missing(text);
    if (wide === undefined || missing !== undefined) throw missingLetter(missing ?? '', field);
    return wide;
  }
}

interface Planned {
  readonly plans: readonly FieldPlan[];
  readonly slots: readonly (Slot | FixedSlot)[];
  readonly narrow: Pen;
  readonly flatTemplate: FlatTemplate;
}

async function plan(document: PDFDocument, { fields: described }: PdfForm): Promise<Planned> {
  const { context } = document;
  const helvetica = await document.embedFont(StandardFonts.Helvetica);
  await helvetica.embed();
  const narrow = penOf(document, createNarrowMeasure(helvetica));
  const fields = fieldsOf(document);
  const held = await wideForHeld(document, fields, narrow.pen.measure);
  const measures = [narrow.pen.measure, ...(held === null ? [] : [held.pen.measure])];
  const brush: Brush = {
    narrow: narrow.pen,
    isAsked: needsPictures(document),
    penFor(text) {
      if (narrow.pen.measure.missing(text) === undefined) return narrow.pen;
      return held === null || held.pen.measure.missing(text) !== undefined ? null : held.pen;
    },
    missing: (text) => measures.at(-1)?.missing(text) ?? null,
  };
  const byName = new Map(described.map((field) => [field.name, field]));
  const kept = fields.flatMap(({ acroField }) =>
    acroField.getWidgets().flatMap(({ dict }) => picturesHeld(dict)),
  );
  const plans = fields.map((field) => planField(field, byName.get(nameOf(field)) ?? null, brush));
  const { slots, others } = takeOut(document, fields);
  const flatTemplate = flatten({
    context,
    roots: [
      ...[narrow.ref, ...(held === null ? [] : [held.ref])],
      ...[...kept, ...others.flatMap(picturesHeld)],
    ],
    without: ownObjects(fields),
    holes: slots.map(({ ref }) => ref),
  });
  return { plans, slots, narrow: narrow.pen, flatTemplate };
}

function penOf(
  document: PDFDocument,
  measure: TextMeasure,
): { readonly pen: Pen; readonly ref: PDFRef } {
  const { context } = document;
  const ref = context.register(
    context.obj({ Font: { [FONT]: measure.font.ref, [measure.font.name]: measure.font.ref } }),
  );
  return { pen: { measure, resources: ref.toString() }, ref };
}

/** A font for what the form itself holds or offers in letters that Helvetica lacks. */
async function wideForHeld(
  document: PDFDocument,
  fields: readonly PDFField[],
  narrow: TextMeasure,
): Promise<{ readonly pen: Pen; readonly ref: PDFRef } | null> {
  const texts = fields.flatMap((field) => drawnTexts(field));
  const missing = texts.filter((text) => narrow.missing(text) !== undefined);
  if (missing.length === 0) return null;
  const measure = await embedWide(
    document,
    missing.flatMap((text) => [...text]),
  );
  return penOf(document, measure);
}

/** What the pictures that the form brings along are drawn with. */
function picturesHeld(widget: PDFDict): PDFObject[] {
  const normal = widget.lookup(PDFName.of('AP'));
  const pictures = normal instanceof PDFDict ? normal.lookup(PDFName.of('N')) : undefined;
  const states = pictures instanceof PDFDict ? pictures.values() : [pictures];
  return states.flatMap((state) => {
    const stream = state instanceof PDFRef ? widget.context.lookup(state) : state;
    return stream instanceof PDFStream ? stream.dict.values() : [];
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

interface TakenOut {
  readonly slots: readonly (Slot | FixedSlot)[];
  /** Widgets of no field that can be told. */
  readonly others: readonly PDFDict[];
}

/** Takes the form out of the document, and draws in its place what each slot will hold. */
function takeOut(document: PDFDocument, fields: readonly PDFField[]): TakenOut {
  const { context } = document;
  const pages = takeWidgets(document);
  const drawing = document.getPages().map((): string[] => []);
  const slots: (Slot | FixedSlot)[] = [];
  /** A picture is drawn on every page that lists its widget, each time by an object of its own. */
  const place = (widget: PDFDict, slot: (ref: PDFRef) => Slot | FixedSlot): void => {
    for (const page of pages.get(widget) ?? []) {
      const name = `Field${slots.length + 1}`;
      const ref = context.nextRef();
      slots.push(slot(ref));
      document.getPage(page).node.setXObject(PDFName.of(name), ref);
      drawing[page]?.push(`/${name} Do`);
    }
  };
  const known = new Set<PDFDict>();
  for (const [planned, field] of fields.entries()) {
    for (const [widget, { dict }] of field.acroField.getWidgets().entries()) {
      known.add(dict);
      place(dict, (ref) => ({ ref, plan: planned, widget, isHidden: !isShown(dict) }));
    }
  }
  const others = [...pages.keys()].filter((dict) => !known.has(dict) && isShown(dict));
  for (const dict of others) {
    const picture = pictureHeld(dict);
    place(dict, (ref) => ({ ref, picture }));
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
  return { slots, others };
}

/** Takes the widgets off their pages; two pages may list the same one. */
function takeWidgets(document: PDFDocument): ReadonlyMap<PDFDict, ReadonlySet<number>> {
  const pages = new Map<PDFDict, Set<number>>();
  for (const [at, { node }] of document.getPages().entries()) {
    const annotations = node.Annots();
    if (annotations === undefined) continue;
    const left = PDFArray.withContext(document.context);
    for (const entry of annotations.asArray()) {
      const one = document.context.lookup(entry);
      if (!(one instanceof PDFDict) || !isWidget(one)) {
        left.push(entry);
        continue;
      }
      const known = pages.get(one);
      if (known === undefined) pages.set(one, new Set([at]));
      else known.add(at);
    }
    node.set(PDFName.of('Annots'), left);
  }
  return pages;
}

/** What a widget shows that belongs to no field; a state of it where it has several. */
function pictureHeld(widget: PDFDict): Picture {
  const pictures = widget.lookup(PDFName.of('AP'));
  const normal = pictures instanceof PDFDict ? pictures.lookup(PDFName.of('N')) : undefined;
  const state = widget.lookup(PDFName.of('AS'));
  const isChosen = normal instanceof PDFDict && state instanceof PDFName;
  const shown = isChosen ? normal.lookup(state) : normal;
  return shown instanceof PDFStream ? movedPicture(shown, widget) : NOTHING;
}

/** Whether a viewer shows the widget on its page (PDF 1.7, 12.5.3). */
function isShown(widget: PDFDict): boolean {
  const flags = widget.lookupMaybe(PDFName.of('F'), PDFNumber)?.asNumber() ?? 0;
  return (flags & (HIDDEN | NO_VIEW)) === 0;
}

function isWidget(annotation: PDFDict): boolean {
  return annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Widget');
}
