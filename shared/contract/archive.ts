import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState } from '../model/agreement.ts';
import { AgreementFilter } from './agreement-query.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ConnectionId, Instant, Nothing } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** The API limits decide below it; above it waiting in the line costs more than it brings. */
export const MAX_PARALLEL = 32;
/** On a line with a delay of 50 ms this reaches nine tenths of what the delay allows. */
export const USUAL_PARALLEL = 8;

/** What can lie beside the PDF. */
export const ArchiveBeside = z.enum(['attachments', 'json', 'xml', 'evidence']);
export type ArchiveBeside = z.infer<typeof ArchiveBeside>;

/** Which agreements; everything named must hold. Without `states` those that everybody signed. */
export const ArchiveFilter = AgreementFilter.pick({
  connectionId: true,
  tag: true,
  templateId: true,
  search: true,
  closedFrom: true,
  closedTo: true,
}).extend({
  /** Of the others the service gives what it has, which is kept as an unsigned copy. */
  states: z.array(AgreementState.extract(['signed', 'rejected', 'revoked', 'expired'])).optional(),
});
export type ArchiveFilter = z.infer<typeof ArchiveFilter>;

const place = {
  folder: z.string().min(1),
  /** Folders within it, with the tokens of names, such as `{connection}/{closed:yyyy}`. */
  subfolder: z.string().max(200).optional(),
  pattern: z.string().min(1).max(200).optional(),
} as const;

const parallel = z.number().int().min(1).max(MAX_PARALLEL).default(USUAL_PARALLEL);

export const ArchiveRun = z.object({
  ...place,
  connectionId: ConnectionId.optional(),
  /** Only these; without it, all that are concluded. */
  only: z.array(AgreementKey).optional(),
  /** Closed at or after, and before; epoch milliseconds. */
  since: Instant.optional(),
  until: Instant.optional(),
  filter: ArchiveFilter.optional(),
  beside: z.array(ArchiveBeside).optional(),
  parallel,
  limit: z.number().int().min(1).optional(),
  /** Save everything again into a folder that was emptied. */
  anew: z.boolean().optional(),
});
export type ArchiveRun = z.infer<typeof ArchiveRun>;

/** What is odd about a PDF that was saved all the same. */
export const ArchiveDoubt = z.enum([
  'seal-extended',
  'seal-malformed',
  /** Made with a certificate for tests, though the connection is for production. */
  'seal-of-test',
  /** Another agreement has the very same PDF: the service mixed them up. */
  'same-as-another',
]);
export type ArchiveDoubt = z.infer<typeof ArchiveDoubt>;

export const ArchiveResult = z.object({
  listed: z.number().int(),
  saved: z.number().int(),
  present: z.number().int(),
  /** Told to be signed, but the service has not bound the PDF yet; the next run fetches it. */
  waiting: z.number().int(),
  /** Saved, without a seal that covers the whole file. */
  unsealed: z.number().int(),
  failed: z.array(
    z.object({ connectionId: ConnectionId, id: AgreementId, title: z.string(), failure: Failure }),
  ),
  doubtful: z.array(AgreementKey.extend({ title: z.string(), doubt: ArchiveDoubt })),
  bytes: z.number().int(),
  seconds: z.number(),
  folder: z.string(),
  /** The seat of the office whose desk did it, or does it now, instead. */
  doneBy: z.string().optional(),
});
export type ArchiveResult = z.infer<typeof ArchiveResult>;

/** What can stand in a column of the index that every folder of an archive has. */
export const IndexColumn = z.enum([
  'file',
  'sha256',
  'bytes',
  'kind',
  'seal',
  'connection',
  'environment',
  'id',
  'title',
  'parties',
  'closed',
  'saved',
  'sent',
  'sentBy',
  'partyStates',
  'addresses',
  'tags',
  'template',
  'batch',
  'batchRow',
]);
export type IndexColumn = z.infer<typeof IndexColumn>;

/** From left to right. A row that names no file would say nothing. */
export const IndexColumns = z
  .array(IndexColumn)
  .max(IndexColumn.options.length)
  .refine((columns) => columns.includes('file') && new Set(columns).size === columns.length);

/** What an index has until a person chooses: all but what may have to be looked up. */
export const usualIndexColumns: readonly IndexColumn[] = IndexColumn.options.slice(
  0,
  IndexColumn.options.indexOf('sent'),
);

/** What reading a file again found. */
export const ArchiveFinding = z.enum(['intact', 'changed', 'missing']);
export type ArchiveFinding = z.infer<typeof ArchiveFinding>;

export const ArchiveItem = z.object({
  connectionId: ConnectionId,
  id: AgreementId,
  title: z.string(),
  parties: z.array(z.string()).nullable(),
  closedAt: Instant.nullable(),
  deletesAt: Instant.nullable(),
  state: z.enum(['not-archived', 'archived', 'deleted-on-service']),
  file: z.string().nullable(),
  sha256: z.string().nullable(),
  savedAt: Instant.nullable(),
  /** When the file was read again, and what that found; null until then. */
  checkedAt: Instant.nullable(),
  finding: ArchiveFinding.nullable(),
});
export type ArchiveItem = z.infer<typeof ArchiveItem>;

/** Files are named relative to the folder, with `/`. */
export const ArchiveVerdict = z.object({
  folder: z.string(),
  /** That should be there. */
  files: z.number().int(),
  ok: z.number().int(),
  changed: z.array(z.string()),
  missing: z.array(z.string()),
  unknown: z.array(z.string()),
  /** The index and the other lists that are gone, or not as this computer wrote them. */
  lists: z.array(z.string()),
  /** Signed agreements that the service listed, those saved here, and those that are not. */
  agreements: z.object({
    listed: z.number().int(),
    saved: z.number().int(),
    notSaved: z.array(AgreementKey.extend({ title: z.string() })),
  }),
  at: Instant,
});
export type ArchiveVerdict = z.infer<typeof ArchiveVerdict>;

export const BagResult = z.object({
  folder: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** What the archive names and is not there, or not as it was saved; it is not in the bag. */
  leftOut: z.array(z.string()),
});
export type BagResult = z.infer<typeof BagResult>;

export const ArchiveRuleId = z.uuid().brand('ArchiveRuleId');
export type ArchiveRuleId = z.infer<typeof ArchiveRuleId>;

/** By the clock of this computer. */
const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

export const ArchiveWhen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('by-hand') }),
  /** After every reading of the service. */
  z.object({ kind: z.literal('completion') }),
  z.object({ kind: z.literal('daily'), at: TimeOfDay }),
]);
export type ArchiveWhen = z.infer<typeof ArchiveWhen>;

export const ArchiveRule = z.object({
  id: ArchiveRuleId,
  name: z.string().trim().min(1).max(80),
  ...place,
  filter: ArchiveFilter,
  beside: z.array(ArchiveBeside),
  when: ArchiveWhen,
  /** Switched off it runs by hand alone. */
  isOn: z.boolean().default(true),
  parallel,
  createdAt: Instant,
});
export type ArchiveRule = z.infer<typeof ArchiveRule>;

/** How a rule's last run went. */
export const ArchiveRuleRun = z.object({
  at: Instant,
  saved: z.number().int(),
  failed: z.number().int(),
  failure: Failure.nullable(),
  /** How many runs in a row, this one among them, could do nothing at all. */
  inRow: z.number().int().default(0),
  /** The seat of the office whose desk did it instead. */
  doneBy: z.string().optional(),
});
export type ArchiveRuleRun = z.infer<typeof ArchiveRuleRun>;

export const ArchiveRuleShown = z.object({
  rule: ArchiveRule,
  last: ArchiveRuleRun.nullable(),
  /** It failed three times in a row, and waits for a person. */
  isPaused: z.boolean(),
  /** When it falls due next; in the past when it was missed. Null without a time. */
  dueAt: Instant.nullable(),
});
export type ArchiveRuleShown = z.infer<typeof ArchiveRuleShown>;

const ArchivePreview = z.object({
  /** Of the first few agreements, with their folders. */
  names: z.array(z.string()),
  /** How many agreements there are in all. */
  total: z.number().int(),
  /** Names that several would have; the later ones get their id behind it. */
  collisions: z.array(z.string()),
  /** Paths that Windows would not open. */
  tooLong: z.array(z.string()),
});
type ArchivePreview = z.infer<typeof ArchivePreview>;

export const archiveCalls = {
  /** A job; its result is an `ArchiveResult`. Throws 'conflict' while another process runs one. */
  'archive.run': call(ArchiveRun, JobStarted),
  'archive.list': call(
    z.object({
      connectionId: ConnectionId.optional(),
      /** `key`, or `key=value`: the items are those that have it. The counts are of all. */
      tag: AgreementFilter.shape.tag,
    }),
    z.object({
      items: z.array(ArchiveItem),
      counts: z.object({
        notArchived: z.number().int(),
        archived: z.number().int(),
        deleted: z.number().int(),
        /** Not archived, and the service deletes them within 14 days. */
        endangered: z.number().int(),
      }),
    }),
  ),
  /** What a pattern makes of the agreements it would be used for; nothing is written. */
  'archive.preview': call(
    z.object({
      pattern: z.string().max(200),
      folder: z.string().optional(),
      subfolder: z.string().max(200).optional(),
      filter: ArchiveFilter.optional(),
    }),
    ArchivePreview,
  ),
  /** A job; its result is an `ArchiveVerdict`. Reads every byte again, and notes what it found. */
  'archive.verify': call(z.object({ folder: z.string().min(1) }), JobStarted),
  /** A job; its result is a `BagResult`. `to` must not exist (RFC 8493, BagIt 1.0). */
  'archive.bag': call(z.object({ folder: z.string().min(1), to: z.string().min(1) }), JobStarted),
  'archive.rules': call(z.object({}), z.array(ArchiveRuleShown)),
  'archive.saveRule': call(
    ArchiveRule.omit({ id: true, createdAt: true }).extend({ id: ArchiveRuleId.optional() }),
    ArchiveRule,
  ),
  /** Switching a paused one on is the person's word that it may go on. */
  'archive.switchRule': call(z.object({ id: ArchiveRuleId, isOn: z.boolean() }), ArchiveRule),
  /** What it saved stays. */
  'archive.removeRule': call(z.object({ id: ArchiveRuleId }), Nothing),
  /**
   * A job like that of `archive.run`. With `isDue` not a person asks, but the time: what another desk of the
   * office did meanwhile is left.
   */
  'archive.runRule': call(
    z.object({ id: ArchiveRuleId, isDue: z.boolean().optional() }),
    JobStarted,
  ),
} as const;

export const archiveEvents = { 'archive.changed': z.object({}) } as const;
