import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  type PDFField,
  PDFName,
  type PDFObject,
  type PDFPage,
  PDFRef,
  PDFStream,
} from 'pdf-lib';
import type { PdfField, PdfForm, PdfValues } from '../../../../shared/model/pdf-form.ts';
import type { TextFit } from '../../../../shared/errors.ts';
import { fitValue } from '../../../../shared/rules/forms/field-values.ts';
import type { FieldText } from '../../../core/ports.ts';
import type { MergedPdf } from '../../../core/templates/ports.ts';
import { type FieldPainter, type FieldPlan, planField } from './field-plan.ts';
import { drawnTexts, needsPictures } from '../fill-field.ts';
import { fieldsByName, type FieldsByName, fitValues, unfilledFieldNames } from '../fit-values.ts';
import { fieldsOf, nameOf } from '../list-fields.ts';
import { type TemplateAddition, type FlatTemplate, flattenObjects } from './flat-template.ts';
import { drawBehind, addPageResource } from './page-content.ts';
import { type Box, boxIn, numberIn } from '../dict-values.ts';
import { positionedPicture, EMPTY_PICTURE, type Picture } from './picture.ts';
import type { FontRegistry } from '../fonts/font-registry.ts';
import { toPdfNumber } from '../text/text-frame.ts';
import { missingLetter } from '../text/missing-letter.ts';
import { rejectCutTexts, textFit } from '../text/text-fit.ts';
import { narrowPens, type Pen, FontFallback } from '../text/font-fallback.ts';

/** Annotation flags of a hidden annotation, and of one that is not shown on a screen. */
const HIDDEN = 2;
const NO_VIEW = 32;
/** Annotation flag: the annotation stays upright on a rotated page. */
const NO_ROTATE = 16;
const LAYER = PDFName.of('OC');

/**
 * A drawn widget: its object in every merged file, and the indexes of its plan and of its widget in
 * that plan.
 */
interface WidgetSlot {
  readonly ref: PDFRef;
  readonly plan: number;
  readonly widget: number;
  /** Whether the form hides the widget; it is then drawn only if a value is given for it. */
  readonly isHidden: boolean;
}

/** A widget that belongs to no recognizable field: it keeps its appearance. */
interface FixedWidgetSlot {
  readonly ref: PDFRef;
  readonly picture: Picture;
}

/**
 * A form that is parsed and flattened once; each fill writes only the appearances of its fields.
 */
export class FlatForm {
  readonly #plans: readonly FieldPlan[];
  readonly #byName: ReadonlyMap<string, readonly number[]>;
  readonly #slots: readonly (WidgetSlot | FixedWidgetSlot)[];
  readonly #pens: FontFallback;
  readonly #flatTemplate: FlatTemplate;
  readonly #fields: readonly PdfField[];
  readonly #named: FieldsByName;
  /** Objects that files need besides the shared part, by the pens that draw them. */
  readonly #additions = new Map<string, TemplateAddition>();

  private constructor(form: PdfForm, planned: FormPlan) {
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

  /** Compiles a form. Consumes the document: it is flattened, and its fields are removed. */
  static async of(document: PDFDocument, form: PdfForm, shelf: FontRegistry): Promise<FlatForm> {
    return new FlatForm(form, await plan(document, form, shelf));
  }

  /** Cuts fonts for characters that Helvetica lacks, for all these texts together. */
  async prepare(texts: Iterable<string>): Promise<void> {
    if (await this.#pens.prepare(texts)) this.#additions.clear();
  }

  async fill(values: PdfValues): Promise<MergedPdf> {
    const fitted = fitValues(this.#named, values);
    const chosen = new Map<number, string>();
    let filled = 0;
    for (const [name, value] of fitted) {
      for (const at of this.#byName.get(name) ?? []) {
        chosen.set(at, this.#plans[at]?.shown(String(value)) ?? '');
      }
      if (value !== '') filled += 1;
    }
    await this.prepare(this.#texts(chosen));
    const { narrow } = this.#pens;
    const shared = new Set<Pen>(Object.values(narrow));
    const used = new Set<Pen>();
    const fits: TextFit[] = [];
    const drawn = this.#plans.map((plan, at) => {
      const { name, isText, untouched, missing, pictures } = plan;
      const text = chosen.get(at);
      if (text === undefined) {
        if (missing !== null) throw missingLetter(missing, name);
        return untouched;
      }
      const pen = isText ? this.#penFor(text, plan) : narrow.sans;
      if (!shared.has(pen)) used.add(pen);
      return pictures(text, pen, (found) => fits.push(...[textFit(name, found)].filter(isFit)));
    });
    rejectCutTexts(fits);
    if (used.size > 0 && (await this.#pens.write())) this.#additions.clear();
    const ordered = this.#slots.map((slot): Picture => {
      if ('picture' in slot) return slot.picture;
      const { plan: at, widget, isHidden } = slot;
      return isHidden && !chosen.has(at) ? EMPTY_PICTURE : (drawn[at]?.[widget] ?? EMPTY_PICTURE);
    });
    const data = this.#flatTemplate.cast(ordered, this.#addition(used));
    return { data, filled, unfilled: unfilledFieldNames(this.#fields, fitted) };
  }

  /** Returns how each value fits its boxes; null if it fits, or is refused for another reason. */
  async textFits(values: readonly FieldText[]): Promise<readonly (TextFit | null)[]> {
    const shown = values.map(({ field: name, text }) => {
      const field = this.#named.get(name);
      const { value } = fitValue(field, text);
      if (field === undefined || value === null || value === '') return [];
      return (this.#byName.get(field.name) ?? []).flatMap((at) => {
        const plan = this.#plans[at];
        return plan?.isText === true ? [{ plan, text: plan.shown(String(value)) }] : [];
      });
    });
    await this.prepare(shown.flat().map(({ text }) => text));
    return shown.map((places, at) => {
      const fits = places.flatMap(({ plan, text }) => {
        const pen = this.#pens.penFor(text, plan.face);
        return pen === null ? [] : plan.fits(text, pen);
      });
      return textFit(values[at]?.field ?? '', fits);
    });
  }

  *#texts(chosen: ReadonlyMap<number, string>): Iterable<string> {
    for (const [at, text] of chosen) if (this.#plans[at]?.isText === true) yield text;
  }

  #addition(pens: ReadonlySet<Pen>): TemplateAddition | null {
    if (pens.size === 0) return null;
    const key = [...pens].map(({ resources }) => resources).join(' ');
    const addition =
      this.#additions.get(key) ?? this.#flatTemplate.addition(this.#pens.rootsOf(pens));
    this.#additions.set(key, addition);
    return addition;
  }

  #penFor(text: string, { name, face }: FieldPlan): Pen {
    const pen = this.#pens.penFor(text, face);
    if (pen === null) throw missingLetter(this.#pens.missing(text, face) ?? '', name);
    return pen;
  }
}

const isFit = (fit: TextFit | null): fit is TextFit => fit !== null;

interface FormPlan {
  readonly plans: readonly FieldPlan[];
  readonly slots: readonly (WidgetSlot | FixedWidgetSlot)[];
  readonly pens: FontFallback;
  readonly flatTemplate: FlatTemplate;
}

async function plan(
  document: PDFDocument,
  { fields: described }: PdfForm,
  shelf: FontRegistry,
): Promise<FormPlan> {
  const { context } = document;
  const fields = fieldsOf(document);
  // The form's own values and options are drawn once, and their fonts are in every file.
  const narrow = await narrowPens(document, fields);
  const held = new FontFallback(document, narrow, shelf);
  await held.prepare(fields.flatMap((field) => drawnTexts(field)));
  const usedPens = new Set<Pen>(Object.values(narrow));
  const brush: FieldPainter = {
    narrow: narrow.sans,
    isAsked: needsPictures(document),
    penFor(text, face) {
      const pen = held.penFor(text, face);
      if (pen !== null) usedPens.add(pen);
      return pen;
    },
    missing: (text, face) => held.missing(text, face),
  };
  const byName = new Map(described.map((field) => [field.name, field]));
  const kept = fields.flatMap(({ acroField }) =>
    acroField.getWidgets().flatMap(({ dict }) => pictureObjectsIn(dict)),
  );
  const plans = fields.map((field) => planField(field, byName.get(nameOf(field)) ?? null, brush));
  await held.write();
  const { slots, others } = removeWidgets(document, fields);
  const flatTemplate = flattenObjects({
    context,
    roots: [...held.rootsOf(usedPens), ...[...kept, ...others.flatMap(pictureObjectsIn)]],
    without: fieldObjects(fields),
    holes: slots.map(({ ref }) => ref),
  });
  return { plans, slots, pens: new FontFallback(document, narrow, shelf), flatTemplate };
}

/** Returns the resources of the form's own appearances. */
function pictureObjectsIn(widget: PDFDict): PDFObject[] {
  const normal = widget.lookup(PDFName.of('AP'));
  const pictures = normal instanceof PDFDict ? normal.lookup(PDFName.of('N')) : undefined;
  const states = pictures instanceof PDFDict ? pictures.values() : [pictures];
  return states.flatMap((state) => {
    const stream = state instanceof PDFRef ? widget.context.lookup(state) : state;
    return stream instanceof PDFStream ? stream.dict.values() : [];
  });
}

/** Returns the fields' own objects, which flat files do not contain. */
function fieldObjects(fields: readonly PDFField[]): ReadonlySet<PDFRef> {
  const refs = new Set<PDFRef>();
  for (const { ref, acroField } of fields) {
    refs.add(ref);
    const kids = acroField.dict.lookup(PDFName.of('Kids'));
    if (!(kids instanceof PDFArray)) continue;
    for (const kid of kids.asArray()) if (kid instanceof PDFRef) refs.add(kid);
  }
  return refs;
}

interface RemovedWidgets {
  readonly slots: readonly (WidgetSlot | FixedWidgetSlot)[];
  /** Widgets of no recognizable field, and annotations below widgets. */
  readonly others: readonly PDFDict[];
}

/**
 * Removes the form from the document, and draws the content of each slot at the position of its
 * widget.
 */
function removeWidgets(document: PDFDocument, fields: readonly PDFField[]): RemovedWidgets {
  const { context } = document;
  const pages = removeListedWidgets(document);
  const drawing = document.getPages().map((): { at: number; operators: string }[] => []);
  const slots: (WidgetSlot | FixedWidgetSlot)[] = [];
  /** Draws an appearance on every page that lists its widget, each time by a separate object. */
  const place = (widget: PDFDict, slot: (ref: PDFRef) => WidgetSlot | FixedWidgetSlot): void => {
    for (const { page, at } of pages.get(widget) ?? []) {
      const ref = context.nextRef();
      slots.push(slot(ref));
      const shown = document.getPage(page);
      // Some appearances leave a path open, which MuPDF continues in the next appearance.
      const drawn = `${addPageResource(shown, 'XObject', `Field${slots.length}`, ref)} Do n`;
      const operators = wrapInLayer(widget, shown, rotateUpright(widget, shown, drawn));
      drawing[page]?.push({ at, operators });
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
    const picture = pictureOfWidget(dict);
    place(dict, (ref) => ({ ref, picture }));
  }
  for (const [page, drawn] of drawing.entries()) {
    // Later entries of a page's list are drawn on top of earlier ones.
    const ordered = drawn.toSorted((a, b) => a.at - b.at).map(({ operators }) => operators);
    if (ordered.length > 0) drawBehind(document.getPage(page), ordered.join('\n'));
  }
  document.catalog.delete(PDFName.of('AcroForm'));
  // Adobe's usage rights cover the original bytes; viewers would report them as broken.
  document.catalog.delete(PDFName.of('Perms'));
  return { slots, others };
}

/**
 * Rotates an appearance back around its upper left corner, if it must not turn with its page (PDF
 * 1.7, 12.5.3).
 */
function rotateUpright(widget: PDFDict, page: PDFPage, drawn: string): string {
  const [left, , , top] = boxIn(widget, 'Rect') ?? [];
  const quarters = (((page.getRotation().angle / 90) % 4) + 4) % 4;
  const isTurned = (flagsOf(widget) & NO_ROTATE) !== 0 && quarters !== 0;
  if (!isTurned || left === undefined || top === undefined) return drawn;
  const angle = (quarters * Math.PI) / 2;
  const cos = Math.round(Math.cos(angle));
  const sin = Math.round(Math.sin(angle));
  const [x, y] = [left - (left * cos - top * sin), top - (left * sin + top * cos)];
  return `q ${[cos, sin, -sin, cos, x, y].map(toPdfNumber).join(' ')} cm ${drawn} Q`;
}

/**
 * Puts content into its layer, so that viewers show it only with that layer (PDF 1.7, 8.11.3.3).
 */
function wrapInLayer(widget: PDFDict, page: PDFPage, drawn: string): string {
  const layer = widget.get(LAYER);
  if (layer === undefined) return drawn;
  const ref = layer instanceof PDFRef ? layer : widget.context.register(layer);
  return `/OC ${addPageResource(page, 'Properties', `Layer${ref.objectNumber}`, ref)} BDC ${drawn} EMC`;
}

/**
 * Page that lists an annotation, counted from 0, and the index of the annotation in the page's
 * list.
 */
interface ListedWidget {
  readonly page: number;
  readonly at: number;
}

/**
 * Removes the widgets from their pages, and annotations below them, which would cover what is drawn
 * on the page itself. Two pages may list the same widget.
 */
function removeListedWidgets(document: PDFDocument): ReadonlyMap<PDFDict, readonly ListedWidget[]> {
  const { context } = document;
  const pages = new Map<PDFDict, ListedWidget[]>();
  for (const [page, { node }] of document.getPages().entries()) {
    const listed = node.Annots()?.asArray();
    if (listed === undefined) continue;
    const left = PDFArray.withContext(context);
    const taken = widgetsTakenFrom(listed.map((entry) => context.lookup(entry)));
    for (const [at, entry] of listed.entries()) {
      const one = context.lookup(entry);
      if (!(one instanceof PDFDict) || !taken.has(one)) {
        left.push(entry);
        continue;
      }
      const known = pages.get(one) ?? [];
      pages.set(one, known);
      if (known.at(-1)?.page !== page) known.push({ page, at });
    }
    node.set(PDFName.of('Annots'), left);
  }
  return pages;
}

/**
 * Returns the widgets among annotations, and all annotations below them, directly or indirectly.
 */
function widgetsTakenFrom(listed: readonly (PDFObject | undefined)[]): ReadonlySet<PDFDict> {
  const taken = new Set<PDFDict>();
  const above: Box[] = [];
  for (const one of listed.toReversed()) {
    if (!(one instanceof PDFDict)) continue;
    const box = boxIn(one, 'Rect');
    if (isWidget(one)) {
      taken.add(one);
      if (box !== null) above.push(box);
    } else if (box !== null && isShown(one) && pictureOfWidget(one) !== EMPTY_PICTURE) {
      if (!above.some((other) => isOverlappingBox(other, box))) continue;
      taken.add(one);
      above.push(box);
    }
  }
  return taken;
}

const isOverlappingBox = (one: Box, other: Box): boolean =>
  one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];

/**
 * Returns the appearance of a widget without a field; the one of its current state if it has
 * several.
 */
function pictureOfWidget(widget: PDFDict): Picture {
  const pictures = widget.lookup(PDFName.of('AP'));
  const normal = pictures instanceof PDFDict ? pictures.lookup(PDFName.of('N')) : undefined;
  const state = widget.lookup(PDFName.of('AS'));
  const isChosen = normal instanceof PDFDict && state instanceof PDFName;
  const shown = isChosen ? normal.lookup(state) : normal;
  return shown instanceof PDFStream ? positionedPicture(shown, widget) : EMPTY_PICTURE;
}

/** Whether a viewer shows the widget on its page (PDF 1.7, 12.5.3). */
function isShown(widget: PDFDict): boolean {
  return (flagsOf(widget) & (HIDDEN | NO_VIEW)) === 0;
}

const flagsOf = (annotation: PDFDict): number => numberIn(annotation, 'F') ?? 0;

function isWidget(annotation: PDFDict): boolean {
  return annotation.lookup(PDFName.of('Subtype')) === PDFName.of('Widget');
}
