import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { DraftId, FileId, Instant, EmptyObject } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

export const BACKUP_EXTENSION = '.signingdesk';

const Time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** When a backup is made, in local time of this computer. */
export const BackupFrequency = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('by-hand') }),
  z.object({ kind: z.literal('daily'), at: Time }),
  /** 1 is Monday, 7 Sunday. */
  z.object({ kind: z.literal('weekly'), day: z.number().int().min(1).max(7), at: Time }),
]);
export type BackupFrequency = z.infer<typeof BackupFrequency>;

/** Where and when backups are made, and their contents; set by the user. */
export const BackupPlan = z.object({
  folder: z.string().min(1),
  when: BackupFrequency,
  /** Number of backups of this computer to keep in the folder; the oldest are deleted. */
  keep: z.number().int().min(1).max(365),
  /** If off, backups are made only manually. */
  isOn: z.boolean(),
  /** Includes tokens and access keys; without them the user enters them again after a restore. */
  withCredentials: z.boolean(),
  /**
   * The office's own key (`age1…`), which opens backups like the recovery phrase; null for none.
   */
  administrator: z.string().max(200).nullable(),
});
export type BackupPlan = z.infer<typeof BackupPlan>;

export const BackupCounts = z.object({
  connections: z.number().int(),
  agreements: z.number().int(),
  drafts: z.number().int(),
  templates: z.number().int(),
  people: z.number().int(),
  batches: z.number().int(),
  /** Sends in every state. */
  sends: z.number().int(),
  evidence: z.number().int(),
  archived: z.number().int(),
});
export type BackupCounts = z.infer<typeof BackupCounts>;

/** `manifest.json` of a backup. */
export const BackupManifest = z.object({
  format: z.literal('signing-desk-backup'),
  version: z.literal(1),
  program: z.string(),
  /** Schema version of the data file. */
  schema: z.number().int(),
  madeAt: Instant,
  /** Identifies the computer: eight hexadecimal digits. */
  desk: z.string().regex(/^[0-9a-f]{8}$/),
  computer: z.string(),
  counts: BackupCounts,
  evidence: z.object({ entries: z.number().int(), hash: z.string() }),
  database: z.object({ bytes: z.number().int(), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  withCredentials: z.boolean(),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

/** A backup that was written and read back. */
export const CreatedBackup = z.object({
  file: z.string(),
  bytes: z.number().int(),
  manifest: BackupManifest,
  /** Number of older backups removed. */
  removed: z.number().int(),
});
export type CreatedBackup = z.infer<typeof CreatedBackup>;

export const BackupRun = z.object({
  at: Instant,
  /** Null if no backup was made. */
  file: z.string().nullable(),
  failure: Failure.nullable(),
  /** Consecutive failures; a missing folder does not count. */
  inRow: z.number().int(),
});
export type BackupRun = z.infer<typeof BackupRun>;

/**
 * This computer was moved to another one: it sends nothing and runs no rule until the user
 * reactivates it.
 */
export const DeskDeactivation = z.object({
  at: Instant,
  /** Backup that holds the moved data; its folder if the backup was not proven. */
  to: z.string(),
  /** False: the program ended before the backup was proven, so it may not exist. */
  isProven: z.boolean(),
  /** Sends that get an unknown outcome on reactivation: the other computer may have sent them. */
  waiting: z.number().int(),
});
export type DeskDeactivation = z.infer<typeof DeskDeactivation>;

/** A backup that opened with the phrase of the user who moves. */
export const MovedDeskBackup = CreatedBackup.omit({ removed: true });
export type MovedDeskBackup = z.infer<typeof MovedDeskBackup>;

export const BackupState = z.object({
  /** Null before a phrase was set up. */
  plan: BackupPlan.nullable(),
  last: BackupRun.nullable(),
  /** Newest backup that was made and read back. */
  good: z.object({ at: Instant, file: z.string(), bytes: z.number().int() }).nullable(),
  /** Next due time; in the past if it was missed. */
  dueAt: Instant.nullable(),
  /** It failed three times in a row, or the data was restored: waits for the user. */
  isPaused: z.boolean(),
  /**
   * Public age keys of restored data, for which backups are encrypted. No backup is made until the
   * user confirms its folder and these keys. Empty if nothing waits.
   */
  restoredKeys: z.array(z.string()),
  /** No successful backup for two periods. */
  isOverdue: z.boolean(),
  /**
   * When an upgrade copied the older data that no backup holds yet, because the folder was missing.
   * Null if there is none.
   */
  upgradeAt: Instant.nullable(),
  /** Null while this computer is active. */
  rest: DeskDeactivation.nullable(),
});
export type BackupState = z.infer<typeof BackupState>;

export const BackupFile = z.object({
  file: z.string(),
  at: Instant,
  bytes: z.number().int(),
  /** Data from before an upgrade. */
  isBeforeUpgrade: z.boolean(),
});
export type BackupFile = z.infer<typeof BackupFile>;

/**
 * A place that restored data would write to, or a key it trusts: the maker of the backup chose it.
 */
export const Reach = z.object({
  id: z.string(),
  kind: z.enum([
    /** Waits until the user confirms it. */
    'connection',
    /** Waits until the user confirms it. */
    'office',
    /** Folder of an archive rule or of a watched-folder rule; the rule is paused. */
    'rule',
    /** Folder for anchors of the evidence. */
    'evidence',
    'archive',
    /** Folder of the backups, which are paused; a network folder is not taken over. */
    'backups',
    /** Public key for which the backups are encrypted, of the user who set them up. */
    'recipient',
    /** Key that opens backups besides the phrase; backups are paused. */
    'administrator',
    /** Not taken over: `name` is the key that signs the feed. */
    'updates',
  ]),
  name: z.string(),
  where: z.string(),
});
export type Reach = z.infer<typeof Reach>;

/** A backup that was opened and is complete. */
const CheckedBackup = z.object({
  manifest: BackupManifest,
  bytes: z.number().int(),
  reaches: z.array(Reach),
});

const SavedBackupFile = z.object({ file: z.string(), bytes: z.number().int() });

/** ID of a running read, chosen by the caller: for its progress and for stopping it. */
export const ReadingId = z.uuid().brand('ReadingId');
export type ReadingId = z.infer<typeof ReadingId>;
const BackupReadingRef = z.object({ reading: ReadingId });

/** Opens a backup: the recovery phrase, or the text of an age key file. */
const BackupOpeningInput = BackupReadingRef.extend({
  file: z.string().min(1),
  secret: z.string().min(1).max(10_000),
});

/** A file with the extension of backups, from any source. */
export const FoundBackup = z.object({
  file: z.string(),
  name: z.string(),
  bytes: z.number().int(),
  /** From its name; otherwise the time of its last change. */
  at: Instant,
});
export type FoundBackup = z.infer<typeof FoundBackup>;

/** Whether a backup can be restored on this computer itself. */
export const RestoreTargetFolder = z.object({
  folder: z.string(),
  takes: z.enum([
    /** It has no data yet. */
    'yes',
    'has-data',
    /** Its data or its credential store is locked. */
    'locked',
    /** Its data file does not open: it is set aside. */
    'damaged',
    /** The demo profile is open instead. */
    'demo',
  ]),
});
export type RestoreTargetFolder = z.infer<typeof RestoreTargetFolder>;

export const LookId = z.uuid().brand('LookId');
export type LookId = z.infer<typeof LookId>;

/** Contents of a backup, shown without restoring it. */
export const BackupContents = z.object({
  id: LookId,
  manifest: BackupManifest,
  reaches: z.array(Reach),
  drafts: z.array(
    z.object({
      id: DraftId,
      title: z.string(),
      changedAt: Instant,
      files: z.array(z.object({ id: FileId, name: z.string(), bytes: z.number().int() })),
    }),
  ),
});
export type BackupContents = z.infer<typeof BackupContents>;

export const Restored = z.object({
  folder: z.string(),
  manifest: BackupManifest,
  /** Sends that now have an unknown outcome; the user decides about each. */
  doubtful: z.number().int(),
  /** Rules that wait for the user. */
  pausedRules: z.number().int(),
  /** Whether the backup contained tokens and access keys. */
  withCredentials: z.boolean(),
  /** Evidence entries written after the backup, and so missing from it, if known. */
  missingEvidence: z.number().int(),
  /** Connections and the office wait until the user confirms each: `backup.confirm`. */
  reaches: z.array(Reach),
});
export type Restored = z.infer<typeof Restored>;

/** A copy of the data from before an upgrade of the program. */
export const UpgradeCopy = z.object({ name: z.string(), takenAt: Instant });
export type UpgradeCopy = z.infer<typeof UpgradeCopy>;

/** Rows of a damaged data file that cannot be read. */
export const LostRows = z.object({
  /** Kind of data that the user knows. */
  kind: z.enum([
    'connections',
    'agreements',
    'drafts',
    'files',
    'templates',
    'people',
    'batches',
    'sends',
    'actions',
    'evidence',
    'archived',
    'rules',
    'settings',
    'other',
  ]),
  /** Name of the table, for support. */
  table: z.string(),
  /** Null: the number is not known. */
  rows: z.number().int().nullable(),
  /** Names, numbers or IDs of the first rows, if known. */
  names: z.array(z.string()),
});
export type LostRows = z.infer<typeof LostRows>;

/** Readable and unreadable parts of a damaged data file. */
export const RescueReport = z.object({
  /** Nothing is damaged: every page, row and index is intact. */
  isIntact: z.boolean(),
  /** Schema version of the data file. */
  schema: z.number().int(),
  pages: z.object({ all: z.number().int(), unreadable: z.number().int() }),
  /** Unusable bytes of the write-ahead log: the last writes. */
  logBytes: z.number().int(),
  counts: BackupCounts,
  lost: z.array(LostRows),
  /** Rows that were read but whose table is not known. */
  unplaced: z.number().int(),
  /** Connections of which only the name is left: their agreements stay. */
  nameless: z.number().int(),
  /** Drafts of which only the files are left. */
  bareDrafts: z.number().int(),
  /** Sends of which only the reference is left; the user decides about each. */
  bareSends: z.number().int(),
});
export type RescueReport = z.infer<typeof RescueReport>;

/** A damaged data file of which the readable part was saved. */
export const RecoveryResult = z.object({
  folder: z.string(),
  report: RescueReport,
  doubtful: z.number().int(),
  pausedRules: z.number().int(),
  missingEvidence: z.number().int(),
  /** New place of the damaged file; null if it was not moved. */
  setAside: z.string().nullable(),
});
export type RecoveryResult = z.infer<typeof RecoveryResult>;

/** File to read: the data file of this program, or a copy from before an upgrade. */
const DamagedFileInput = BackupReadingRef.extend({ copy: z.string().nullable() });

export const backupCalls = {
  'backup.read': call(z.object({}), BackupState),
  /** Twelve new words; they are not stored. */
  'backup.newPhrase': call(z.object({}), z.object({ phrase: z.string() })),
  /**
   * From now on backups open with this phrase, which is not stored. Throws 'invalid' with
   * 'phrase-wrong' if it was not made here or was mistyped.
   */
  'backup.setUp': call(BackupPlan.extend({ phrase: z.string().max(400) }), BackupState),
  /** Throws 'not-found' before backups are set up. */
  'backup.savePlan': call(BackupPlan, BackupState),
  /**
   * Turning on paused backups is the user's permission to continue, into their folder and for their
   * keys.
   */
  'backup.switch': call(z.object({ isOn: z.boolean() }), BackupState),
  /**
   * A job; its result is a `CreatedBackup`. First backs up the data that an upgrade kept from before
   * it, then the current data; with `due`, the latter only at its due time. Throws 'conflict' with
   * 'data-restored' until restored backups are turned on.
   */
  'backup.run': call(z.object({ due: z.boolean().default(false) }), JobStarted),
  /**
   * Moves to another computer: deactivates this one and writes a backup, which is opened with the
   * secret and read to its end. A job; its result is a `MovedDeskBackup`. If it fails or is stopped, no
   * file is left and this computer works as before. Throws 'invalid' with 'phrase-wrong',
   * 'conflict' with 'desk-busy' or 'already-under-way', and 'storage'; then nothing was started.
   */
  'backup.move': call(
    z.object({
      folder: z.string().min(1),
      withCredentials: z.boolean(),
      secret: z.string().min(1).max(10_000),
    }),
    JobStarted,
  ),
  /**
   * Reactivates this computer after a move; the evidence records the user's decision. Waiting sends
   * get an unknown outcome, and rules wait for the user, as after a restore. `confirm` is the
   * number of waiting sends; throws 'conflict' if this computer is not deactivated.
   */
  'backup.wake': call(z.object({ confirm: z.number().int().min(0) }), BackupState),
  /** Servers in restored data that the user has not confirmed: nothing is sent to them. */
  'backup.unconfirmed': call(z.object({}), z.array(Reach)),
  /**
   * The user has seen the address and allows this data to be sent there. Throws 'not-found' if it
   * does not wait.
   */
  'backup.confirm': call(z.object({ id: z.string().max(100) }), z.array(Reach)),
  /**
   * Backups of this computer in its folder, newest first. Throws 'storage' if the folder is
   * missing.
   */
  'backup.list': call(z.object({}), z.array(BackupFile)),
  /**
   * A page to keep with the phrase: contents of backups, and how to restore one. A PDF; `file` must
   * not exist.
   */
  'backup.page': call(z.object({ file: z.string().min(1) }), SavedBackupFile),

  /**
   * Files in a folder with the extension of backups, newest first. Throws 'storage' if the folder
   * is missing.
   */
  'backup.find': call(z.object({ folder: z.string().min(1) }), z.array(FoundBackup)),
  /** Reads all of it: decryption, integrity, counts, evidence. Leaves nothing on disk. */
  'backup.check': call(BackupOpeningInput, CheckedBackup),
  /** The same, and opens a separate copy until `backup.endLook`. */
  'backup.look': call(BackupOpeningInput, BackupContents),
  /** Saves a file of a draft into a folder, under a name that is free there. */
  'backup.saveFile': call(
    z.object({ id: LookId, draftId: DraftId, fileId: FileId, folder: z.string().min(1) }),
    SavedBackupFile,
  ),
  /** Saves entries exactly as they are hashed; `to` must not exist. */
  'backup.saveEvidence': call(z.object({ id: LookId, to: z.string().min(1) }), SavedBackupFile),
  'backup.endLook': call(z.object({ id: LookId }), EmptyObject),
  'backup.room': call(z.object({}), RestoreTargetFolder),
  /** Restores into a folder without data of this program; null is the program's own data folder. */
  'backup.restore': call(
    BackupOpeningInput.extend({ folder: z.string().min(1).nullable() }),
    Restored,
  ),
  /** The same for an opened copy, so that the phrase is neither kept nor entered again. */
  'backup.restoreLook': call(
    BackupReadingRef.extend({ id: LookId, folder: z.string().min(1).nullable() }),
    Restored,
  ),
  /** Copies from before an upgrade, newest first. */
  'backup.copies': call(z.object({}), z.array(UpgradeCopy)),
  /** Reads all of a damaged data file and reports the readable parts. Leaves nothing on disk. */
  'backup.examine': call(DamagedFileInput, RescueReport),
  /**
   * Saves the readable parts into a folder without data; null sets the damaged file aside and
   * replaces it. Throws 'conflict' with 'data-intact' if the data file is not damaged.
   */
  'backup.recover': call(
    DamagedFileInput.extend({ folder: z.string().min(1).nullable() }),
    RecoveryResult,
  ),
  /** Discards the unfinished work, unless the read has already ended. */
  'backup.stopReading': call(BackupReadingRef, EmptyObject),
} as const;

export const backupEvents = {
  'backup.changed': z.object({}),
  /** Progress of a read, in bytes or, while salvaging, in pages; `total` is null if not known. */
  'backup.reading': BackupReadingRef.extend({
    step: z.enum(['opening', 'salvaging', 'proving', 'preparing']),
    done: z.number().int(),
    total: z.number().int().nullable(),
  }),
} as const;
