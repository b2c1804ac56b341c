import * as z from 'zod';
import { Failure } from '../errors.ts';
import { call } from './call.ts';
import { DraftId, FileId, Instant, Nothing } from '../model/ids.ts';
import { JobStarted } from './jobs.ts';

/** What names of backups end in. */
export const BACKUP_EXTENSION = '.signingdesk';

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

/** This desk moved to another computer: nothing leaves it, and no rule acts, before a person wakes it. */
export const DeskDeactivation = z.object({
  /** Since when. */
  at: Instant,
  /** The backup it moved in; the folder where that was not proven. */
  to: z.string(),
  /** False: the program ended before the backup was proven, so that there may be none. */
  isProven: z.boolean(),
  /** Sends of which nobody knows, once it is woken, whether the other computer sent them. */
  waiting: z.number().int(),
});
export type DeskDeactivation = z.infer<typeof DeskDeactivation>;

/** A backup that opened with the words of whoever moves. */
export const DeskMoved = BackupMade.omit({ removed: true });
export type DeskMoved = z.infer<typeof DeskMoved>;

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
  /**
   * Restored data waits for a person's word on its folder and on these public keys of age, which its
   * backups are encrypted to: none is made before. Empty where it does not.
   */
  restoredKeys: z.array(z.string()),
  /** No good one for two of its periods. */
  isOverdue: z.boolean(),
  /**
   * When an upgrade copied the data as it was before, which no backup holds yet: its folder was not
   * there. Null where there is none.
   */
  upgradeAt: Instant.nullable(),
  /** Null while this desk works. */
  rest: DeskDeactivation.nullable(),
});
export type BackupState = z.infer<typeof BackupState>;

export const BackupFile = z.object({
  file: z.string(),
  at: Instant,
  bytes: z.number().int(),
  /** Of the data as it was before an upgrade. */
  isBeforeUpgrade: z.boolean(),
});
export type BackupFile = z.infer<typeof BackupFile>;

/** Where restored data would go, or whom it trusts: whoever made the backup chose that. */
export const Reach = z.object({
  id: z.string(),
  kind: z.enum([
    /** Waits until a person confirms it. */
    'connection',
    /** The same. */
    'office',
    /** A folder of an archive rule or of one for a watched folder; the rule is paused. */
    'rule',
    /** The folder that the evidence is noted in, too. */
    'evidence',
    /** The folder that agreements are archived into. */
    'archive',
    /** The folder of the backups, which are paused; one on a network is not taken over. */
    'backups',
    /** The public key that the backups are encrypted to, of whoever set them up. */
    'recipient',
    /** The key that opens backups beside the phrase; backups are paused. */
    'administrator',
    /** Not taken over: `name` is the key that signs it. */
    'updates',
  ]),
  name: z.string(),
  /** The address, folder or key. */
  where: z.string(),
});
export type Reach = z.infer<typeof Reach>;

/** A backup that was opened and proven to be whole. */
const BackupChecked = z.object({
  manifest: BackupManifest,
  bytes: z.number().int(),
  reaches: z.array(Reach),
});

const Written = z.object({ file: z.string(), bytes: z.number().int() });

/** Names a reading that goes on, by whoever asked for it: it tells how far it is, and can be stopped. */
export const ReadingId = z.uuid().brand('ReadingId');
export type ReadingId = z.infer<typeof ReadingId>;
const Reading = z.object({ reading: ReadingId });

/** What opens a backup: the recovery phrase, or the text of an age key file. */
const Opening = Reading.extend({
  file: z.string().min(1),
  secret: z.string().min(1).max(10_000),
});

/** A file that ends as backups do, whoever made it. */
export const FoundBackup = z.object({
  file: z.string(),
  name: z.string(),
  bytes: z.number().int(),
  /** As its name says; else when it was last changed. */
  at: Instant,
});
export type FoundBackup = z.infer<typeof FoundBackup>;

/** Whether this desk itself can take what a backup holds. */
export const RestoreRoom = z.object({
  folder: z.string(),
  takes: z.enum([
    /** Nobody has written anything into it. */
    'yes',
    'has-data',
    /** Its data or its credential store is closed. */
    'locked',
    /** Its data file does not open: it is set aside. */
    'damaged',
    /** The demo is open in its place. */
    'demo',
  ]),
});
export type RestoreRoom = z.infer<typeof RestoreRoom>;

export const LookId = z.uuid().brand('LookId');
export type LookId = z.infer<typeof LookId>;

/** What can be seen of a backup without restoring it. */
export const BackupLook = z.object({
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
  /** Connections and the office wait until a person confirms each: `backup.confirm`. */
  reaches: z.array(Reach),
});
export type Restored = z.infer<typeof Restored>;

/** A copy of the data from before an upgrade of the program. */
export const UpgradeCopy = z.object({ name: z.string(), takenAt: Instant });
export type UpgradeCopy = z.infer<typeof UpgradeCopy>;

/** Rows of a damaged data file that nobody can read any more. */
export const LostRows = z.object({
  /** What they are to a person. */
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
  /** The name of the table, for support. */
  table: z.string(),
  /** Null: nobody can tell how many. */
  rows: z.number().int().nullable(),
  /** Names, numbers or ids of the first of them, as far as they are known. */
  names: z.array(z.string()),
});
export type LostRows = z.infer<typeof LostRows>;

/** What of a damaged data file was read, and what not. */
export const RescueReport = z.object({
  /** Nothing is damaged: every page, every row, every index. */
  isIntact: z.boolean(),
  /** Of the data file. */
  schema: z.number().int(),
  pages: z.object({ all: z.number().int(), unreadable: z.number().int() }),
  /** Bytes of the log beside it that nothing can be made of: what was written last. */
  logBytes: z.number().int(),
  counts: BackupCounts,
  lost: z.array(LostRows),
  /** Rows that were read, and nobody can tell of which table. */
  unplaced: z.number().int(),
  /** Connections of which only the name they are known by is left: their agreements stay. */
  nameless: z.number().int(),
  /** Drafts whose files alone are left. */
  bareDrafts: z.number().int(),
  /** Sends of which only the reference is left: each asks. */
  bareSends: z.number().int(),
});
export type RescueReport = z.infer<typeof RescueReport>;

/** A damaged data file that was saved as far as it could be read. */
export const Recovered = z.object({
  folder: z.string(),
  report: RescueReport,
  doubtful: z.number().int(),
  pausedRules: z.number().int(),
  missingEvidence: z.number().int(),
  /** Where the damaged file is now; null where it stayed. */
  setAside: z.string().nullable(),
});
export type Recovered = z.infer<typeof Recovered>;

/** What is read: the data file of this program, or one of its copies from before an upgrade. */
const Damaged = Reading.extend({ copy: z.string().nullable() });

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
  /** Switching a paused one on is the person's word that it may go on: into its folder, for its keys. */
  'backup.switch': call(z.object({ isOn: z.boolean() }), BackupState),
  /**
   * A job; its result is a `BackupMade`. First comes what an upgrade kept of the data from before
   * it, then one of the data as it is; with `due` that only when its time has come. Throws 'conflict'
   * with 'data-restored' before restored ones are switched on.
   */
  'backup.run': call(z.object({ due: z.boolean().default(false) }), JobStarted),
  /**
   * Moves to another computer: this desk rests from now on, and writes a backup, which is opened with
   * the secret and read to its end. A job; its result is a `DeskMoved`. What fails, or is stopped,
   * leaves no file, and the desk works as before. Throws 'invalid' with 'phrase-wrong', 'conflict'
   * with 'desk-busy' or 'already-under-way', and 'storage'; then nothing was begun.
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
   * This desk goes on after it moved, which a person decides and the evidence records. What waited is
   * of unknown outcome, and rules wait for a person, as after a restore. `confirm` is how many sends
   * wait; throws 'conflict' when this desk does not rest.
   */
  'backup.wake': call(z.object({ confirm: z.number().int().min(0) }), BackupState),
  /** Servers that restored data names and no person has confirmed: nothing goes there. */
  'backup.unconfirmed': call(z.object({}), z.array(Reach)),
  /** A person has seen the address, and lets this data go there. Throws 'not-found' for one that does not wait. */
  'backup.confirm': call(z.object({ id: z.string().max(100) }), z.array(Reach)),
  /** Those of this desk in its folder, the newest first. Throws 'storage' when it is not there. */
  'backup.list': call(z.object({}), z.array(BackupFile)),
  /** A page to keep with the phrase: what backups hold, and how one is restored. A PDF; `file` must not exist. */
  'backup.page': call(z.object({ file: z.string().min(1) }), Written),

  /** Files in a folder that end as backups do, the newest first. Throws 'storage' when it is not there. */
  'backup.find': call(z.object({ folder: z.string().min(1) }), z.array(FoundBackup)),
  /** Reads all of it: decrypted, integrity, counts, evidence. Writes nothing that stays. */
  'backup.check': call(Opening, BackupChecked),
  /** The same, and opens a copy beside everything else, until `backup.endLook`. */
  'backup.look': call(Opening, BackupLook),
  /** A file of a draft, into a folder, under a name that is free there. */
  'backup.saveFile': call(
    z.object({ id: LookId, draftId: DraftId, fileId: FileId, folder: z.string().min(1) }),
    Written,
  ),
  /** Entries exactly as they are hashed; `to` must not exist. */
  'backup.saveEvidence': call(z.object({ id: LookId, to: z.string().min(1) }), Written),
  'backup.endLook': call(z.object({ id: LookId }), Nothing),
  'backup.room': call(z.object({}), RestoreRoom),
  /** Into a folder that holds no data of ours yet; null is the data folder of this program. */
  'backup.restore': call(Opening.extend({ folder: z.string().min(1).nullable() }), Restored),
  /** The same with what was looked into, so that nobody keeps or types the phrase meanwhile. */
  'backup.restoreLook': call(
    Reading.extend({ id: LookId, folder: z.string().min(1).nullable() }),
    Restored,
  ),
  /** Copies from before an upgrade, the newest first. */
  'backup.copies': call(z.object({}), z.array(UpgradeCopy)),
  /** Reads all of a damaged data file, and says what can be saved. Writes nothing that stays. */
  'backup.examine': call(Damaged, RescueReport),
  /**
   * Saves what can be read, into a folder without data; null sets the damaged file aside and takes its
   * place. Throws 'conflict' with 'data-intact' for a data file that is not damaged.
   */
  'backup.recover': call(Damaged.extend({ folder: z.string().min(1).nullable() }), Recovered),
  /** What it had begun is gone, unless it had ended already. */
  'backup.stopReading': call(Reading, Nothing),
} as const;

export const backupEvents = {
  'backup.changed': z.object({}),
  /** How far a reading is, in bytes or, while salvaging, in pages; `total` is null where nobody can say. */
  'backup.reading': Reading.extend({
    step: z.enum(['opening', 'salvaging', 'proving', 'preparing']),
    done: z.number().int(),
    total: z.number().int().nullable(),
  }),
} as const;
