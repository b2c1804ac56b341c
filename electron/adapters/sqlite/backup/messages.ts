import * as z from 'zod';
import { BackupCounts } from '../../../../shared/contract/backup.ts';
import type { DataFacts } from '../../../core/copy-ports.ts';

const Key = z.instanceof(Uint8Array);

/** What a thread is begun for; it ends with it. */
export const CopyTask = z.discriminatedUnion('do', [
  z.object({ do: z.literal('take'), file: z.string(), key: Key, into: z.string() }),
  z.object({ do: z.literal('inspect'), file: z.string(), key: Key }),
  z.object({ do: z.literal('change-key'), file: z.string(), key: Key, newKey: Key }),
]);
export type CopyTask = z.infer<typeof CopyTask>;

export const Facts: z.ZodType<DataFacts> = z.object({
  schema: z.number(),
  bytes: z.number(),
  sha256: z.string(),
  counts: BackupCounts,
  evidence: z.object({ entries: z.number(), hash: z.string() }),
});
