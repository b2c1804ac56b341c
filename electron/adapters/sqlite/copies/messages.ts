import * as z from 'zod';
import { ApiName, ConnectionId } from '../../../../shared/model/ids.ts';
import { Failure } from '../../../../shared/errors.ts';
import type { Retirement, Retired } from '../../../core/sync/ports.ts';
import type { RemoteAgreement } from '../../../../shared/model/agreement.ts';
import { blobColumn } from '../database/columns.ts';

/** What the thread begins with. The key goes from memory to memory, and nowhere else. */
export const Setup = z.object({
  file: z.string(),
  key: blobColumn,
  turn: z.instanceof(SharedArrayBuffer),
});

const FullReading = z.object({
  startedAt: z.number(),
  serverTime: z.number().nullable(),
  total: z.number().nullable(),
  place: z.object({ position: z.number().nullable(), pages: z.number() }).nullable(),
});

const Page = z.object({
  connectionId: ConnectionId,
  api: ApiName,
  /** Each of them is parsed as it is written. */
  items: z.custom<readonly RemoteAgreement[]>(Array.isArray),
  readAt: z.number(),
  full: FullReading.nullable(),
});

const Place = z.object({ doneAt: z.number(), row: z.number() }).nullable();
const Order: z.ZodType<Retirement> = z.object({
  before: z.number(),
  after: Place,
  limit: z.number(),
  at: z.number(),
});

/** What the thread is asked; the numbers are those of the replies. */
export const Ask = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('store'),
    number: z.number(),
    page: Page,
    /** Failures of its connection that were known when the page was given. */
    failures: z.number(),
  }),
  z.object({ do: z.literal('build'), number: z.number() }),
  z.object({ do: z.literal('retire'), number: z.number(), order: Order }),
  z.object({ do: z.literal('beginBulk') }),
  z.object({ do: z.literal('endBulk') }),
  z.object({ do: z.literal('end') }),
]);
export type Ask = z.infer<typeof Ask>;

export const Stored = z.object({ added: z.number(), changed: z.number() });
export const Built = z.boolean();
export const Gone: z.ZodType<Retired> = z.object({ removed: z.number(), next: Place });

/** Only failures the program throws on purpose keep their words; others tell their stack to the log. */
export const Reply = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), number: z.number(), value: z.union([Stored, Built, Gone]) }),
  z.object({
    ok: z.literal(false),
    number: z.number(),
    /** Of its connection so far. */
    failures: z.number(),
    failure: Failure.nullable(),
    stack: z.string(),
  }),
]);
export type Reply = z.infer<typeof Reply>;
