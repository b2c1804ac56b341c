import * as z from 'zod';
import { Failure } from '../../../../shared/errors.ts';

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

/**
 * Why something did not go. What is known of a send, an action or a connection is worth more than the
 * sentence: one that cannot be understood is told as that.
 */
export const failureColumn = jsonColumn(Failure).catch({
  code: 'unexpected',
  message: 'The stored reason cannot be read',
});
