import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { DraftId, FileId, Instant, EmptyObject } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

export const BACKUP_EXTENSION = '.signingdesk';

const BackupTimeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/);

/** When backups are made, in local time of this computer. */
export const BackupFrequency = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('by-hand') }),
  z.object({ kind: z.literal('daily'), at: BackupTimeOfDay }),
  /** Weekly; `day` is 1 for Monday to 7 for Sunday. */
  z.object({ kind: z.literal('weekly'), day: z.number().int().min(1).max(7), at: BackupTimeOfDay }),
]);
export type BackupFrequency = z.infer<typeof BackupFrequency>;

/** Where and when backups are made, and their contents; set by the user. */
export const BackupPlan = z.object({
  folder: z.string().min(1),
  when: BackupFrequency,
  /** Number of backups of this computer to keep in the folder; the oldest are deleted. */
  keep: z.number().int().min(1).max(365),
  /** Whether backups are made on schedule; if off, only manually. */
  isOn: z.boolean(),
  /**
   * Whether backups include tokens and access keys; without them the user enters them again after a
   * restore.
   */
  withCredentials: z.boolean(),
  /**
   * The office's own key (`age1…`), which opens backups as the recovery phrase does; null if there
   * is none.
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
  /** Number of sends, in every state. */
  sends: z.number().int(),
  evidence: z.number().int(),
  archived: z.number().int(),
});
export type BackupCounts = z.infer<typeof BackupCounts>;

/** Content of `manifest.json` in a backup. */
export const BackupManifest = z.object({
  format: z.literal('signing-desk-backup'),
  version: z.literal(1),
  program: z.string(),
  /** Schema version of the data file. */
  schema: z.number().int(),
  madeAt: Instant,
  /** Identifier of the computer: eight hexadecimal digits. */
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
  /** Path of the backup; null if no backup was made. */
  file: z.string().nullable(),
  failure: Failure.nullable(),
  /** Number of consecutive failed runs; a run whose folder is missing is not counted. */
  inRow: z.number().int(),
});
export type BackupRun = z.infer<typeof BackupRun>;

/**
 * Deactivation of this computer after its data was moved to another one: it sends nothing and runs
 * no rule until the user reactivates it.
 */
export const DeskDeactivation = z.object({
  at: Instant,
  /** Path of the backup with the moved data, or of its folder if the backup was not verified. */
  to: z.string(),
  /**
   * Whether the backup was verified. False if the program ended before: the backup may not exist.
   */
  isProven: z.boolean(),
  /**
   * Number of sends that get an unknown outcome on reactivation, because the other computer may
   * have sent them.
   */
  waiting: z.number().int(),
});
export type DeskDeactivation = z.infer<typeof DeskDeactivation>;

/** A backup of a moved computer, which was opened with the phrase of the user who moves. */
export const MovedDeskBackup = CreatedBackup.omit({ removed: true });
export type MovedDeskBackup = z.infer<typeof MovedDeskBackup>;

export const BackupState = z.object({
  /** Plan of the backups; null until a phrase is set up. */
  plan: BackupPlan.nullable(),
  last: BackupRun.nullable(),
  /** Newest backup that was written and read back; null if there is none. */
  good: z.object({ at: Instant, file: z.string(), bytes: z.number().int() }).nullable(),
  /** Time of the next backup; in the past if the backup was missed. */
  dueAt: Instant.nullable(),
  /**
   * Whether backups are paused until the user continues them: they failed three times in a row, or
   * the data was restored.
   */
  isPaused: z.boolean(),
  /**
   * Public age keys of restored data, for which backups are encrypted. No backup is made until the
   * user confirms the folder and these keys. Empty if no confirmation is needed.
   */
  restoredKeys: z.array(z.string()),
  /** Whether there was no successful backup for two periods. */
  isOverdue: z.boolean(),
  /**
   * Time at which an upgrade copied the older data, if no backup contains that copy yet because the
   * folder was missing; otherwise null.
   */
  upgradeAt: Instant.nullable(),
  /** Deactivation of this computer; null while it is active. */
  rest: DeskDeactivation.nullable(),
});
export type BackupState = z.infer<typeof BackupState>;

export const BackupFile = z.object({
  file: z.string(),
  at: Instant,
  bytes: z.number().int(),
  /** Whether the backup has the data from before an upgrade. */
  isBeforeUpgrade: z.boolean(),
});
export type BackupFile = z.infer<typeof BackupFile>;

/**
 * Something in restored data that the maker of the backup chose: a location that the program would
 * write to, or a key or server that it would trust.
 */
export const RestoredLocation = z.object({
  id: z.string(),
  kind: z.enum([
    /** A connection, which is not used until the user confirms it. */
    'connection',
    /** An office, which is not used until the user confirms it. */
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
    /** Key that signs the feed of updates, in `name`; the feed is not taken over. */
    'updates',
  ]),
  name: z.string(),
  where: z.string(),
});
export type RestoredLocation = z.infer<typeof RestoredLocation>;

/** A backup that was opened and is complete. */
const CheckedBackup = z.object({
  manifest: BackupManifest,
  bytes: z.number().int(),
  reaches: z.array(RestoredLocation),
});

const SavedBackupFile = z.object({ file: z.string(), bytes: z.number().int() });

/**
 * ID of a running read, chosen by the caller, for reporting the progress of the read and for
 * stopping it.
 */
export const ReadingId = z.uuid().brand('ReadingId');
export type ReadingId = z.infer<typeof ReadingId>;
const BackupReadingRef = z.object({ reading: ReadingId });

/** Input for opening a backup: the recovery phrase, or the text of an age key file. */
const BackupOpeningInput = BackupReadingRef.extend({
  file: z.string().min(1),
  secret: z.string().min(1).max(10_000),
});

/** A file with the extension of backups, from any source. */
export const FoundBackup = z.object({
  file: z.string(),
  name: z.string(),
  bytes: z.number().int(),
  /**
   * Time of the backup according to its name, or, if the name has none, of the last change of the
   * file.
   */
  at: Instant,
});
export type FoundBackup = z.infer<typeof FoundBackup>;

/** Folder into which this computer itself would restore a backup, and whether it can. */
export const RestoreTargetFolder = z.object({
  folder: z.string(),
  takes: z.enum([
    /** The folder has no data yet. */
    'yes',
    'has-data',
    /** The data in the folder or the credential store is locked. */
    'locked',
    /** The data file in the folder does not open; a restore sets it aside. */
    'damaged',
    /** The demo profile is open instead of the user's own data. */
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
  reaches: z.array(RestoredLocation),
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

export const RestoreOutcome = z.object({
  folder: z.string(),
  manifest: BackupManifest,
  /** Number of sends that now have an unknown outcome; the user decides about each. */
  doubtful: z.number().int(),
  /** Number of paused rules, which wait for the user. */
  pausedRules: z.number().int(),
  /** Whether the backup contained tokens and access keys. */
  withCredentials: z.boolean(),
  /**
   * Number of evidence entries written after the backup, and so missing from it, as far as known.
   */
  missingEvidence: z.number().int(),
  /**
   * Connections, folders and keys in the restored data. Connections and the office are not used
   * until the user confirms each with `backup.confirm`.
   */
  reaches: z.array(RestoredLocation),
});
export type RestoreOutcome = z.infer<typeof RestoreOutcome>;

/** A copy of the data from before an upgrade of the program. */
export const UpgradeCopy = z.object({ name: z.string(), takenAt: Instant });
export type UpgradeCopy = z.infer<typeof UpgradeCopy>;

/** Rows of a damaged data file that cannot be read. */
export const LostRows = z.object({
  /** Kind of the lost data, as the user knows it. */
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
  /** Number of lost rows; null if not known. */
  rows: z.number().int().nullable(),
  /** Names, numbers or IDs of the first rows, if known. */
  names: z.array(z.string()),
});
export type LostRows = z.infer<typeof LostRows>;

/** Readable and unreadable parts of a damaged data file. */
export const RescueReport = z.object({
  /** Whether the file is intact: every page, row and index can be read. */
  isIntact: z.boolean(),
  /** Schema version of the data file. */
  schema: z.number().int(),
  pages: z.object({ all: z.number().int(), unreadable: z.number().int() }),
  /** Number of unusable bytes of the write-ahead log, which has the last writes. */
  logBytes: z.number().int(),
  counts: BackupCounts,
  lost: z.array(LostRows),
  /** Number of rows that were read but whose table is not known. */
  unplaced: z.number().int(),
  /** Number of connections whose address is lost; their agreements stay. */
  nameless: z.number().int(),
  /** Number of drafts of which only the files are left. */
  bareDrafts: z.number().int(),
  /** Number of sends of which only the reference is left; the user decides about each. */
  bareSends: z.number().int(),
});
export type RescueReport = z.infer<typeof RescueReport>;

/** Result of saving the readable parts of a damaged data file. */
export const RecoveryResult = z.object({
  folder: z.string(),
  report: RescueReport,
  doubtful: z.number().int(),
  pausedRules: z.number().int(),
  missingEvidence: z.number().int(),
  /** New path of the damaged file; null if it was not moved. */
  setAside: z.string().nullable(),
});
export type RecoveryResult = z.infer<typeof RecoveryResult>;

/** File to read: the data file of this program, or a copy from before an upgrade. */
const DamagedFileInput = BackupReadingRef.extend({ copy: z.string().nullable() });

export const backupCalls = {
  'backup.read': call(z.object({}), BackupState),
  /** Generates a recovery phrase of twelve words, which is not stored. */
  'backup.newPhrase': call(z.object({}), z.object({ phrase: z.string() })),
  /**
   * Sets up backups that open with this phrase, which is not stored. Throws 'invalid' with
   * 'phrase-wrong' if the phrase was not generated by `backup.newPhrase` or was mistyped.
   */
  'backup.setUp': call(BackupPlan.extend({ phrase: z.string().max(400) }), BackupState),
  /** Changes the plan of the backups. Throws 'not-found' before backups are set up. */
  'backup.savePlan': call(BackupPlan, BackupState),
  /**
   * Turns backups on or off. Turning on paused backups is the user's permission to continue, into
   * the planned folder and for the planned keys.
   */
  'backup.switch': call(z.object({ isOn: z.boolean() }), BackupState),
  /**
   * Backs up the data that an upgrade kept from before it, and then the current data; with `due`,
   * the current data only at the scheduled time. Runs as a job whose result is a `CreatedBackup`.
   * Throws 'conflict' with 'data-restored' until the user turns on the backups of restored data.
   */
  'backup.run': call(z.object({ due: z.boolean().default(false) }), JobStarted),
  /**
   * Moves the data to another computer: deactivates this computer and writes a backup, which is
   * then opened with the secret and read to its end. Runs as a job whose result is a
   * `MovedDeskBackup`. If the job fails or is stopped, no file is left and this computer works as
   * before. Throws 'invalid' with 'phrase-wrong', 'conflict' with 'desk-busy' or
   * 'already-under-way', and 'storage'; after each of these errors, nothing was started.
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
  /**
   * Returns the servers in restored data that the user has not confirmed: nothing is sent to them.
   */
  'backup.unconfirmed': call(z.object({}), z.array(RestoredLocation)),
  /**
   * Records that the user has seen the server's address and allows this data to be sent to it.
   * Throws 'not-found' if the server does not wait for confirmation.
   */
  'backup.confirm': call(z.object({ id: z.string().max(100) }), z.array(RestoredLocation)),
  /**
   * Lists the backups of this computer in its backup folder, newest first. Throws 'storage' if the
   * folder is missing.
   */
  'backup.list': call(z.object({}), z.array(BackupFile)),
  /**
   * Writes a PDF page for the user to keep with the phrase: the contents of backups, and how to
   * restore one. `file` must not exist.
   */
  'backup.page': call(z.object({ file: z.string().min(1) }), SavedBackupFile),

  /**
   * Lists the files in a folder that have the extension of backups, newest first. Throws 'storage'
   * if the folder is missing.
   */
  'backup.find': call(z.object({ folder: z.string().min(1) }), z.array(FoundBackup)),
  /**
   * Reads the whole backup and checks its decryption, integrity, counts and evidence. Leaves
   * nothing on disk.
   */
  'backup.check': call(BackupOpeningInput, CheckedBackup),
  /**
   * Checks a backup as `backup.check` does, and keeps a copy of its data open until
   * `backup.endLook`.
   */
  'backup.look': call(BackupOpeningInput, BackupContents),
  /**
   * Saves a file of a draft in the opened backup into a folder, under a name that does not exist
   * there yet.
   */
  'backup.saveFile': call(
    z.object({ id: LookId, draftId: DraftId, fileId: FileId, folder: z.string().min(1) }),
    SavedBackupFile,
  ),
  /**
   * Saves the evidence entries of the opened backup exactly as they are hashed; `to` must not
   * exist.
   */
  'backup.saveEvidence': call(z.object({ id: LookId, to: z.string().min(1) }), SavedBackupFile),
  'backup.endLook': call(z.object({ id: LookId }), EmptyObject),
  'backup.room': call(z.object({}), RestoreTargetFolder),
  /**
   * Restores a backup into a folder without data of this program; `folder` null is the program's
   * own data folder.
   */
  'backup.restore': call(
    BackupOpeningInput.extend({ folder: z.string().min(1).nullable() }),
    RestoreOutcome,
  ),
  /**
   * Restores an opened copy as `backup.restore` does, so that the phrase is neither kept nor
   * entered again.
   */
  'backup.restoreLook': call(
    BackupReadingRef.extend({ id: LookId, folder: z.string().min(1).nullable() }),
    RestoreOutcome,
  ),
  /** Lists the copies of the data from before upgrades, newest first. */
  'backup.copies': call(z.object({}), z.array(UpgradeCopy)),
  /** Reads all of a damaged data file and reports the readable parts. Leaves nothing on disk. */
  'backup.examine': call(DamagedFileInput, RescueReport),
  /**
   * Saves the readable parts of a damaged data file into a folder without data. If `folder` is
   * null, the damaged file is set aside and replaced. Throws 'conflict' with 'data-intact' if the
   * data file is not damaged.
   */
  'backup.recover': call(
    DamagedFileInput.extend({ folder: z.string().min(1).nullable() }),
    RecoveryResult,
  ),
  /** Stops a read and discards its unfinished work, unless the read has already ended. */
  'backup.stopReading': call(BackupReadingRef, EmptyObject),
} as const;

export const backupEvents = {
  'backup.changed': z.object({}),
  /**
   * Emitted with the progress of a read, in bytes or, for the rescue of a damaged file, in pages;
   * `total` is null if not known.
   */
  'backup.reading': BackupReadingRef.extend({
    step: z.enum(['opening', 'salvaging', 'proving', 'preparing']),
    done: z.number().int(),
    total: z.number().int().nullable(),
  }),
} as const;
