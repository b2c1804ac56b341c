import * as z from 'zod';

/** Whether the error is a `ZodError`: the parsed data does not match its schema. */
export const isSchemaError = (error: unknown): boolean => error instanceof z.ZodError;
