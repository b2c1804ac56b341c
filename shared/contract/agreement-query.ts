import * as z from 'zod';
import { AgreementState } from '../model/agreement.ts';
import { AgreementKey, ConnectionId, Instant } from '../model/ids.ts';

/** As far as the matches of a search are counted before its first rows are shown. */
export const MAX_COUNTED = 1000;

/** As many as one bulk action takes. */
export const MAX_KEYS = 10_000;

/** The longest key and value of a tag (API v1, "Tags"), and the sign between them. */
const MAX_TAG_LENGTH = 128 + 1 + 256;

/** The four counters above the list. */
export const AgreementCounter = z.enum(['attention', 'expiring', 'my-turn', 'not-archived']);
export type AgreementCounter = z.infer<typeof AgreementCounter>;

/**
 * What an agreement must be to be listed; everything named must hold. Times run from `…From` up to,
 * not including, `…To`, and leave out agreements without that time.
 */
export const AgreementFilter = z.object({
  connectionId: ConnectionId.optional(),
  /** In one of these states. */
  states: z.array(AgreementState).min(1).optional(),
  counter: AgreementCounter.optional(),
  /** A party of ours can sign through the API now. */
  myTurn: z.boolean().optional(),
  /** Its PDF was saved by the archive. */
  archived: z.boolean().optional(),
  /** The service no longer has it, or no longer shows it to us. Without this both are listed. */
  gone: z.boolean().optional(),
  /** `key`, or `key=value`; exactly as the service has them. */
  tag: z.string().min(1).max(MAX_TAG_LENGTH).optional(),
  /** v2: the PDF template it was made of, as far as that is known here. */
  templateId: z.string().min(1).max(200).optional(),
  /**
   * Words, each the beginning of a word in the title, a party's name or e-mail address, the id or a
   * tag. Case and accents make no difference.
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
 * What costs another look for each row and is given when it is asked for: what the service gave
 * beside, and what was sent from here.
 */
export const RowMore = z.enum(['remote', 'sending']);
export type RowMore = z.infer<typeof RowMore>;

const more = z.array(RowMore).max(RowMore.options.length).optional();

export const AgreementSort = z.enum(['updated', 'title', 'closed', 'expires']);
export type AgreementSort = z.infer<typeof AgreementSort>;

export const SortDirection = z.enum(['ascending', 'descending']);
export type SortDirection = z.infer<typeof SortDirection>;

const order = {
  sort: AgreementSort.default('updated'),
  /**
   * Without it: updates and closings newest first, titles from A, expiries soonest first. What has
   * no such time stands last either way.
   */
  direction: SortDirection.optional(),
} as const;

/** A page of what matches; `after` goes on where the page before ended. */
export const AgreementQuery = AgreementFilter.extend({
  ...order,
  more,
  limit: z.number().int().min(1).max(1000).default(200),
  /** Opaque; from `next` of the page before. */
  after: z.string().optional(),
});
export type AgreementQuery = z.infer<typeof AgreementQuery>;

export const AgreementGrouping = z.enum(['none', 'state', 'connection', 'month']);
export type AgreementGrouping = z.infer<typeof AgreementGrouping>;

/**
 * Everything that matches, as one long list with places 0, 1, 2 …: group after group, and sorted
 * within each. Months are those of the time it is sorted by (by title: of the last update), in this
 * computer's time zone.
 */
export const AgreementView = AgreementFilter.extend({
  ...order,
  group: AgreementGrouping.default('none'),
  /** Of every row that is given; narrows nothing. */
  more,
});
export type AgreementView = z.infer<typeof AgreementView>;

/** A stretch of a view, wherever it begins; it costs the same at every depth. */
export const AgreementStretch = AgreementView.extend({
  from: z.number().int().min(0),
  limit: z.number().int().min(1).max(500),
  /** Counts no further than this where counting takes long; without it, all that match. */
  countUpTo: z.number().int().min(1).optional(),
});
export type AgreementStretch = z.infer<typeof AgreementStretch>;

/** The same, for keys alone. */
export const KeyStretch = AgreementStretch.omit({ countUpTo: true }).extend({
  limit: z.number().int().min(1).max(MAX_KEYS),
});
export type KeyStretch = z.infer<typeof KeyStretch>;

export const AgreementGroup = z.object({
  /** A state, a connection's id or a month as `2026-11`; null where the time is not known. */
  key: z.string().nullable(),
  /** The place of its first agreement in the view. */
  from: z.number().int(),
  count: z.number().int(),
});
export type AgreementGroup = z.infer<typeof AgreementGroup>;

export const AgreementKeys = z.object({
  keys: z.array(AgreementKey),
  /** Of all that match. */
  total: z.number().int(),
});
export type AgreementKeys = z.infer<typeof AgreementKeys>;
