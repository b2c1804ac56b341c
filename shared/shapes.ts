import * as z from 'zod';

/** Whether it was thrown by whoever read data of another shape. */
export const isOfOtherShape = (error: unknown): boolean => error instanceof z.ZodError;
