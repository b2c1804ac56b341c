import type * as z from 'zod';

export interface Call<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
}

/** One row of a contract table: input and output of a call. The serving side parses both. */
export const call = <Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): Call<Input, Output> => ({ input, output });
