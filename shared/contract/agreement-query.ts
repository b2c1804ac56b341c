import * as z from 'zod';
import { AgreementState } from '../model/agreement.ts';
import { AgreementKey, ConnectionId, Instant } from '../model/ids.ts';

/** Maximum number of matches counted before the first rows of a search are shown. */
export const MAX_COUNTED_MATCHES = 1000;

/** Maximum number of agreements in one bulk action. */
export const MAX_BULK_KEYS = 10_000;

/** Maximum length of a tag: key, separator and value (API v1, "Tags"). */
const MAX_TAG_LENGTH = 128 + 1 + 256;

/**
 * Counters above the list. `attention` includes each agreement whose archived file was found damaged;
 * `not-archived` includes it while the service has the agreement.
 */
export const AgreementCounter = z.enum(['attention', 'expiring', 'my-turn', 'not-archived']);
export type AgreementCounter = z.infer<typeof AgreementCounter>;

/**
 * Filter of the agreement list; an agreement must meet all named conditions. A range starts at
 * `…From` and ends before `…To`; it excludes agreements without that time.
 */
export const AgreementFilter = z.object({
  connectionId: ConnectionId.optional(),
  states: z.array(AgreementState).min(1).optional(),
  counter: AgreementCounter.optional(),
  /** Whether one of our parties can sign through the API now. */
  myTurn: z.boolean().optional(),
  /** Whether the PDF is in the archive, and its file was not found damaged. */
  archived: z.boolean().optional(),
  /**
   * Whether the service has deleted the agreement or no longer shows it to us. Default: includes
   * agreements of either kind.
   */
  gone: z.boolean().optional(),
  /** Whether the agreement's connection still exists. Default: includes removed connections. */
  connected: z.boolean().optional(),
  /** Tag as `key` or `key=value`, exactly as on the service. */
  tag: z.string().min(1).max(MAX_TAG_LENGTH).optional(),
  /** v2: ID of the agreement's PDF template, if this computer knows it. */
  templateId: z.string().min(1).max(200).optional(),
  /**
   * Search text: beginnings of words in the title, a party's name or email address, the ID or a
   * tag. Ignores case and accents.
   */
  search: z.string().max(200).optional(),
  updatedFrom: Instant.optional(),
  updatedTo: Instant.optional(),
  closedFrom: Instant.optional(),
  closedTo: Instant.optional(),
  expiresFrom: Instant.optional(),
  expiresTo: Instant.optional(),
});
export type AgreementFilter = z.infer<typeof AgreementFilter>;

/**
 * Columns that need another query for each row and are included only on request: extra data of the
 * service, data about sending from this computer, and the parties that can sign now.
 */
export const OptionalRowPart = z.enum(['remote', 'sending', 'awaited']);
export type OptionalRowPart = z.infer<typeof OptionalRowPart>;

const optionalRowParts = z.array(OptionalRowPart).max(OptionalRowPart.options.length).optional();

export const AgreementSort = z.enum(['updated', 'title', 'closed', 'expires']);
export type AgreementSort = z.infer<typeof AgreementSort>;

export const SortDirection = z.enum(['ascending', 'descending']);
export type SortDirection = z.infer<typeof SortDirection>;

const sortFields = {
  sort: AgreementSort.default('updated'),
  /**
   * Sort direction. Default: updates and closings newest first, titles from A, expiries soonest
   * first. Agreements without that time are last in either direction.
   */
  direction: SortDirection.optional(),
} as const;

/** Query for one page of matches; `after` continues where the previous page ended. */
export const AgreementQuery = AgreementFilter.extend({
  ...sortFields,
  more: optionalRowParts,
  limit: z.number().int().min(1).max(1000).default(200),
  /** `next` of the previous page; opaque. */
  after: z.string().optional(),
});
export type AgreementQuery = z.infer<typeof AgreementQuery>;

export const AgreementGrouping = z.enum(['none', 'state', 'connection', 'month']);
export type AgreementGrouping = z.infer<typeof AgreementGrouping>;

/**
 * All matches as one list with positions 0, 1, 2 …, sorted within each group. Months are those of
 * the sort time (for titles: of the last update), in this computer's time zone.
 */
export const AgreementView = AgreementFilter.extend({
  ...sortFields,
  group: AgreementGrouping.default('none'),
  /** Extra columns of every returned row; does not filter. */
  more: optionalRowParts,
});
export type AgreementView = z.infer<typeof AgreementView>;

/** Part of a view from any position; the cost of the query does not depend on the position. */
export const AgreementSlice = AgreementView.extend({
  from: z.number().int().min(0),
  limit: z.number().int().min(1).max(500),
  /** Number of matches at which slow counting stops; default: counts all matches. */
  countUpTo: z.number().int().min(1).optional(),
});
export type AgreementSlice = z.infer<typeof AgreementSlice>;

/** Part of a view from any position, for the keys of its agreements only. */
export const AgreementKeySlice = AgreementSlice.omit({ countUpTo: true }).extend({
  limit: z.number().int().min(1).max(MAX_BULK_KEYS),
});
export type AgreementKeySlice = z.infer<typeof AgreementKeySlice>;

export const AgreementGroup = z.object({
  /**
   * Key of the group: a state, a connection ID or a month as `2026-11`; null if the time is not
   * known.
   */
  key: z.string().nullable(),
  /** Position of the group's first agreement in the view. */
  from: z.number().int(),
  count: z.number().int(),
});
export type AgreementGroup = z.infer<typeof AgreementGroup>;

export const AgreementKeys = z.object({
  keys: z.array(AgreementKey),
  total: z.number().int(),
});
export type AgreementKeys = z.infer<typeof AgreementKeys>;
