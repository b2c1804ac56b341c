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
} from 'pdf-lib';
import type { PdfField, PdfForm, PdfValues } from '../../../../shared/model/pdf-form.ts';
import type { MergedPdf } from '../../../core/templates/ports.ts';
import { type Brush, type FieldPlan, planField } from './field-plan.ts';
import { drawnTexts, needsPictures } from '../fill-field.ts';
import { fieldsByName, type FieldsByName, fitValues, unfilledOf } from '../fit-values.ts';
import { fieldsOf, nameOf } from '../list-fields.ts';
import { type Addition, type FlatTemplate, flatten } from './flat-template.ts';
import { movedPicture, NOTHING, type Picture } from './picture.ts';
import type { FontShelf } from '../fonts/shelf.ts';
import { missingLetter } from '../text/missing-letter.ts';
import { narrowPens, type Pen, Pens } from '../text/pens.ts';

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
  readonly #plans: readonly FieldPlan[];
  readonly #byName: ReadonlyMap<string, readonly number[]>;
  readonly #slots: readonly (Slot | FixedSlot)[];
  readonly #pens: Pens;
  readonly #flatTemplate: FlatTemplate;
  readonly #fields: readonly PdfField[];
  readonly #named: FieldsByName;
  /** What files need beside the shared part, by the pens that they are drawn with. */
  readonly #additions = new Map<string, Addition>();

  private constructor(form: PdfForm, planned: Planned) {
    this.#plans = planned.plans;
    this.#pens = planned.pens;
    this.#slots = planned.slots;
    this.#flatTemplate = planned.flatTemplate;
    const all = [...planned.plans.entries()];
    const named = Map.groupBy(all, ([, { name }]) => name);
    this.#byName = new Map([...named].map(([name, found]) => [name, found.map(([at]) => at)]));
    this.#fields = form.fields;
    this.#named = fieldsByName(form.fields);
  }

  /** The document is used up: it is flattened, and its fields are gone. */
  static async of(document: PDFDocument, form: PdfForm, shelf: FontShelf): Promise<FlatForm> {
    return new FlatForm(form, await plan(document, form, shelf));
  }

  /** Cuts fonts for letters that Helvetica lacks, for all these texts at once. */
  async prepare(texts: Iterable<string>): Promise<void> {
    if (await this.#pens.prepare(texts)) this.#additions.clear();
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
    const used = new Set<Pen>();
    const drawn = this.#plans.map((plan, at) => {
      const { name, isText, face, untouched, missing, pictures } = plan;
      const text = chosen.get(at);
      if (text === undefined) {
        if (missing !== null) throw missingLetter(missing, name);
        return untouched;
      }
      const standard = this.#pens.narrow[face];
      const pen = isText ? this.#penFor(text, plan) : standard;
      if (pen !== standard) used.add(pen);
      return pictures(text, pen);
    });
    if (used.size > 0 && (await this.#pens.write())) this.#additions.clear();
    const ordered = this.#slots.map((slot): Picture => {
      if ('picture' in slot) return slot.picture;
      const { plan: at, widget, isHidden } = slot;
      return isHidden && !chosen.has(at) ? NOTHING : (drawn[at]?.[widget] ?? NOTHING);
    });
    const data = this.#flatTemplate.cast(ordered, this.#addition(used));
    return { data, filled, unfilled: unfilledOf(this.#fields, fitted) };
  }

  *#texts(chosen: ReadonlyMap<number, string>): Iterable<string> {
    for (const [at, text] of chosen) if (this.#plans[at]?.isText === true) yield text;
  }

  #addition(pens: ReadonlySet<Pen>): Addition | null {
    if (pens.size === 0) return null;
    const key = [...pens].map(({ resources }) => resources).join(' ');
    const addition =
      this.#additions.get(key) ?? this.#flatTemplate.addition(this.#pens.rootsOf(pens));
    this.#additions.set(key, addition);
    return addition;
  }

  #penFor(text: string, { name, face }: FieldPlan): Pen {
    const pen = this.#pens.penFor(text, face);
    if (pen === null) throw missingLetter(this.#pens.missing(text) ?? '', name);
    return pen;
  }
}

interface Planned {
  readonly plans: readonly FieldPlan[];
  readonly slots: readonly (Slot | FixedSlot)[];
  readonly pens: Pens;
  readonly flatTemplate: FlatTemplate;
}

async function plan(
  document: PDFDocument,
  { fields: described }: PdfForm,
  shelf: FontShelf,
): Promise<Planned> {
  const { context } = document;
  const fields = fieldsOf(document);
  // What the form itself holds or offers is drawn once, and those fonts are in every file.
  const narrow = await narrowPens(document, fields);
  const held = new Pens(document, narrow, shelf);
  await held.prepare(fields.flatMap((field) => drawnTexts(field)));
  const usedPens = new Set<Pen>(Object.values(narrow));
  const brush: Brush = {
    narrow: narrow.sans,
    isAsked: needsPictures(document),
    penFor(text, face) {
      const pen = held.penFor(text, face);
      if (pen !== null) usedPens.add(pen);
      return pen;
    },
    missing: (text) => held.missing(text),
  };
  const byName = new Map(described.map((field) => [field.name, field]));
  const kept = fields.flatMap(({ acroField }) =>
    acroField.getWidgets().flatMap(({ dict }) => picturesHeld(dict)),
  );
  const plans = fields.map((field) => planField(field, byName.get(nameOf(field)) ?? null, brush));
  await held.write();
  const { slots, others } = takeOut(document, fields);
  const flatTemplate = flatten({
    context,
    roots: [...held.rootsOf(usedPens), ...[...kept, ...others.flatMap(picturesHeld)]],
    without: ownObjects(fields),
    holes: slots.map(({ ref }) => ref),
  });
  return { plans, slots, pens: new Pens(document, narrow, shelf), flatTemplate };
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
