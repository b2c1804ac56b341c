import type * as z from 'zod';

export interface Call<Input extends z.ZodType, Output extends z.ZodType> {
  readonly input: Input;
  readonly output: Output;
}

/** One row of a contract table: what a call takes and gives. Both are parsed on the serving side. */
export const call = <Input extends z.ZodType, Output extends z.ZodType>(
  input: Input,
  output: Output,
): Call<Input, Output> => ({ input, output });
