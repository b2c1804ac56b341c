import type { PdfPlace } from '../../model/pdf-place.ts';
import type { FoundPlace, PlacedField, PlacedKind } from '../../model/placed-field.ts';

/** Facts about an anchor that the document itself states, besides the text on the page. */
interface KnownAnchor {
  readonly anchor: string;
  readonly name: string;
  readonly kind: PlacedKind;
  readonly options: readonly string[];
}

/**
 * Returns the fields of anchors. Anchors with the same text are one field with several boxes,
 * because merge codes with one name show the same value. Facts in the document itself have priority
 * over the words of the anchor.
 */
export function fieldsOfAnchors(
  found: readonly FoundPlace[],
  known: readonly KnownAnchor[],
): readonly PlacedField[] {
  const codes = new Map(known.map((code) => [code.anchor, code]));
  const fields = new Map<string, PlacedField>();
  const names = new Set<string>();
  for (const { by, field: seen } of found) {
    if (by !== 'anchor') continue;
    const label = toPlainLabel(seen.label);
    const code = codes.get(label);
    const kind = code?.kind ?? seen.kind;
    const field = kind === 'checkbox' ? { ...seen, places: seen.places.map(toSquareBox) } : seen;
    const key = `${kind}/${label}`;
    const before = fields.get(key);
    if (before !== undefined) {
      fields.set(key, { ...before, places: [...before.places, ...field.places] });
      continue;
    }
    const name = uniqueAnchorName(toPlainLabel(code?.name ?? label), names);
    names.add(name);
    const options = [...(code?.options ?? field.options)];
    fields.set(key, { ...field, name, kind, label: code?.name ?? label, options });
  }
  return [...fields.values()];
}

/** Makes a checkbox as wide as it is high; its anchor is a word, which is wider. */
const toSquareBox = ({ page, box }: PdfPlace): PdfPlace => ({
  page,
  box: { ...box, width: Math.min(box.width, box.height) },
});

/** Replaces white space with spaces, and full stops, which would make a group of fields. */
const toPlainLabel = (text: string): string =>
  text
    .replaceAll(/[.\u0000-\u001f]+/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();

function uniqueAnchorName(text: string, names: ReadonlySet<string>): string {
  const name = text.slice(0, 100).trim() || 'Field';
  if (!names.has(name)) return name;
  for (let number = 2; ; number += 1) {
    const next = `${name} ${String(number)}`;
    if (!names.has(next)) return next;
  }
}
