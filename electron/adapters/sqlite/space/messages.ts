import * as z from 'zod';
import { DataSizes } from '../../../../shared/contract/privacy.ts';

/** What a thread is begun for; it ends with it. */
export const SpaceTask = z.object({
  do: z.enum(['measure', 'compact-in-steps', 'compact-whole']),
  file: z.string(),
  key: z.instanceof(Uint8Array),
});
export type SpaceTask = z.infer<typeof SpaceTask>;

export const Measured = DataSizes.omit({ diskBytes: true, logBytes: true });
export type Measured = z.infer<typeof Measured>;

/** How much of what is free was given back so far. */
export const Freed = z.object({ pages: z.number(), of: z.number() });
export type Freed = z.infer<typeof Freed>;
