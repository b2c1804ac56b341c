import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { DraftId, FileId, Instant, Nothing } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** What names of backups end in. */
export const BACKUP_ENDING = '.signingdesk';

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** When a backup is made, by the clock of this computer. */
export const BackupWhen = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('by-hand') }),
  z.object({ kind: z.literal('daily'), at: Time }),
  /** 1 is Monday, 7 Sunday. */
  z.object({ kind: z.literal('weekly'), day: z.number().int().min(1).max(7), at: Time }),
]);
export type BackupWhen = z.infer<typeof BackupWhen>;

/** Where backups go, when, and what they hold; set by a person. */
export const BackupPlan = z.object({
  folder: z.string().min(1),
  when: BackupWhen,
  /** How many of this desk stay in the folder; the oldest go. */
  keep: z.number().int().min(1).max(365),
  /** Switched off it is made by hand alone. */
  isOn: z.boolean(),
  /** Tokens and access keys, too; without them they are typed again after a restore. */
  withCredentials: z.boolean(),
  /** The office's own key (`age1…`), which opens backups as the phrase does; null for none. */
  administrator: z.string().max(200).nullable(),
});
export type BackupPlan = z.infer<typeof BackupPlan>;

/** How many of each kind a backup holds. */
export const BackupCounts = z.object({
  connections: z.number().int(),
  agreements: z.number().int(),
  drafts: z.number().int(),
  templates: z.number().int(),
  people: z.number().int(),
  batches: z.number().int(),
  /** Sends of every state. */
  sends: z.number().int(),
  evidence: z.number().int(),
  archived: z.number().int(),
});
export type BackupCounts = z.infer<typeof BackupCounts>;

/** What stands in a backup about itself; its `manifest.json`. */
export const BackupManifest = z.object({
  format: z.literal('signing-desk-backup'),
  version: z.literal(1),
  program: z.string(),
  /** Of the data file. */
  schema: z.number().int(),
  madeAt: Instant,
  /** Names the desk: eight hexadecimal digits. */
  desk: z.string().regex(/^[0-9a-f]{8}$/),
  computer: z.string(),
  counts: BackupCounts,
  evidence: z.object({ entries: z.number().int(), hash: z.string() }),
  database: z.object({ bytes: z.number().int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  withCredentials: z.boolean(),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** A backup that was written and read back. */
export const BackupMade = z.object({
  file: z.string(),
  bytes: z.number().int(),
  manifest: BackupManifest,
  /** Older ones that were removed. */
  removed: z.number().int(),
});
export type BackupMade = z.infer<typeof BackupMade>;

/** How the last try went. */
export const BackupRun = z.object({
  at: Instant,
  /** Null when none was made. */
  file: z.string().nullable(),
  failure: Failure.nullable(),
  /** How many in a row failed; a folder that is not there counts for nothing. */
  inRow: z.number().int(),
});
export type BackupRun = z.infer<typeof BackupRun>;

export const BackupState = z.object({
  /** Null before a phrase was set up. */
  plan: BackupPlan.nullable(),
  last: BackupRun.nullable(),
  /** The newest that was made and read back. */
  good: z.object({ at: Instant, file: z.string(), bytes: z.number().int() }).nullable(),
  /** When it falls due; in the past where it was missed. */
  dueAt: Instant.nullable(),
  /** It failed three times in a row, or the data was restored: waits for a person. */
  isPaused: z.boolean(),
  /** No good one for two of its periods. */
  isOverdue: z.boolean(),
});
export type BackupState = z.infer<typeof BackupState>;

export const BackupFile = z.object({ file: z.string(), at: Instant, bytes: z.number().int() });
export type BackupFile = z.infer<typeof BackupFile>;

/** A backup that was opened and proven to be whole. */
const BackupChecked = z.object({ manifest: BackupManifest, bytes: z.number().int() });

const Written = z.object({ file: z.string(), bytes: z.number().int() });

/** What opens a backup: the recovery phrase, or the text of an age key file. */
const Opening = z.object({ file: z.string().min(1), secret: z.string().min(1).max(10_000) });

export const LookId = z.uuid().brand('LookId');
export type LookId = z.infer<typeof LookId>;

/** What can be seen of a backup without restoring it. */
export const BackupLook = z.object({
  id: LookId,
  manifest: BackupManifest,
  drafts: z.array(
    z.object({
      id: DraftId,
      title: z.string(),
      changedAt: Instant,
      files: z.array(z.object({ id: FileId, name: z.string(), bytes: z.number().int() })),
    }),
  ),
});
export type BackupLook = z.infer<typeof BackupLook>;

export const Restored = z.object({
  folder: z.string(),
  manifest: BackupManifest,
  /** Sends that nobody knows the outcome of any more: each asks. */
  doubtful: z.number().int(),
  /** Rules that wait for a person. */
  pausedRules: z.number().int(),
  /** Whether tokens and access keys came along. */
  withCredentials: z.boolean(),
  /** Entries of the evidence that were written after the backup and are not in it, as far as known. */
  missingEvidence: z.number().int(),
});
export type Restored = z.infer<typeof Restored>;

export const backupCalls = {
  'backup.read': call(z.object({}), BackupState),
  /** Twelve new words; kept nowhere. */
  'backup.newPhrase': call(z.object({}), z.object({ phrase: z.string() })),
  /**
   * From now on backups open with this phrase, which is not kept. Throws 'invalid' with
   * 'phrase-wrong' when it is not one that was made here, or was mistyped.
   */
  'backup.setUp': call(BackupPlan.extend({ phrase: z.string().max(400) }), BackupState),
  /** Throws 'not-found' before it was set up. */
  'backup.savePlan': call(BackupPlan, BackupState),
  /** Switching a paused one on is the person's word that it may go on. */
  'backup.switch': call(z.object({ isOn: z.boolean() }), BackupState),
  /** A job; its result is a `BackupMade`. */
  'backup.run': call(z.object({}), JobStarted),
  /** Those of this desk in its folder, the newest first. Throws 'storage' when it is not there. */
  'backup.list': call(z.object({}), z.array(BackupFile)),
  /** A page to keep with the phrase: what backups hold, and how one is restored. A PDF; `file` must not exist. */
  'backup.page': call(z.object({ file: z.string().min(1) }), Written),

  /** Reads all of it: decrypted, integrity, counts, evidence. Writes nothing that stays. */
  'backup.check': call(Opening, BackupChecked),
  /** Opens a copy beside everything else, until `backup.endLook`. */
  'backup.look': call(Opening, BackupLook),
  /** A file of a draft; `to` must not exist. */
  'backup.saveFile': call(
    z.object({ id: LookId, draftId: DraftId, fileId: FileId, to: z.string().min(1) }),
    Written,
  ),
  /** Entries exactly as they are hashed; `to` must not exist. */
  'backup.saveEvidence': call(z.object({ id: LookId, to: z.string().min(1) }), Written),
  'backup.endLook': call(z.object({ id: LookId }), Nothing),
  /** Into a folder that holds no data of ours yet; null is the data folder of this program. */
  'backup.restore': call(Opening.extend({ folder: z.string().min(1).nullable() }), Restored),
} as const;

export const backupEvents = { 'backup.changed': z.object({}) } as const;
