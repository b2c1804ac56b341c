import * as z from 'zod';

/** A column that holds JSON text; gives the value parsed by `schema`. */
export function jsonColumn<Value>(schema: z.ZodType<Value>) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        // The parser's own message quotes the text.
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** SQLite has no booleans: 0 or 1. */
export const flagColumn = z.union([z.literal(0), z.literal(1)]).transform((flag) => flag === 1);

export const blobColumn = z.instanceof(Uint8Array);
