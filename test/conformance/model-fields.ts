import * as z from 'zod';

/**
 * Returns every field of a request body by its path, such as `parties[].notifications[].locale`:
 * containers and their contents, without indices. The names in a record are chosen by the user, so
 * a record is one field.
 */
export function fieldsOf(schema: z.ZodType, at = ''): readonly string[] {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray) return fieldsOf(typeOf(inner.element), `${at}[]`);
  if (!(inner instanceof z.ZodObject)) return [];
  return Object.entries(inner.shape).flatMap(([key, type]) => {
    const place = at === '' ? key : `${at}.${key}`;
    return [place, ...fieldsOf(typeOf(type), place)];
  });
}

/**
 * Converts a path as a service or a rule writes it (`/a/0/b`, `a[0].b`, `a.0.b`) to the form
 * `a[].b`.
 */
export function fieldAt(path: string): string {
  return path
    .replace(/^\//, '')
    .replaceAll('/', '.')
    .replaceAll(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
}

/** Whether a problem concerns the field: it is at the same field, around it or in it. */
export function concerns(problem: string, field: string): boolean {
  const within = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[]`);
  return within(problem, field) || within(field, problem);
}

/** Whether the body has a value for the field, in at least one item of each list on its path. */
export function isGiven(value: unknown, field: string): boolean {
  const [first = '', ...rest] = field.split('.');
  const key = first.replace('[]', '');
  const inner: unknown = Object.getOwnPropertyDescriptor(Object(value), key)?.value;
  if (inner === undefined) return false;
  if (rest.length === 0) return true;
  const items: readonly unknown[] = first.endsWith('[]') && Array.isArray(inner) ? inner : [inner];
  return items.some((item) => isGiven(item, rest.join('.')));
}

function unwrapped(schema: z.ZodType): z.ZodType {
  const isWrapper = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper ? unwrapped(typeOf(schema.unwrap())) : schema;
}

function typeOf(inner: unknown): z.ZodType {
  if (inner instanceof z.ZodType) return inner;
  throw new TypeError('The model holds something that is no schema');
}
