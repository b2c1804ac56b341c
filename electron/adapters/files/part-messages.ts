import * as z from 'zod';
import { Failure } from '../../../shared/errors.ts';
import type { NamedFile } from '../../core/ports.ts';
import type { SeenEnds } from './inspect.ts';
import type { FlushedPart } from './part.ts';

/** What the thread is asked; a part is named by its path, and opened by its first bytes or its end. */
export type PartTask =
  | {
      readonly do: 'write';
      readonly part: string;
      readonly buffer: Uint8Array<ArrayBuffer>;
      readonly length: number;
    }
  | { readonly do: 'finish'; readonly part: string; readonly pdf: SeenEnds | null }
  | { readonly do: 'drop'; readonly part: string }
  | { readonly do: 'name'; readonly files: readonly string[] };

export interface PartAsk {
  readonly number: number;
  readonly task: PartTask;
}

/** The buffer that was written, to be filled again. */
export const Written = z.custom<Uint8Array<ArrayBuffer>>(
  (value) => value instanceof Uint8Array && value.buffer instanceof ArrayBuffer,
);
export const Flushed = z.object({ sha256: z.string(), seal: z.string().nullable() });
export const Named = z.array(
  z.union([
    z.object({ failure: z.null(), changedAt: z.number().nullable() }),
    z.object({ failure: Failure }),
  ]),
);

export type PartResult = Uint8Array<ArrayBuffer> | FlushedPart | readonly NamedFile[] | null;

/** `failure` is null for an unexpected error, which has its stack alone. */
export type PartReply =
  | { readonly number: number; readonly ok: true; readonly value: PartResult }
  | {
      readonly number: number;
      readonly ok: false;
      readonly failure: Failure | null;
      readonly stack: string;
    };
