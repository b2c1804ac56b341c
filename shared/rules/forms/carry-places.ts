import type { UnsureField } from '../../contract/templates.ts';
import type { PageCharacter, PageMarks } from '../../model/page-marks.ts';
import type { PdfField } from '../../model/pdf-form.ts';
import type { PdfPlace } from '../../model/pdf-place.ts';
import type { PlacedField } from '../../model/placed-field.ts';
import { isOver } from './place-boxes.ts';

/** Maximum distance in points between a field and its label. */
const MAX_LABEL_DISTANCE_BESIDE = 120;
const MAX_LABEL_DISTANCE_ABOVE = 30;
/** Maximum shift of a character, in points, that programs cause without a change by the user. */
const MAX_CHARACTER_SHIFT = 2;

/** Drawn fields after a comparison with another version of their file. */
export interface CarriedPlaces {
  /** Fields whose boxes are all on a page of the same size, with the same text around them. */
  readonly fits: PlacedField[];
  readonly unsure: UnsureField[];
}

/**
 * Finds where fields belong on the pages of another version of the file, by the text around them.
 * `held` has the fields that already exist on those pages.
 */
export function carryPlaces(
  before: readonly PageMarks[],
  after: readonly PageMarks[],
  fields: readonly PlacedField[],
  held: readonly Pick<PdfField, 'places'>[] = [],
): CarriedPlaces {
  const taken = held.flatMap(({ places }) => places ?? []);
  const judged = fields.map((field) => {
    const whys = field.places.map((place) => carryProblem(place, before, after, taken));
    return { field, why: whys.find((why) => why !== null) ?? null, whys };
  });
  return {
    fits: judged.flatMap(({ field, why }) => (why === null ? [field] : [])),
    unsure: judged.flatMap(({ field: { name, places }, why, whys }) => {
      if (why === null) return [];
      const canStay =
        !whys.includes('page-gone') && places.every((place) => isWithin(place, after));
      return [{ name, why, canStay }];
    }),
  };
}

function carryProblem(
  place: PdfPlace,
  before: readonly PageMarks[],
  after: readonly PageMarks[],
  taken: readonly PdfPlace[],
): UnsureField['why'] | null {
  const [old, now] = [before, after].map((pages) => pages.find(({ page }) => page === place.page));
  if (now === undefined || old === undefined) return 'page-gone';
  if (!isSameSize(old, now)) return 'page-size';
  const box = boxOf(place);
  const isTaken = taken.some((one) => one.page === place.page && isOver(boxOf(one), box));
  if (isTaken) return 'taken';
  return isSameAround(place, old.letters, now.letters) ? null : 'text-differs';
}

const boxOf = ({ box: { x, y, width, height } }: PdfPlace) => ({
  x,
  y,
  right: x + width,
  top: y + height,
});

function isSameSize(one: PageMarks, other: PageMarks): boolean {
  const sides = ['x', 'y', 'width', 'height'] as const;
  const isNear = sides.every((side) => Math.abs(one.box[side] - other.box[side]) <= 1);
  return isNear && one.rotate === other.rotate;
}

function isWithin({ page, box }: PdfPlace, pages: readonly PageMarks[]): boolean {
  const shown = pages.find((one) => one.page === page)?.box;
  return (
    shown !== undefined &&
    box.x >= shown.x - 1 &&
    box.y >= shown.y - 1 &&
    box.x + box.width <= shown.x + shown.width + 1 &&
    box.y + box.height <= shown.y + shown.height + 1
  );
}

function isSameAround(
  place: PdfPlace,
  before: readonly PageCharacter[],
  after: readonly PageCharacter[],
): boolean {
  const [old, now] = [charactersAround(place, before), charactersAround(place, after)];
  if (old.length !== now.length) return false;
  return old.every((letter, at) => {
    const other = now[at];
    return (
      other !== undefined &&
      other.text === letter.text &&
      Math.abs(other.x - letter.x) <= MAX_CHARACTER_SHIFT &&
      Math.abs(other.y - letter.y) <= MAX_CHARACTER_SHIFT
    );
  });
}

/** Characters near a field's box, in an order independent of how the file was written. */
function charactersAround(
  { box }: PdfPlace,
  letters: readonly PageCharacter[],
): readonly PageCharacter[] {
  const near = letters.filter(
    ({ text, x, y, width }) =>
      text.trim() !== '' &&
      x + width >= box.x - MAX_LABEL_DISTANCE_BESIDE &&
      x <= box.x + box.width + MAX_LABEL_DISTANCE_BESIDE &&
      y >= box.y - MAX_LABEL_DISTANCE_ABOVE &&
      y <= box.y + box.height + MAX_LABEL_DISTANCE_ABOVE,
  );
  const lineOf = ({ y }: PageCharacter) => Math.round(y / (MAX_CHARACTER_SHIFT * 2));
  return near.toSorted((one, other) => lineOf(other) - lineOf(one) || one.x - other.x);
}
