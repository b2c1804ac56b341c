import * as z from 'zod';
import { Instant } from '../model/ids.ts';

/**
 * States in the service's filter (API v1, "List Agreements"), which differ from the states of an
 * agreement.
 */
export const SelectedStateV1 = z.enum([
  'READY_TO_SIGN',
  'SIGNED',
  'AWAITING',
  'SIGNED_BY_ALL',
  'CLOSED',
  'REJECTED',
  'REVOKED',
  'CANCELLED',
]);
export type SelectedStateV1 = z.infer<typeof SelectedStateV1>;

/**
 * Statuses in the service's filter (API v2, "List Agreements"); the status decides which date the
 * times are compared with.
 */
export const SelectedStatusV2 = z.enum(['NOT_SIGNED', 'CLOSED', 'REJECTED', 'MODIFIED', 'ALL']);
export type SelectedStatusV2 = z.infer<typeof SelectedStatusV2>;

const selectionStart = Instant.exactOptional();
const selectionEnd = Instant.exactOptional();

/** The service's own selection of agreements; v1 accepts one filter in a request. */
export const SelectionV1 = z.union([
  z.strictObject({ state: SelectedStateV1 }),
  /** Range of times, of which one end may be open, but not both. */
  z.strictObject({
    active: z.union([
      z.strictObject({ from: Instant, to: selectionEnd }),
      z.strictObject({ to: Instant }),
    ]),
  }),
]);
export type SelectionV1 = z.infer<typeof SelectionV1>;

export const SelectionV2 = z.strictObject({
  status: SelectedStatusV2,
  templateId: z.string().min(1).max(200).exactOptional(),
  from: selectionStart,
  to: selectionEnd,
});
export type SelectionV2 = z.infer<typeof SelectionV2>;

export const Selection = z.union([SelectionV1, SelectionV2]);
export type Selection = z.infer<typeof Selection>;
