import * as z from 'zod';
import { BackupManifest } from '../../../shared/contract/backup.ts';
import { Failure } from '../../../shared/errors.ts';
import type { PackOrder } from '../../core/backup/ports.ts';

const Bytes = z.instanceof(Uint8Array);
const Order: z.ZodType<PackOrder> = z.object({
  part: z.string(),
  keys: z.object({ recipient: z.string(), wrapped: Bytes }),
  administrator: z.string().nullable(),
  manifest: BackupManifest,
  secrets: z.object({ dataKey: z.string(), credentials: z.record(z.string(), z.string()) }),
  database: z.string(),
});

/** What a thread is begun for; it ends with it. */
export const BackupTask = z.discriminatedUnion('do', [
  z.object({ do: z.literal('make-keys'), phrase: z.string(), work: z.number().int().optional() }),
  z.object({ do: z.literal('check-secret'), wrapped: Bytes, secret: z.string() }),
  z.object({ do: z.literal('pack'), order: Order }),
  z.object({ do: z.literal('unpack'), file: z.string(), secret: z.string(), into: z.string() }),
]);
export type BackupTask = z.infer<typeof BackupTask>;

export type BackupReply =
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly failure: Failure | null; readonly stack: string };

export const Reply: z.ZodType<BackupReply> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bytes'), bytes: z.number() }),
  z.object({ kind: z.literal('done'), value: z.unknown() }),
  z.object({ kind: z.literal('failed'), failure: Failure.nullable(), stack: z.string() }),
]);

export const Keys = z.object({ recipient: z.string(), wrapped: z.instanceof(Uint8Array) });
export const Packed = z.object({ bytes: z.number() });
export const UnpackedReply = z.object({
  manifest: BackupManifest,
  secrets: z.object({ dataKey: z.string(), credentials: z.record(z.string(), z.string()) }),
  bytes: z.number(),
});
