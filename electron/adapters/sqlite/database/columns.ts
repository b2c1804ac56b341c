import * as z from 'zod';
import { Failure } from '../../../../shared/errors.ts';

/** Returns a schema of a column with JSON text, whose value is then parsed by `schema`. */
export function jsonColumn<Value>(schema: z.ZodType<Value>) {
  return z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        // The parser's own message would quote the text.
        context.addIssue({ code: 'custom', message: 'not JSON' });
        return z.NEVER;
      }
    })
    .pipe(schema);
}

/** Column of a boolean: SQLite has none, so it stores 0 or 1. */
export const flagColumn = z.union([z.literal(0), z.literal(1)]).transform((flag) => flag === 1);

export const blobColumn = z.instanceof(Uint8Array);

/**
 * Column of a failure of a send, an action or a connection. An unreadable failure gets a generic
 * message, so that the rest of the row stays readable.
 */
export const failureColumn = jsonColumn(Failure).catch({
  code: 'unexpected',
  message: 'The stored reason cannot be read',
});
