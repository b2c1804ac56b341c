import type { PdfPlace } from '../../../../shared/model/pdf-place.ts';
import type { PlacedField, PlacedKind } from '../../../../shared/model/placed-field.ts';
import type { DrawnField } from '../../../../shared/model/template.ts';
import { m } from '../../../ui/language.svelte.ts';
import { type Arrangement, arrangeBoxes } from './arrange.ts';
import { freeName, newField, numberedName, defaultFieldSize } from './drawn.ts';
import { boundingBoxOf, fitOnPage, type ShownBox, sizeOf, toStoredBox } from './seen.ts';
import { resizedBox } from './snap.ts';
import type { FieldDrawing, Spot } from './state.svelte.ts';
import { kindName } from './words.ts';

/** Offset of a copy from its original (points). */
const COPY_OFFSET_POINTS = 10;

/**
 * Adds a field to the current page. Without a box, the field is below the chosen one, or near the
 * top centre.
 */
export function add(drawing: FieldDrawing, kind: PlacedKind, box: ShownBox | null): void {
  const shape = drawing.shapeOf(drawing.page);
  if (shape === undefined) return;
  const page = sizeOf(shape);
  const seen = fitOnPage(page, box ?? defaultBoxFor(drawing, kind, page));
  const place = { page: shape.page, box: toStoredBox(shape, seen) };
  const name = numberedName(kindName(kind), drawing.names());
  insertDrawnFields(drawing, [newField(kind, name, place)]);
}

function defaultBoxFor(
  drawing: FieldDrawing,
  kind: PlacedKind,
  page: Pick<ShownBox, 'width' | 'height'>,
): ShownBox {
  const size = defaultFieldSize(kind);
  const place = drawing.field?.places[drawing.current?.at ?? 0];
  const above = place?.page === drawing.page ? drawing.seen(place) : null;
  if (above !== null)
    return { ...size, left: above.left, top: above.top + above.height + COPY_OFFSET_POINTS };
  return { ...size, left: (page.width - size.width) / 2, top: (page.height - size.height) / 3 };
}

/** Inserts fields after the chosen field in the filling order. */
function insertDrawnFields(drawing: FieldDrawing, fields: readonly DrawnField[]): void {
  drawing.change(({ fields: all }) => void all.splice(placeAfter(drawing), 0, ...fields), null);
  drawing.marked.clear();
  if (fields.length > 1) for (const { id } of fields) drawing.marked.add(id);
  const last = fields.at(-1);
  if (last !== undefined) drawing.show({ id: last.id, at: 0 });
}

function placeAfter({ drawing, current }: FieldDrawing): number {
  const at = drawing.fields.findIndex(({ id }) => id === current?.id);
  return at === -1 ? drawing.fields.length : at + 1;
}

/** Fields that a command applies to: all selected ones, or the chosen one. */
function commandFields(drawing: FieldDrawing): readonly DrawnField[] {
  if (!drawing.isTogether) return drawing.field === null ? [] : [drawing.field];
  return drawing.drawing.fields.filter(({ id }) => drawing.marked.has(id));
}

/** Copied fields, until the next copy; they can be pasted in other templates too. */
let copied: readonly DrawnField[] = [];

export function copy(drawing: FieldDrawing): void {
  const fields = commandFields(drawing);
  if (fields.length === 0) return;
  copied = fields.map(snapshotOf);
  drawing.said = m.draw_copied({ count: fields.length });
}

export function paste(drawing: FieldDrawing): void {
  insertCopies(drawing, copied);
}

export function duplicate(drawing: FieldDrawing): void {
  insertCopies(drawing, commandFields(drawing).map(snapshotOf));
}

function insertCopies(drawing: FieldDrawing, fields: readonly DrawnField[]): void {
  const shape = drawing.shapeOf(drawing.page);
  if (shape === undefined) return;
  const names = new Set(drawing.names());
  const copies = fields.flatMap((field) => {
    const place = field.places.find(({ page }) => page === shape.page) ?? field.places[0];
    const seen = place === undefined ? null : drawing.seen(place);
    if (seen === null) return [];
    const moved = {
      ...seen,
      left: seen.left + COPY_OFFSET_POINTS,
      top: seen.top + COPY_OFFSET_POINTS,
    };
    const box = toStoredBox(shape, fitOnPage(sizeOf(shape), moved));
    const name = freeName(field.name, names);
    names.add(name);
    const { was: _was, ...rest } = field;
    return [{ ...rest, id: crypto.randomUUID(), name, places: [{ page: shape.page, box }] }];
  });
  if (copies.length > 0) insertDrawnFields(drawing, copies);
}

const snapshotOf = <Value>(value: Value) => $state.snapshot(value);

/** Removes the chosen place (and a field with its last place), or all selected fields. */
export function remove(drawing: FieldDrawing): void {
  const { current, field } = drawing;
  if (current === null || field === null) return;
  const names = commandFields(drawing).map(({ name }) => name);
  const next = neighbourField(drawing);
  drawing.change((content) => {
    const isOne = !drawing.isTogether && field.places.length > 1;
    if (isOne) field.places.splice(current.at, 1);
    else content.fields = content.fields.filter((one) => !commandFields(drawing).includes(one));
  }, null);
  drawing.marked.clear();
  drawing.current = null;
  drawing.said = m.draw_removed({ names: names.join(', ') });
  if (next !== null) drawing.show(next);
}

/** The next field on this page in filling order; without one, the previous field. */
function neighbourField(drawing: FieldDrawing): Spot | null {
  const gone = new Set(commandFields(drawing).map(({ id }) => id));
  const { fields } = drawing.drawing;
  const from = fields.findIndex(({ id }) => id === drawing.current?.id);
  const order = [...fields.slice(from + 1), ...fields.slice(0, from).reverse()];
  for (const { id, places } of order) {
    const at = places.findIndex(({ page }) => page === drawing.page);
    if (at !== -1 && !gone.has(id)) return { id, at };
  }
  return null;
}

/** Shows the next field with a problem (1) or the previous one (-1), also past the end. */
export function showProblem(drawing: FieldDrawing, by: 1 | -1): void {
  const ids = drawing.drawing.fields.map(({ id }) => id);
  const ordered = by === 1 ? ids : ids.toReversed();
  const from = ordered.indexOf(drawing.current?.id ?? '') + 1;
  const around = [...ordered.slice(from), ...ordered.slice(0, from)];
  const next = around.find((id) => drawing.problems.has(id));
  if (next !== undefined) drawing.show({ id: next, at: 0 });
}

export function repeatOnAllPages(drawing: FieldDrawing): void {
  const { field, current, board } = drawing;
  const place = field?.places[current?.at ?? 0];
  const seen = place === undefined ? null : drawing.seen(place);
  if (field === null || place === undefined || seen === null || board === null) return;
  const places = board.pages.map((shape) => ({
    page: shape.page,
    box: toStoredBox(shape, fitOnPage(sizeOf(shape), seen)),
  }));
  drawing.change(() => (field.places = places), null);
  drawing.show({ id: field.id, at: places.findIndex(({ page }) => page === place.page) });
}

/** Moves the selection in page directions, together and not beyond the edges. */
export function moveBy(drawing: FieldDrawing, dx: number, dy: number): void {
  const places = drawing.targets();
  const [first] = places;
  const shape = first === undefined ? undefined : drawing.shapeOf(first.page);
  if (shape === undefined) return;
  const boxes = places.flatMap((place) => drawing.seen(place) ?? []);
  const whole = boundingBoxOf(boxes);
  const moved = { ...whole, left: whole.left + dx, top: whole.top + dy };
  const kept = fitOnPage(sizeOf(shape), moved);
  const [right, down] = [kept.left - whole.left, kept.top - whole.top];
  for (const [at, place] of places.entries()) {
    const box = boxes[at];
    if (box !== undefined) {
      drawing.put(place, { ...box, left: box.left + right, top: box.top + down });
    }
  }
  drawing.touch(drawing.keyEdit('move'));
  announcePlace(drawing);
}

/** Resizes the selection at the right and lower sides. */
export function resizeBy(drawing: FieldDrawing, dx: number, dy: number): void {
  for (const place of drawing.targets()) {
    const box = drawing.seen(place);
    if (box !== null) drawing.put(place, resizedBox(box, { across: 1, down: 1 }, dx, dy));
  }
  drawing.touch(drawing.keyEdit('size'));
  announcePlace(drawing);
}

function announcePlace(drawing: FieldDrawing): void {
  const [place] = drawing.targets();
  const seen = place === undefined ? null : drawing.seen(place);
  if (seen !== null) drawing.said = m.draw_at(roundedOf(seen));
}

/** Rounded to whole points, for announcements. */
export function roundedOf({ left, top, width, height }: ShownBox) {
  return {
    left: Math.round(left),
    top: Math.round(top),
    width: Math.round(width),
    height: Math.round(height),
  };
}

/** Aligns, resizes or distributes the selection, relative to the chosen place or the first one. */
export function arrange(drawing: FieldDrawing, how: Arrangement): void {
  // The focus may have passed other places on its way to the menu.
  const places = drawing.isTogether ? drawing.targets() : drawing.selected();
  const boxes = places.flatMap((place) => drawing.seen(place) ?? []);
  for (const [at, box] of arrangeBoxes(boxes, how).entries()) {
    const place: PdfPlace | undefined = places[at];
    if (place !== undefined) drawing.put(place, box);
  }
  drawing.touch(null);
}

/** Moves the chosen field by one position in the filling order. */
export function reorder(drawing: FieldDrawing, by: 1 | -1): void {
  const { fields } = drawing.drawing;
  const from = fields.findIndex(({ id }) => id === drawing.current?.id);
  const [own, other] = [fields[from], fields[from + by]];
  if (own === undefined || other === undefined) return;
  drawing.change(() => {
    fields[from] = other;
    fields[from + by] = own;
  }, drawing.keyEdit('order'));
  drawing.said = m.draw_order({ name: own.name, order: from + by + 1 });
}

/** Sorts the filling order by reading order: page by page, line by line. */
export function sortAsRead(drawing: FieldDrawing): void {
  drawing.change((content) => (content.fields = sortFieldsAsRead(drawing, content.fields)), null);
}

/** Boxes whose tops differ by less than this are on one line (points). */
const MAX_TOP_OFFSET_POINTS = 8;

function sortFieldsAsRead(drawing: FieldDrawing, fields: readonly DrawnField[]): DrawnField[] {
  const placed = fields.map((field) => {
    const [place] = field.places;
    const seen = place === undefined ? null : drawing.seen(place);
    return { field, page: place?.page ?? 0, left: seen?.left ?? 0, top: seen?.top ?? 0 };
  });
  const lines: (typeof placed)[] = [];
  for (const one of placed.toSorted((a, b) => a.page - b.page || a.top - b.top)) {
    const first = lines.at(-1)?.[0];
    if (first?.page === one.page && one.top - first.top < MAX_TOP_OFFSET_POINTS)
      lines.at(-1)?.push(one);
    else lines.push([one]);
  }
  return lines.flatMap((line) =>
    line.toSorted((a, b) => a.left - b.left).map(({ field }) => field),
  );
}

/** Accepts or discards a found place, and turns to the next one. */
export function decide(drawing: FieldDrawing, id: string, isWanted: boolean): void {
  const { found } = drawing.drawing;
  const at = found.findIndex((one) => one.id === id);
  const proposal = found[at];
  if (proposal === undefined) return;
  const next = found[at + 1] ?? found[at - 1];
  drawing.change((content) => {
    content.found = content.found.filter((one) => one.id !== id);
    if (isWanted) content.fields.push(fieldFrom(drawing, snapshotOf(proposal.field), id));
  }, null);
  drawing.said = isWanted
    ? m.draw_accepted({ name: proposal.field.name })
    : m.draw_rejected({ name: proposal.field.name });
  if (next !== undefined) drawing.show({ id: next.id, at: 0 });
  else if (isWanted) drawing.show({ id, at: 0 });
  else drawing.current = null;
}

export function acceptAll(drawing: FieldDrawing): void {
  const found = $state.snapshot(drawing.drawing.found);
  drawing.change((content) => {
    content.found = [];
    for (const { id, field } of found) content.fields.push(fieldFrom(drawing, field, id));
  }, null);
  drawing.said = m.draw_accepted_all({ count: found.length });
  const [first] = found;
  if (first !== undefined) drawing.show({ id: first.id, at: 0 });
}

export function rejectAll(drawing: FieldDrawing): void {
  drawing.change((content) => (content.found = []), null);
  drawing.current = null;
}

function fieldFrom(drawing: FieldDrawing, field: PlacedField, id: string): DrawnField {
  return { ...field, id, name: freeName(field.name, drawing.names()), source: null };
}
