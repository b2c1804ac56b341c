import * as z from 'zod';
import { call } from '../call.ts';
import { Failure } from '../../errors.ts';
import { Instant, EmptyObject } from '../../model/ids.ts';

/**
 * Kind of a shared item. A personal number is a separate item, because not every user may see
 * personal numbers; the same applies to drafts.
 */
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

/** Sets of data that a computer may share with its office. */
export const SharedItemSet = z.enum([
  'address-book',
  'views',
  'templates',
  'reminder-rules',
  'drafts',
]);
export type SharedItemSet = z.infer<typeof SharedItemSet>;

const OfficeSharing = z.object({
  set: SharedItemSet,
  isShared: z.boolean(),
  items: z.int(),
  /** Number of conflicting fields. */
  questions: z.int(),
});

/**
 * A field that was changed on this computer and on another one; both values are kept until the user
 * chooses.
 */
export const OfficeQuestion = z.object({
  kind: OfficeItemKind,
  id: z.uuid(),
  title: z.string(),
  /**
   * Path of the field in the format of `shared/rules/office/field-path.ts`; empty if one side
   * removed the whole item.
   */
  field: z.string(),
  /** Value on this computer as text, with a masked personal number; null if there is no value. */
  here: z.string().nullable(),
  inOffice: z.string().nullable(),
  /** User who wrote the office's value. */
  seat: z.string(),
});
export type OfficeQuestion = z.infer<typeof OfficeQuestion>;

export const officeItemCalls = {
  /**
   * Returns what this computer shares, from local data only. `exchangedAt` is the time of the last
   * complete exchange; null if there was none.
   */
  'office.sharing': call(
    EmptyObject,
    z.object({
      sets: z.array(OfficeSharing),
      exchangedAt: Instant.nullable(),
      failure: Failure.nullable(),
    }),
  ),
  /** Starts or stops sharing; this computer keeps its data in both cases. */
  'office.share': call(z.object({ set: SharedItemSet, isShared: z.boolean() }), EmptyObject),
  /** Exchanges changes with the office now. Throws 'offline'. */
  'office.exchange': call(EmptyObject, z.object({ received: z.int(), sent: z.int() })),
  'office.questions': call(EmptyObject, z.array(OfficeQuestion)),
  /**
   * Records the user's choice for a conflict. Throws 'not-found' if the conflict no longer exists.
   */
  'office.answer': call(
    OfficeQuestion.pick({ kind: true, id: true, field: true }).extend({
      take: z.enum(['here', 'office']),
    }),
    EmptyObject,
  ),
} as const;

export const officeItemEvents = { 'office.exchanged': EmptyObject } as const;
