import * as z from 'zod';
import { Failure } from '../errors.ts';
import { AgreementState } from '../model/agreement.ts';
import { AgreementFilter } from './agreement-query.ts';
import { call } from './call.ts';
import { AgreementId, AgreementKey, ConnectionId, Instant, EmptyObject } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';
import { NamedRuleFailure, RuleFailure } from './rule-failures.ts';

/**
 * Maximum number of parallel downloads. Up to this number, the API limits determine the speed;
 * above it, waiting in the queue costs more time than it saves.
 */
export const MAX_PARALLEL_DOWNLOADS = 32;
/**
 * Default number of parallel downloads: with a network delay of 50 ms, it reaches 90 % of the
 * possible speed.
 */
export const DEFAULT_PARALLEL_DOWNLOADS = 8;

/** Kinds of files saved next to the PDF. */
export const ArchiveExtraFile = z.enum(['attachments', 'json', 'xml', 'evidence']);
export type ArchiveExtraFile = z.infer<typeof ArchiveExtraFile>;

/**
 * Filter of agreements; an agreement must meet all named conditions. Default of `states`: signed by
 * everyone.
 */
export const ArchiveFilter = AgreementFilter.pick({
  connectionId: true,
  tag: true,
  templateId: true,
  search: true,
  closedFrom: true,
  closedTo: true,
}).extend({
  /**
   * States of the agreements. For states other than `signed`, the PDF that the service returns is
   * kept as an unsigned copy.
   */
  states: z.array(AgreementState.extract(['signed', 'rejected', 'revoked', 'expired'])).optional(),
});
export type ArchiveFilter = z.infer<typeof ArchiveFilter>;

const archiveLocationFields = {
  folder: z.string().min(1),
  /** Subfolder, with the same tokens as file names, such as `{connection}/{closed:yyyy}`. */
  subfolder: z.string().max(200).optional(),
  pattern: z.string().min(1).max(200).optional(),
} as const;

const parallelDownloads = z
  .number()
  .int()
  .min(1)
  .max(MAX_PARALLEL_DOWNLOADS)
  .default(DEFAULT_PARALLEL_DOWNLOADS);

export const ArchiveRun = z.object({
  ...archiveLocationFields,
  connectionId: ConnectionId.optional(),
  /** Keys of the agreements to archive; default: all concluded ones. */
  only: z.array(AgreementKey).optional(),
  /** Archives agreements that closed at or after `since` and before `until` (epoch ms). */
  since: Instant.optional(),
  until: Instant.optional(),
  filter: ArchiveFilter.optional(),
  beside: z.array(ArchiveExtraFile).optional(),
  parallel: parallelDownloads,
  limit: z.number().int().min(1).optional(),
  /** Whether to save everything again, into a folder that was emptied. */
  anew: z.boolean().optional(),
  /**
   * Whether to include archived agreements that are no longer on the service: their PDFs are copied
   * from other archive folders. Always true for agreements named in `only`.
   */
  alsoDeleted: z.boolean().optional(),
});
export type ArchiveRun = z.infer<typeof ArchiveRun>;

/** Warning about a PDF that was saved anyway. */
export const ArchivePdfWarning = z.enum([
  'seal-extended',
  'seal-malformed',
  /** The PDF is sealed with a test certificate, although the connection is for production. */
  'seal-of-test',
  /** Another agreement has the same PDF: the service mixed them up. */
  'same-as-another',
]);
export type ArchivePdfWarning = z.infer<typeof ArchivePdfWarning>;

export const ArchiveResult = z.object({
  listed: z.number().int(),
  saved: z.number().int(),
  /** Number of saved PDFs that were copied from other archive folders; absent if there were none. */
  copied: z.number().int().optional(),
  present: z.number().int(),
  /**
   * Number of agreements that the service reports as signed but has not made a PDF for yet; the
   * next run fetches it.
   */
  waiting: z.number().int(),
  /** Number of saved PDFs without a seal that covers the whole file. */
  unsealed: z.number().int(),
  failed: z.array(
    z.object({ connectionId: ConnectionId, id: AgreementId, title: z.string(), failure: Failure }),
  ),
  doubtful: z.array(AgreementKey.extend({ title: z.string(), doubt: ArchivePdfWarning })),
  bytes: z.number().int(),
  seconds: z.number(),
  folder: z.string(),
  /**
   * New names of files that had the names of the folder's lists, but that another program wrote or
   * altered; absent if there were none.
   */
  setAside: z.array(z.string()).optional(),
  /** User of the office whose computer did the work instead, or does it now. */
  doneBy: z.string().optional(),
});
export type ArchiveResult = z.infer<typeof ArchiveResult>;

/** Columns of the index in every folder of an archive. */
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

/** Columns from left to right. The file name is required: a row is useless without it. */
export const IndexColumns = z
  .array(IndexColumn)
  .max(IndexColumn.options.length)
  .refine((columns) => columns.includes('file') && new Set(columns).size === columns.length);

/** Default columns: all except those that may need a lookup. */
export const defaultIndexColumns: readonly IndexColumn[] = IndexColumn.options.slice(
  0,
  IndexColumn.options.indexOf('sent'),
);

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
  /** Time of the last check of the file, and its result; both null before the first check. */
  checkedAt: Instant.nullable(),
  finding: ArchiveFinding.nullable(),
  /**
   * Whether the PDF can be downloaded: the agreement is still on the service, and its connection
   * was not removed.
   */
  isOnService: z.boolean(),
  /**
   * Archive folder that contains the file; null if no run of this computer saved into it, or if the
   * file is lost and the folder cannot be reached.
   */
  folder: z.string().nullable(),
  /**
   * Whether the agreement is archived in other folders, but not in the folder of the query; false
   * without such a folder.
   */
  isElsewhere: z.boolean(),
  /**
   * Archive folder with another, intact copy of a missing or changed file; null if there is none,
   * or if the file itself is not known to be missing or changed.
   */
  copyFolder: z.string().nullable(),
});
export type ArchiveItem = z.infer<typeof ArchiveItem>;

/** Numbers of all items in the archive's list. */
export const ArchiveCounts = z.object({
  notArchived: z.number().int(),
  archived: z.number().int(),
  deleted: z.number().int(),
  /**
   * Number of agreements that are not archived and that the service deletes within 14 days.
   */
  endangered: z.number().int(),
  /** Numbers of archived files that the last check found changed or missing. */
  changed: z.number().int(),
  missing: z.number().int(),
  /** Number of missing or changed files with an intact copy in another archive folder. */
  copied: z.number().int(),
  /** Number of archived files in the folder of the query that are not missing or changed. */
  here: z.number().int(),
  /** Number of archived agreements that are not in the folder of the query. */
  elsewhere: z.number().int(),
  /** Number of archived files that were not checked since they were saved. */
  unchecked: z.number().int(),
  /**
   * Earliest last check of an archived file: each other checked file was checked at this time
   * or later. Null if no file was checked.
   */
  checkedAt: Instant.nullable(),
});
export type ArchiveCounts = z.infer<typeof ArchiveCounts>;

/** Result of verifying an archive folder. File names are relative to the folder, with `/`. */
export const ArchiveVerification = z.object({
  folder: z.string(),
  /** Number of expected files. */
  files: z.number().int(),
  ok: z.number().int(),
  changed: z.array(z.string()),
  missing: z.array(z.string()),
  unknown: z.array(z.string()),
  /** Names of the index and of other lists that are missing or were changed by another program. */
  lists: z.array(z.string()),
  /**
   * Numbers of signed agreements: those that the service listed, those saved in this folder, and
   * the remaining ones.
   */
  agreements: z.object({
    listed: z.number().int(),
    saved: z.number().int(),
    notSaved: z.array(AgreementKey.extend({ title: z.string() })),
  }),
  at: Instant,
});
export type ArchiveVerification = z.infer<typeof ArchiveVerification>;

export const BagResult = z.object({
  folder: z.string(),
  files: z.number().int(),
  bytes: z.number().int(),
  /** Files in the archive's index that are missing or changed; the bag does not contain them. */
  leftOut: z.array(z.string()),
});
export type BagResult = z.infer<typeof BagResult>;

export const ArchiveRuleId = z.uuid().brand('ArchiveRuleId');
export type ArchiveRuleId = z.infer<typeof ArchiveRuleId>;

/** Time of day, in local time of this computer. */
const TimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

export const ArchiveSchedule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('by-hand') }),
  /** Runs after every sync. */
  z.object({ kind: z.literal('completion') }),
  z.object({ kind: z.literal('daily'), at: TimeOfDay }),
]);
export type ArchiveSchedule = z.infer<typeof ArchiveSchedule>;

export const ArchiveRule = z.object({
  id: ArchiveRuleId,
  name: z.string().trim().min(1).max(80),
  ...archiveLocationFields,
  filter: ArchiveFilter,
  beside: z.array(ArchiveExtraFile),
  when: ArchiveSchedule,
  /** If off, the rule runs only manually. */
  isOn: z.boolean().default(true),
  parallel: parallelDownloads,
  createdAt: Instant,
});
export type ArchiveRule = z.infer<typeof ArchiveRule>;

export const ArchiveRuleRun = z.object({
  at: Instant,
  saved: z.number().int(),
  failed: z.number().int(),
  failure: Failure.nullable(),
  /** Number of consecutive failed runs up to this one. */
  inRow: z.number().int().default(0),
  /** User of the office whose computer did the run instead. */
  doneBy: z.string().optional(),
  /** The first failed agreements; absent if none failed. */
  failures: z.array(RuleFailure).optional(),
});
export type ArchiveRuleRun = z.infer<typeof ArchiveRuleRun>;

export const ArchiveRuleView = z.object({
  rule: ArchiveRule,
  last: ArchiveRuleRun.nullable(),
  /** The first agreements for which the last run failed. */
  failures: z.array(NamedRuleFailure),
  /** Whether the rule failed three times in a row and waits for the user. */
  isPaused: z.boolean(),
  /**
   * Time of the next run; in the past if the run was missed. Null if the rule has no schedule with
   * a time.
   */
  dueAt: Instant.nullable(),
});
export type ArchiveRuleView = z.infer<typeof ArchiveRuleView>;

const ArchivePreview = z.object({
  /** File names of the first few agreements, with their folders. */
  names: z.array(z.string()),
  total: z.number().int(),
  /**
   * File names that several agreements share; the ID is appended for each agreement after the
   * first.
   */
  collisions: z.array(z.string()),
  /** Paths that are too long for Windows to open. */
  tooLong: z.array(z.string()),
});
type ArchivePreview = z.infer<typeof ArchivePreview>;

export const archiveCalls = {
  /**
   * Archives agreements. Runs as a job whose result is an `ArchiveResult`. Throws 'conflict' while
   * another process runs such a job.
   */
  'archive.run': call(ArchiveRun, JobStarted),
  'archive.list': call(
    z.object({
      connectionId: ConnectionId.optional(),
      /**
       * Tag as `key` or `key=value`: returns only items with this tag. The counts include all
       * items.
       */
      tag: AgreementFilter.shape.tag,
      /** Present archive folder; see `ArchiveItem.isElsewhere`. */
      folder: z.string().min(1).optional(),
    }),
    z.object({
      items: z.array(ArchiveItem),
      counts: ArchiveCounts,
    }),
  ),
  /**
   * Reads the archived signed PDF of an agreement, and its copies in other archive folders. Returns
   * the first file with its recorded content, otherwise the file that was saved last; null if the
   * agreement was never archived.
   */
  'archive.copy': call(
    AgreementKey,
    z.object({ file: z.string(), isIntact: z.boolean() }).nullable(),
  ),
  /** Returns the file names that a pattern makes for the matching agreements; writes nothing. */
  'archive.preview': call(
    z.object({
      pattern: z.string().max(200),
      folder: z.string().optional(),
      subfolder: z.string().max(200).optional(),
      filter: ArchiveFilter.optional(),
    }),
    ArchivePreview,
  ),
  /**
   * Reads every byte of the archived files again and records the result. Runs as a job whose result
   * is an `ArchiveVerification`.
   */
  'archive.verify': call(z.object({ folder: z.string().min(1) }), JobStarted),
  /**
   * Writes the archive as a bag (RFC 8493, BagIt 1.0) to `to`, which must not exist. Runs as a job
   * whose result is a `BagResult`.
   */
  'archive.bag': call(z.object({ folder: z.string().min(1), to: z.string().min(1) }), JobStarted),
  'archive.rules': call(z.object({}), z.array(ArchiveRuleView)),
  'archive.saveRule': call(
    ArchiveRule.omit({ id: true, createdAt: true }).extend({ id: ArchiveRuleId.optional() }),
    ArchiveRule,
  ),
  /** Turns a rule on or off. Turning on a paused rule is the user's permission to continue. */
  'archive.switchRule': call(z.object({ id: ArchiveRuleId, isOn: z.boolean() }), ArchiveRule),
  /** Removes a rule; the files that the rule saved stay. */
  'archive.removeRule': call(z.object({ id: ArchiveRuleId }), EmptyObject),
  /**
   * Runs a rule, as a job like that of `archive.run`. `isDue`: started by the schedule, not by the
   * user; work that another computer of the office did in the meantime is skipped.
   */
  'archive.runRule': call(
    z.object({ id: ArchiveRuleId, isDue: z.boolean().optional() }),
    JobStarted,
  ),
} as const;

export const archiveEvents = { 'archive.changed': z.object({}) } as const;
