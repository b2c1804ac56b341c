import * as z from 'zod';

/**
 * Every field of a request body by its path, `parties[].notifications[].locale`: containers, what
 * is in them, and no index. The names of a record are a person's own, so it is one field.
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

/** A path as a service or a rule writes it (`/a/0/b`, `a[0].b`, `a.0.b`), as `a[].b`. */
export function fieldAt(path: string): string {
  return path
    .replace(/^\//, '')
    .replaceAll('/', '.')
    .replaceAll(/\[\d+\]|\.\d+(?=\.|$)/g, '[]');
}

/** Whether a problem at one field says something of the other: the same one, around it or in it. */
export function concerns(problem: string, field: string): boolean {
  const within = (inner: string, outer: string) =>
    inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[]`);
  return within(problem, field) || within(field, problem);
}

/** Whether a body says something for the field, in at least one of the places it may stand. */
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
