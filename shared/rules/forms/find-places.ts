import type { PageMarks } from '../../model/page-marks.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import type { PdfPlace } from '../../model/pdf-place.ts';
import type { FoundPlace, PlacedField, PlacedKind } from '../../model/placed-field.ts';
import { cellsOf, linesOf } from './page-lines.ts';
import { type Box, type Found, isOver, LINE } from './place-boxes.ts';
import { findAtRule, findInCell, nameCells } from './places-in-cells.ts';
import { findInLine } from './places-in-text.ts';

/**
 * Finds blanks to fill in on pages, from top to bottom, and returns them as fields that the user
 * may accept or reject. Their names are the labels next to them, made unique. Blanks where the form
 * has its own `fields` are skipped.
 */
export function findPlaces(
  pages: readonly PageMarks[],
  fields: readonly Pick<PdfField, 'name' | 'places'>[] = [],
): readonly FoundPlace[] {
  const names = new Set(fields.map(({ name }) => name));
  const places = fields.flatMap((field) => field.places ?? []);
  return pages.flatMap((page) => {
    const held = places.filter((place) => place.page === page.page).map(({ box }) => boxOf(box));
    const free = findBlanksOn(page).filter(({ box }) => !held.some((own) => isOver(own, box)));
    return sortForReading(free).map(({ by, kind, label, box }) => {
      const name = uniqueFieldName(label, names);
      names.add(name);
      return { by, field: fieldOf(name, label, kind, toPdfPlace(page, box)) };
    });
  });
}

const boxOf = ({ x, y, width, height }: PdfPlace['box']): Box => ({
  x,
  y,
  right: x + width,
  top: y + height,
});

function fieldOf(name: string, label: string, kind: PlacedKind, place: PdfPlace): PlacedField {
  return {
    name,
    kind,
    places: [place],
    label: label.slice(0, 200),
    required: false,
    maxLength: null,
    fontSize: null,
    align: 'left',
    options: [],
    value: '',
  };
}

function toPdfPlace({ page, box: shown }: PageMarks, box: Box): PdfPlace {
  const x = Math.max(box.x, shown.x);
  const y = Math.max(box.y, shown.y);
  const width = Math.min(box.right, shown.x + shown.width) - x;
  const height = Math.min(box.top, shown.y + shown.height) - y;
  return {
    page,
    box: {
      x: roundPoints(x),
      y: roundPoints(y),
      width: roundPoints(width),
      height: roundPoints(height),
    },
  };
}

const roundPoints = (points: number): number => Math.round(points * 100) / 100;

/**
 * Sorts blanks by line, and from left to right on one line. A signature is on the same line as the
 * day next to it, although its box is higher.
 */
function sortForReading(found: readonly Found[]): readonly Found[] {
  const levelOf = ({ by, box }: Found) => (by === 'cell' ? box.top - LINE : box.y);
  return found.toSorted((one, other) => {
    const apart = levelOf(other) - levelOf(one);
    return Math.abs(apart) <= LINE / 2 ? one.box.x - other.box.x : apart;
  });
}

function findBlanksOn(page: PageMarks): readonly Found[] {
  const lines = linesOf(page.letters);
  const cells = cellsOf(page);
  const named = nameCells(cells, lines);
  const inText = lines.flatMap((line, at) => findInLine(line, lines, at));
  const found = [
    ...inText,
    ...cells.flatMap((cell) => findInCell(cell, named, page, lines)),
    ...page.strokes.flatMap((stroke) => findAtRule(stroke, page, cells, lines)),
  ];
  // Earlier results have priority: their way of searching knows the kind of the field best.
  return found.filter((one, at) => !found.slice(0, at).some(({ box }) => isOver(box, one.box)));
}

/** Returns a unique field name, without the full stops that would make groups. */
function uniqueFieldName(label: string, names: ReadonlySet<string>): string {
  const plain = label
    .replaceAll(/[.\u0000-\u001f]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  const name = plain.slice(0, 100).trim() || 'Field';
  if (!names.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const next = `${name} ${String(number)}`;
    if (!names.has(next)) return next;
  }
}
