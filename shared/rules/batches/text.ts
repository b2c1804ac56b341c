/** How a cell is read. */
type ColumnUse = 'text' | 'yes-no' | 'day';

/** A part of a mapped text: fixed text, a column's cell, or a value of the program. */
export type Segment =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'column'; readonly name: string; readonly as: ColumnUse }
  | { readonly kind: 'today'; readonly addDays: number; readonly format: string }
  | { readonly kind: 'number' };

/** Default format of `{=today}`. */
export const DEFAULT_DAY_FORMAT = 'yyyy-MM-dd';

/** Placeholders in a text: `{{…}}` is the service's and is kept, `{…}` is this program's. */
const PLACEHOLDER_PATTERN = /\{\{[^{}]*\}\}|\{([^{}]+)\}/g;
const TODAY_PATTERN = /^=today([+-]\d{1,5})?(?::(.+))?$/;
/** A cell read as yes or no, or as a day: `{Accepted|yes-no}`, `{Moves in|day}`. */
const USE_PATTERN = /^(.*)\|(yes-no|day)$/;

/** Parts of a text of a mapping, such as `Lease {Surname}`. */
export function segmentsOf(text: string): readonly Segment[] {
  const segments: Segment[] = [];
  let end = 0;
  for (const found of text.matchAll(PLACEHOLDER_PATTERN)) {
    const [whole, inside] = found;
    if (inside === undefined) continue;
    if (found.index > end) segments.push({ kind: 'literal', text: text.slice(end, found.index) });
    segments.push(placeholder(inside.trim()));
    end = found.index + whole.length;
  }
  if (end < text.length) segments.push({ kind: 'literal', text: text.slice(end) });
  return segments;
}

function placeholder(inside: string): Segment {
  const today = TODAY_PATTERN.exec(inside);
  if (today !== null) {
    return {
      kind: 'today',
      addDays: Number(today[1] ?? 0),
      format: today[2] ?? DEFAULT_DAY_FORMAT,
    };
  }
  if (inside === '=number') return { kind: 'number' };
  const used = USE_PATTERN.exec(inside);
  return used === null
    ? { kind: 'column', name: inside, as: 'text' }
    : { kind: 'column', name: (used[1] ?? '').trim(), as: used[2] === 'day' ? 'day' : 'yes-no' };
}

export function renamePlaceholders(text: string, rename: (name: string) => string): string {
  return segmentsOf(text)
    .map((segment) => {
      switch (segment.kind) {
        case 'literal':
          return segment.text;
        case 'column':
          return `{${rename(segment.name)}${segment.as === 'text' ? '' : `|${segment.as}`}}`;
        case 'number':
          return '{=number}';
        case 'today': {
          const { addDays, format } = segment;
          const days = addDays === 0 ? '' : addDays > 0 ? `+${addDays}` : String(addDays);
          return `{=today${days}:${format}}`;
        }
      }
    })
    .join('');
}
