import * as z from 'zod';
import { call } from '../call.ts';
import { Failure } from '../../errors.ts';
import { Instant, Nothing } from '../../model/ids.ts';

/** What one item is. A person's number is an item of its own: it and drafts are not for every seat. */
export const OfficeItemKind = z.enum([
  'person',
  'number',
  'group',
  'view',
  'template',
  'reminder-rule',
  'draft',
]);
export type OfficeItemKind = z.infer<typeof OfficeItemKind>;

/** What a desk shares with its office, or does not. */
export const OfficeSet = z.enum(['address-book', 'views', 'templates', 'reminder-rules', 'drafts']);
export type OfficeSet = z.infer<typeof OfficeSet>;

/** How a desk shares one of them. */
const OfficeSharing = z.object({
  set: OfficeSet,
  isShared: z.boolean(),
  /** Items that the office has. */
  items: z.int(),
  /** Fields of which a person is asked. */
  questions: z.int(),
});

/** A field that was changed here and at another desk; both are kept until a person chooses. */
export const OfficeQuestion = z.object({
  kind: OfficeItemKind,
  id: z.uuid(),
  title: z.string(),
  /** As `shared/rules/office/field-path.ts` writes it; empty: one side removed all of it. */
  field: z.string(),
  /** As a text, a personal number masked; null: there is none. */
  here: z.string().nullable(),
  inOffice: z.string().nullable(),
  /** Who sits where the office's was written. */
  seat: z.string(),
});
export type OfficeQuestion = z.infer<typeof OfficeQuestion>;

export const officeItemCalls = {
  /** Asks nobody. `exchangedAt`: when all of it was sent and received last; null: never. */
  'office.sharing': call(
    Nothing,
    z.object({
      sets: z.array(OfficeSharing),
      exchangedAt: Instant.nullable(),
      failure: Failure.nullable(),
    }),
  ),
  /** From now on, or no more; what this desk has stays here either way. */
  'office.share': call(z.object({ set: OfficeSet, isShared: z.boolean() }), Nothing),
  /** Sends and receives now. Throws 'offline'. */
  'office.exchange': call(Nothing, z.object({ received: z.int(), sent: z.int() })),
  'office.questions': call(Nothing, z.array(OfficeQuestion)),
  /** Throws 'not-found' where nobody is asked that any more. */
  'office.answer': call(
    OfficeQuestion.pick({ kind: true, id: true, field: true }).extend({
      take: z.enum(['here', 'office']),
    }),
    Nothing,
  ),
} as const;

export const officeItemEvents = { 'office.exchanged': Nothing } as const;
