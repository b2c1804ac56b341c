import { SvelteSet } from 'svelte/reactivity';
import {
  type DrawingBoard,
  FoundFields,
  type Template,
} from '../../../../shared/contract/templates.ts';
import { AppError, type Failure } from '../../../../shared/errors.ts';
import type { JobId, TemplateId } from '../../../../shared/model/ids.ts';
import type { PageGuides } from '../../../../shared/model/page-guides.ts';
import type { PdfPlace } from '../../../../shared/model/pdf-place.ts';
import type { PlacedKind } from '../../../../shared/model/placed-field.ts';
import type { Drawing, DrawnField, TemplateContent } from '../../../../shared/model/template.ts';
import { fillableFields, unmappedFields } from '../../../../shared/rules/templates/fields.ts';
import { Serial } from '../../../../shared/serial.ts';
import { m } from '../../../ui/language.svelte.ts';
import { activity } from '../../../window/activity.svelte.ts';
import { api, failureOf } from '../../../window/desk.ts';
import { jobs } from '../../../window/jobs.svelte.ts';
import type { UndoWay } from '../../../window/undo.svelte.ts';
import { ContentSteps } from '../mapper/content-steps.svelte.ts';
import type { FieldCounts } from '../next-step.ts';
import { toDrawnFields, freeName, toPlacedField, problemsOf } from './drawn.ts';
import { isOver, fitOnPage, type ShownBox, toShownBox, sizeOf, toStoredBox } from './seen.ts';

/**
 * Delay of a save (ms). It groups successive edits, and stays below one second, within which edits
 * must be stored.
 */
const DRAWING_SAVE_DELAY_MS = 400;

/** A place of a drawn field, or a found place; `at` is its index among the field's places. */
export interface Spot {
  readonly id: string;
  readonly at: number;
}

export const keyOf = ({ id, at }: Spot): string => `${id} ${String(at)}`;

/**
 * Fields drawn on a template's PDF while its screen is open; every change is stored automatically.
 */
export class FieldDrawing {
  readonly id: TemplateId;
  template = $state.raw<Template | null>(null);
  board = $state.raw<DrawingBoard | null>(null);
  drawing = $state<Drawing>({ fields: [], found: [] });
  failure = $state.raw<Failure | null>(null);
  savedAt = $state<number | null>(null);
  page = $state(1);
  /** Kind of field that a drag draws; null selects. */
  tool = $state<PlacedKind | null>(null);
  /** The place that keys and the form next to the page apply to. */
  current = $state.raw<Spot | null>(null);
  /** Ids of the fields that are moved, copied and arranged together. */
  readonly marked = new SvelteSet<string>();
  /** Whether the drawing contains changes that are not yet fields of the PDF. */
  isDrawn = $state(false);
  /** Key of the place to be focused once it is on the page. */
  wanted = $state.raw<string | null>(null);
  /** Announcement of a keyboard action for screen readers. */
  said = $state('');
  finding = $state.raw<JobId | null>(null);
  #steps = $state.raw<ContentSteps<Drawing> | null>(null);
  readonly reach = $derived(this.#steps?.reach ?? { undo: 0, redo: 0 });
  readonly field: DrawnField | null = $derived(
    this.drawing.fields.find(({ id }) => id === this.current?.id) ?? null,
  );
  readonly problems = $derived(
    this.board === null ? new Map() : problemsOf(this.drawing.fields, this.board),
  );
  /** How far the fields in the PDF's form are decided. */
  readonly counts: FieldCounts = $derived({
    kind: 'pdf',
    isDrawn: false,
    fields: this.template === null ? 0 : fillableFields(this.template).length,
    undecided: this.template === null ? 0 : unmappedFields(this.template).length,
  });
  /** Fields of the PDF's form as JSON. */
  #form = '';
  /** Name of the current text edit; null outside of text fields. */
  #edit: string | null = null;
  #visits = 0;
  #unsaved = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #saving = new Serial();

  constructor(id: TemplateId) {
    this.id = id;
  }

  async open(): Promise<void> {
    try {
      const { id } = this;
      const [template, board] = [
        await api['templates.get']({ id }),
        await api['templates.board']({ id }),
      ];
      this.board = board;
      this.#show(template, template.content.drawing ?? { fields: formFields(template), found: [] });
      this.failure = null;
    } catch (error) {
      this.failure = failureOf(error);
    }
  }

  shapeOf(page: number): PageGuides | undefined {
    return this.board?.pages.find((one) => one.page === page);
  }

  seen({ page, box }: PdfPlace): ShownBox | null {
    const shape = this.shapeOf(page);
    return shape === undefined ? null : toShownBox(shape, box);
  }

  /** Moves a place to a position on the displayed page, completely within the page. */
  put(place: PdfPlace, seen: ShownBox): void {
    const shape = this.shapeOf(place.page);
    if (shape !== undefined) place.box = toStoredBox(shape, fitOnPage(sizeOf(shape), seen));
  }

  /** All places that move together, with the current place first. */
  targets(): readonly PdfPlace[] {
    const { field, current } = this;
    const place = field?.places[current?.at ?? 0];
    if (field === null || place === undefined) return [];
    if (!this.isTogether) return [place];
    return [place, ...this.selected().filter((one) => one !== place)];
  }

  /** Places of all selected fields on the current page. */
  selected(): readonly PdfPlace[] {
    return this.drawing.fields
      .filter(({ id }) => this.marked.has(id))
      .flatMap(({ places }) => places.filter(({ page }) => page === this.page));
  }

  get isTogether(): boolean {
    return this.marked.size > 1 && this.current !== null && this.marked.has(this.current.id);
  }

  /** Makes a place current; `isMore` adds it to the selection. */
  choose(spot: Spot, isMore = false): void {
    if (isMore) {
      if (this.marked.size === 0 && this.field !== null) this.marked.add(this.field.id);
      if (this.marked.has(spot.id) && spot.id !== this.current?.id) this.marked.delete(spot.id);
      else this.marked.add(spot.id);
    } else if (!this.marked.has(spot.id)) this.marked.clear();
    this.current = spot;
  }

  /** Makes the focused place current without changing the selection. */
  focused(spot: Spot): void {
    if (this.current?.id !== spot.id || this.current.at !== spot.at) this.current = spot;
  }

  /** Turns to the place's page and focuses it. */
  show(spot: Spot): void {
    const field = this.drawing.fields.find(({ id }) => id === spot.id);
    const found = this.drawing.found.find(({ id }) => id === spot.id);
    const place = (field ?? found?.field)?.places[spot.at];
    if (place === undefined) return;
    this.page = place.page;
    this.choose(spot);
    this.wanted = keyOf(spot);
  }

  /** All names that a new field cannot have. */
  names(): ReadonlySet<string> {
    const own = this.drawing.fields.map(({ name }) => name.trim());
    return new Set([...own, ...(this.board?.others ?? []).map(({ name }) => name)]);
  }

  /** Applies a change as one edit; consecutive typing in a text is one edit. */
  change(work: (drawing: Drawing) => void, edit: string | null = this.#edit): void {
    work(this.drawing);
    this.touch(edit);
  }

  /** Records a change; it is stored within a second. */
  touch(edit: string | null = this.#edit): void {
    const plain = $state.snapshot(this.drawing);
    this.#steps?.record(plain, edit);
    this.#differs(plain);
    this.#timer ??= setTimeout(() => void this.save(), DRAWING_SAVE_DELAY_MS);
  }

  /** Called on a focus change. Typing in one text is one edit; every other change is separate. */
  enter(isText: boolean): void {
    this.#visits += 1;
    this.#edit = isText ? `text ${this.#visits}` : null;
  }

  /** Name of an edit by arrow keys: consecutive presses on one place are one edit. */
  keyEdit(what: string): string {
    return `${what} ${this.#visits} ${this.current?.id ?? ''}`;
  }

  go(by: UndoWay): boolean {
    const content = this.#steps?.go(by) ?? null;
    if (content === null) return false;
    this.drawing = structuredClone(content);
    for (const id of this.marked) {
      if (!content.fields.some((field) => field.id === id)) this.marked.delete(id);
    }
    this.#differs(content);
    void this.save();
    return true;
  }

  /** Stores the drawing; returns whether all of it is stored. */
  async save(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#saving.run(async () => {
      const { template, id } = this;
      if (template === null || !this.#unsaved) return;
      this.#unsaved = false;
      const isStored = await activity.attempt(async () => {
        const { revision } = template;
        const drawing = this.#plainDrawing();
        this.template = await api['templates.draw']({ id, revision, drawing });
        this.savedAt = this.#unsaved ? null : this.template.updatedAt;
      }, 'templates.draw');
      if (!isStored) this.#unsaved = true;
    });
    return !this.#unsaved;
  }

  /** Converts the drawing to form fields of the PDF; returns whether it worked. */
  async place(): Promise<boolean> {
    if (!(await this.save())) return false;
    return activity.attempt(async () => {
      const { id, template } = this;
      const { fields, found } = $state.snapshot(this.drawing);
      const revision = template?.revision ?? 0;
      const order = { id, revision, fields: fields.map(toPlacedField) };
      const placed = await api['templates.place'](order);
      const now = formFields(placed).map((field, at) => ({
        ...field,
        id: fields[at]?.id ?? field.id,
      }));
      this.#saved(placed, { fields: now, found }, template?.content.mapping ?? []);
      activity.notify(() => m.draw_saved({ count: now.length }));
      if (found.length > 0) this.touch(null);
    }, 'templates.place');
  }

  /** Searches the PDF for possible fields; the user accepts or discards each. */
  async find(): Promise<void> {
    await activity.attempt(async () => {
      const { jobId } = await api['templates.startFind']({ id: this.id });
      this.finding = jobId;
      try {
        const { state, failure, result } = await jobs.outcome(jobId);
        if (failure !== null) throw AppError.from(failure);
        if (state === 'done') this.#propose(FoundFields.parse(result));
      } finally {
        this.finding = null;
      }
    }, 'templates.startFind');
  }

  async stopFinding(): Promise<void> {
    if (this.finding !== null) await jobs.stop(this.finding);
  }

  /** Stores the last changes before the screen is left. */
  leave(): void {
    if (this.#unsaved) void this.save();
  }

  /** Proposes found places, except where a field is already drawn. */
  #propose({ found }: FoundFields): void {
    const drawn = this.drawing.fields.flatMap(({ places }) => places);
    const isFree = (place: PdfPlace): boolean => {
      const seen = this.seen(place);
      const others = drawn.filter(({ page }) => page === place.page).map((one) => this.seen(one));
      return seen !== null && !others.some((other) => other !== null && isOver(seen, other));
    };
    const fresh = found.filter(({ field }) => field.places.every(isFree));
    const names = new Set(this.names());
    const proposed = fresh.map(({ by, field }) => {
      const name = freeName(field.name, names);
      names.add(name);
      return { by, field: { ...field, name }, id: crypto.randomUUID() };
    });
    this.change((drawing) => (drawing.found = proposed), null);
    const [first] = proposed;
    if (first !== undefined) this.show({ id: first.id, at: 0 });
    activity.notify(() =>
      proposed.length === 0 ? m.draw_found_none() : m.draw_found({ count: proposed.length }),
    );
  }

  /**
   * Sends the last changes without waiting for replies, which no longer arrive when the window
   * closes.
   */
  flush(): void {
    const { template, id } = this;
    if (template === null || !this.#unsaved) return;
    // A save in flight increases the revision by one.
    const revision = template.revision + (this.#saving.isIdle ? 0 : 1);
    const order = { id, revision, drawing: this.#plainDrawing() };
    this.#unsaved = false;
    void activity.attempt(async () => void (await api['templates.draw'](order)));
  }

  /** Returns the drawing to store; null if it is the same as the form of the PDF. */
  #plainDrawing(): Drawing | null {
    const plain = $state.snapshot(this.drawing);
    return this.isDrawn || plain.found.length > 0 ? plain : null;
  }

  #differs(plain: Drawing): void {
    this.isDrawn = JSON.stringify(plain.fields.map(toPlacedField)) !== this.#form;
    this.savedAt = null;
    this.#unsaved = true;
  }

  /**
   * Called when the drawing has become the form. The undo steps still contain the earlier drawings:
   * their fields get the names in the form, and keep their sources.
   */
  #saved(template: Template, drawing: Drawing, mapping: TemplateContent['mapping']): void {
    const steps = this.#steps;
    const names = new Map(drawing.fields.map(({ id, name }) => [id, name]));
    const before = new Map(mapping.map(({ field, source }) => [field, source]));
    steps?.rebase(structuredClone(drawing), ({ fields, found }) => ({
      found,
      fields: fields.map(({ was, source, ...field }) => {
        const name = names.get(field.id);
        const filled = source ?? (was === undefined ? null : (before.get(was) ?? null));
        return { ...field, source: filled, ...(name !== undefined && { was: name }) };
      }),
    }));
    this.#show(template, drawing, steps);
  }

  #show(template: Template, drawing: Drawing, steps: ContentSteps<Drawing> | null = null): void {
    this.template = template;
    this.#form = JSON.stringify(formFields(template).map(toPlacedField));
    this.drawing = structuredClone(drawing);
    this.#steps = steps ?? new ContentSteps(structuredClone(drawing));
    this.isDrawn = JSON.stringify(drawing.fields.map(toPlacedField)) !== this.#form;
    this.savedAt = template.updatedAt;
  }
}

const formFields = ({ source }: Template): DrawnField[] =>
  toDrawnFields(source.kind === 'pdf' ? (source.form.placed ?? []) : []);
