import * as z from 'zod';

/** Whether the error is from parsing data of another shape. */
export const isSchemaError = (error: unknown): boolean => error instanceof z.ZodError;
