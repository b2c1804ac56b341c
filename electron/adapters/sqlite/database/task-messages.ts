import * as z from 'zod';
import { Failure } from '../../../../shared/errors.ts';

/** What a thread that does one task posts. */
export const TaskReply = z.discriminatedUnion('kind', [
  /** From now on it may be stopped. */
  z.object({ kind: z.literal('loaded') }),
  z.object({ kind: z.literal('progress'), value: z.unknown() }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), failure: Failure.nullable(), stack: z.string() }),
]);
export type TaskReply = z.infer<typeof TaskReply>;
