import type { DrawingBoard } from '../../../../shared/contract/templates.ts';
import type { PdfField } from '../../../../shared/model/pdf-form.ts';
import type { PdfPlace } from '../../../../shared/model/pdf-place.ts';
import {
  type PlacedField,
  type PlacedKind,
  PlacedKind as Kinds,
} from '../../../../shared/model/placed-field.ts';
import type { DrawnField } from '../../../../shared/model/template.ts';
import { fitValue } from '../../../../shared/rules/forms/field-values.ts';
import { fitOnPage, type ShownBox, toShownBox, sizeOf } from './seen.ts';

export const kinds = Kinds.options;

/** Size of a field added by key or click (points); a dragged box has its own size. */
const sizes = {
  text: { width: 160, height: 18 },
  lines: { width: 220, height: 60 },
  date: { width: 90, height: 18 },
  number: { width: 90, height: 18 },
  checkbox: { width: 12, height: 12 },
  choice: { width: 130, height: 18 },
  signature: { width: 180, height: 44 },
  initials: { width: 60, height: 30 },
  seal: { width: 90, height: 90 },
} as const satisfies Record<PlacedKind, Pick<ShownBox, 'width' | 'height'>>;

export const defaultFieldSize = (kind: PlacedKind): Pick<ShownBox, 'width' | 'height'> =>
  sizes[kind];

export const isSigned = (kind: PlacedKind): boolean =>
  kind === 'signature' || kind === 'initials' || kind === 'seal';

export const isWritten = (kind: PlacedKind): boolean =>
  kind === 'text' || kind === 'lines' || kind === 'date' || kind === 'number';

/** Whether the value is drawn as text, with a font and a size. */
export const isDrawnAsText = (kind: PlacedKind): boolean => isWritten(kind) || kind === 'choice';

export function newField(kind: PlacedKind, name: string, place: PdfPlace): DrawnField {
  return {
    id: crypto.randomUUID(),
    name,
    kind,
    places: [place],
    label: '',
    required: false,
    maxLength: null,
    fontSize: null,
    align: kind === 'number' ? 'right' : 'left',
    options: [],
    value: '',
    source: null,
  };
}

export function toDrawnFields(placed: readonly PlacedField[]): DrawnField[] {
  return placed.map((field) => ({
    ...structuredClone(field),
    id: crypto.randomUUID(),
    was: field.name,
    source: null,
  }));
}

/** The wanted name, or the name followed by the first number that is not taken. */
export function freeName(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/u, '');
  for (let number = 2; ; number += 1) {
    const name = `${stem} ${String(number)}`;
    if (!taken.has(name)) return name;
  }
}

/** First free name for a new field, such as `Text 1` or `Text 2`. */
export function numberedName(stem: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${stem} ${String(number)}`;
    if (!taken.has(name)) return name;
  }
}

export type DrawnProblem =
  | 'name-missing'
  | 'name-long'
  | 'name-dot'
  | 'name-taken'
  | 'options'
  | 'outside'
  | 'value';

/** Problems that prevent the fields from being stored in the form, by field id. */
export function problemsOf(
  fields: readonly DrawnField[],
  board: DrawingBoard,
): ReadonlyMap<string, DrawnProblem> {
  const counts = new Map<string, number>();
  for (const { name } of [...fields, ...board.others]) {
    counts.set(name.trim(), (counts.get(name.trim()) ?? 0) + 1);
  }
  const found = fields.flatMap((field) => {
    const problem = problemOf(field, board, counts.get(field.name.trim()) ?? 0);
    return problem === null ? [] : [[field.id, problem] as const];
  });
  return new Map(found);
}

const MAX_NAME = 120;

function problemOf(field: DrawnField, board: DrawingBoard, named: number): DrawnProblem | null {
  const name = field.name.trim();
  if (name === '') return 'name-missing';
  if (name.length > MAX_NAME) return 'name-long';
  if (/[.\u0000-\u001f]/u.test(name)) return 'name-dot';
  if (named > 1) return 'name-taken';
  if (field.kind === 'choice' && usableOptions(field).length === 0) return 'options';
  if (!field.places.every((place) => isOnPage(place, board))) return 'outside';
  const { problem } = fitValue(formFieldOf(field), isSigned(field.kind) ? '' : field.value);
  return problem === null ? null : 'value';
}

function isOnPage({ page, box }: PdfPlace, { pages }: DrawingBoard): boolean {
  const shape = pages.find((one) => one.page === page);
  if (shape === undefined) return false;
  const seen = toShownBox(shape, box);
  const kept = fitOnPage(sizeOf(shape), seen);
  const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= 1;
  return (
    isNear(seen.left, kept.left) &&
    isNear(seen.top, kept.top) &&
    isNear(seen.width, kept.width) &&
    isNear(seen.height, kept.height)
  );
}

const usableOptions = ({ options }: DrawnField): string[] =>
  options.map((option) => option.trim()).filter((option) => option !== '');

const formFieldTypes = {
  text: 'text',
  lines: 'text',
  date: 'text',
  number: 'text',
  checkbox: 'checkbox',
  choice: 'choice',
  signature: 'signature',
  initials: 'signature',
  seal: 'signature',
} as const satisfies Record<PlacedKind, PdfField['type']>;

/** The field as it will be in the form, to find out what may fill it. */
export function formFieldOf(field: DrawnField): PdfField {
  const { name, kind, required, maxLength, places, format = 'yyyy-MM-dd', number } = field;
  return {
    name,
    type: formFieldTypes[kind],
    page: places[0]?.page ?? 1,
    value: '',
    multiline: kind === 'lines',
    required,
    readOnly: false,
    ...(kind === 'choice' && { options: usableOptions(field) }),
    ...(isWritten(kind) && maxLength !== null && { maxLength }),
    ...(kind === 'date' && { day: format }),
    ...(kind === 'number' && number !== undefined && { number }),
  };
}

/** The field as stored in the PDF, without properties that do not fit its kind. */
export function toPlacedField(field: DrawnField): PlacedField & Pick<DrawnField, 'was' | 'source'> {
  const { name, kind, places, label, required, fontSize, align, value, was, source } = field;
  const { font, format, number } = field;
  return {
    name: name.trim(),
    kind,
    places: places.map(({ page, box }) => ({ page, box })),
    label: label.trim(),
    required,
    maxLength: isWritten(kind) ? field.maxLength : null,
    fontSize,
    align,
    options: kind === 'choice' ? usableOptions(field) : [],
    value: isSigned(kind) ? '' : value,
    source,
    ...(was !== undefined && { was }),
    ...(isDrawnAsText(kind) && font !== undefined && { font }),
    ...(kind === 'date' && format !== undefined && { format }),
    ...(kind === 'number' && number !== undefined && { number }),
  };
}
