/** Data that JSON represents without loss. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

/**
 * Returns the same text for the same data regardless of the order of its keys: keys sorted by code
 * unit, no white space, keys with undefined omitted. A hash of the text is a hash of the data.
 */
export function canonicalJson(value: Json): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([key, held]) =>
      held === undefined ? [] : [`${JSON.stringify(key)}:${canonicalJson(held)}`],
    );
  return `{${members.join(',')}}`;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
