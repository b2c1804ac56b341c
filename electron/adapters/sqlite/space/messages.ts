import * as z from 'zod';
import { DataSizes } from '../../../../shared/contract/privacy.ts';
import { Failure } from '../../../../shared/errors.ts';

/** What a thread is begun for; it ends with it. */
export const SpaceTask = z.object({
  do: z.enum(['measure', 'compact-in-steps', 'compact-whole']),
  file: z.string(),
  key: z.instanceof(Uint8Array),
});
export type SpaceTask = z.infer<typeof SpaceTask>;

export const Measured = DataSizes.omit({ diskBytes: true, logBytes: true });
export type Measured = z.infer<typeof Measured>;

export const SpaceReply = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('freed'), pages: z.number(), of: z.number() }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), failure: Failure.nullable(), stack: z.string() }),
]);
export type SpaceReply = z.infer<typeof SpaceReply>;
