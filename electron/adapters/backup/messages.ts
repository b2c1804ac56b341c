import * as z from 'zod';
import { BackupManifest } from '../../../shared/contract/backup.ts';
import { Failure } from '../../../shared/errors.ts';
import type { PackOrder } from '../../core/backup/ports.ts';

/** What a thread is begun for; it ends with it. */
export type BackupTask =
  | { readonly do: 'make-keys'; readonly phrase: string }
  | { readonly do: 'pack'; readonly order: PackOrder }
  | {
      readonly do: 'unpack';
      readonly file: string;
      readonly secret: string;
      readonly into: string;
    };

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
