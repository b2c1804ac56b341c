import {
  type BackupFile,
  type CreatedBackup,
  type BackupManifest,
  type BackupPlan,
  type BackupRun,
  type MovedDeskBackup,
} from '../../../shared/contract/backup.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { backupDueAt } from '../../../shared/rules/backup/due.ts';
import {
  type ParsedBackupName,
  backupName,
  parseBackupName,
} from '../../../shared/rules/backup/names.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Origin } from '../evidence/ports.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { WriterLock } from '../outbox/ports.ts';
import type { Clock, Files, Stores, Vault } from '../ports.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { secretName } from '../services/services.ts';
import { BACKUP_REACH_ID, isUnconfirmed } from '../unconfirmed.ts';
import type { DataFacts } from '../copy-ports.ts';
import type { BackupFiles, DataCopies, StoredBackup, UpgradeCopy } from './ports.ts';
import { MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

/** Retry delay (ms) after a failure, also for a drive that is often disconnected. */
const BACKUP_RETRY_DELAY_MS = 15 * MINUTE;
const PART_EXTENSION = '.part';
/**
 * Number of backups from before upgrades that are kept: the last upgrade may have been tried twice.
 */
const KEPT_UPGRADE_BACKUPS = 2;

export interface BackupPorts {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly files: Files;
  readonly dataCopies: DataCopies;
  readonly backupFiles: BackupFiles;
  /** Lock held by the one process that makes a backup. */
  readonly backupLock: WriterLock;
  readonly origin: Origin;
  readonly version: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

type Report = (progress: Progress) => void;

interface BackupRunRequest {
  readonly folder: string;
  readonly withCredentials: boolean;
  /** Time of the snapshot (epoch ms). */
  readonly at: number;
  /** Copy of the data from before an upgrade; null to back up the current data. */
  readonly kept: UpgradeCopy | null;
}

/** Makes backups one at a time, and never while another process with the same data makes one. */
export class BackupWork {
  readonly #ports: BackupPorts;
  readonly #turns = new Serial();
  /** Files of unreadable upgrade copies, which this process does not try again. */
  readonly #spoilt = new Set<string>();

  constructor(ports: BackupPorts) {
    this.#ports = ports;
  }

  /**
   * Makes backups of the copies from before upgrades, then one of the current data. With `onlyDue`,
   * the latter is skipped if a copy was backed up and no backup of the rule is due. A failure
   * leaves no file and keeps all older backups. Throws 'not-found' with 'not-set-up', 'conflict'
   * with 'already-under-way', and 'storage'.
   */
  run(signal: AbortSignal, report: Report, onlyDue = false): Promise<JobOutcome<CreatedBackup>> {
    return this.#locked(async () => {
      // Backups of a deactivated computer would push out those of the computer that its data moved
      // to.
      requireActive(this.#ports.stores);
      requireConfirmed(this.#ports.stores);
      const kept = await this.#keepUpgrades(signal, report);
      const isEnough = onlyDue && kept !== null && !this.#isRuleDue();
      const result = isEnough
        ? kept
        : await this.#noted(signal, true, () => this.#makeUsual(signal, report));
      return { result, failure: null };
    });
  }

  /**
   * Writes a backup for another computer, into any folder; removes no older backup. Throws as `run`
   * does.
   */
  write(
    to: Pick<BackupPlan, 'folder' | 'withCredentials'>,
    signal: AbortSignal,
    report: Report,
  ): Promise<MovedDeskBackup> {
    return this.#locked(async () => {
      requireConfirmed(this.#ports.stores);
      return this.#noted(signal, true, async () => {
        const order = { ...to, at: this.#ports.clock.now(), kept: null };
        return { ...(await this.#make(order, signal, report)), removed: 0 };
      });
    });
  }

  #locked<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(async () => {
      const { backupLock, emit } = this.#ports;
      this.setUp();
      if (!backupLock.take()) {
        throw new AppError(
          'conflict',
          'Another window or command is making a backup. Try again when it is done',
          { reason: 'already-under-way' },
        );
      }
      try {
        return await work();
      } finally {
        backupLock.free();
        emit('backup.changed', {});
      }
    });
  }

  /** Returns the settings of backups. Throws 'not-found' with 'not-set-up'. */
  setUp(): StoredBackup {
    const stored = this.#ports.stores.backup.read();
    if (stored !== null) return stored;
    throw new AppError(
      'not-found',
      'Backups are not set up yet. Set them up with a recovery phrase first',
      { reason: 'not-set-up' },
    );
  }

  /** Time of the next automatic backup (epoch ms); null if there is none. */
  dueAt(): number | null {
    if (!this.mayRun) return null;
    const stored = this.setUp();
    const { last } = stored;
    const now = this.#ports.clock.now();
    const at = this.upgradeAt() ?? this.#ruleDueAt(stored);
    if (at === null || last === null || last.failure === null) return at;
    // If the clock was set back, the backup waits no longer than the retry delay.
    return Math.abs(now - last.at) < BACKUP_RETRY_DELAY_MS
      ? Math.max(at, last.at + BACKUP_RETRY_DELAY_MS)
      : at;
  }

  isDue(): boolean {
    const at = this.dueAt();
    return at !== null && at <= this.#ports.clock.now();
  }

  /** Whether automatic backups run: they are set up, not paused, and this computer is active. */
  get mayRun(): boolean {
    const { stores } = this.#ports;
    const stored = stores.backup.read();
    return stored !== null && !isBackupPaused(stores, stored) && deactivationOf(stores) === null;
  }

  /**
   * Time of the oldest upgrade copy that is not backed up yet (epoch ms); null if there is none.
   */
  upgradeAt(): number | null {
    return this.#unkept()[0]?.takenAt ?? null;
  }

  /** Returns the backups of this computer in the backup folder, newest first. Throws 'storage'. */
  async list(): Promise<readonly BackupFile[]> {
    const { files } = this.#ports;
    const { desk, plan } = this.setUp();
    const names = await files.prepareFolder(plan.folder, false);
    const found: BackupFile[] = [];
    for (const name of names.toSorted().toReversed()) {
      const named = parseBackupName(desk, name);
      if (named === null) continue;
      const file = files.join(plan.folder, name);
      const there = await files.statFile(file);
      if (there !== null) found.push({ file, bytes: there.bytes, ...named });
    }
    return found;
  }

  #ruleDueAt({ plan, good, setUpAt }: StoredBackup): number | null {
    if (!plan.isOn) return null;
    return backupDueAt(plan.when, good?.at ?? setUpAt, this.#ports.clock.now());
  }

  #isRuleDue(): boolean {
    const at = this.#ruleDueAt(this.setUp());
    return at !== null && at <= this.#ports.clock.now();
  }

  /**
   * Returns the upgrade copies made since backups were set up, oldest first. Older copies are not
   * included, because no backup of them was promised.
   */
  #unkept(): readonly UpgradeCopy[] {
    const { stores, dataCopies } = this.#ports;
    const stored = stores.backup.read();
    if (stored === null) return [];
    return dataCopies
      .beforeUpgrades()
      .filter(({ file, takenAt }) => takenAt >= stored.setUpAt && !this.#spoilt.has(file));
  }

  /**
   * Backs up the upgrade copies; returns the last backup made, or null if none was made. Each copy
   * is then removed, because a backup on another drive contains it.
   */
  async #keepUpgrades(signal: AbortSignal, report: Report): Promise<CreatedBackup | null> {
    let last: CreatedBackup | null = null;
    for (const kept of this.#unkept()) {
      if (await this.#isKept(kept)) await this.#ports.files.drop(kept.file);
      else last = await this.#noted(signal, false, () => this.#keepUpgrade(kept, signal, report));
    }
    return last;
  }

  /**
   * Whether a backup of the upgrade copy was completed before the program ended. Throws 'storage'
   * if the folder is missing.
   */
  async #isKept({ takenAt }: UpgradeCopy): Promise<boolean> {
    const { desk, plan } = this.setUp();
    const file = this.#ports.files.join(plan.folder, backupName(desk, takenAt, true));
    return (await this.#ports.files.statFile(file)) !== null;
  }

  async #keepUpgrade(
    kept: UpgradeCopy,
    signal: AbortSignal,
    report: Report,
  ): Promise<CreatedBackup> {
    const order = { ...this.setUp().plan, at: kept.takenAt, kept };
    try {
      const written = await this.#make(order, signal, report);
      await this.#ports.files.drop(kept.file);
      return { ...written, removed: await this.#prune(written.file, KEPT_UPGRADE_BACKUPS, true) };
    } catch (error) {
      if (isUnreadable(error)) this.#spoilt.add(kept.file);
      throw error;
    }
  }

  async #makeUsual(signal: AbortSignal, report: Report): Promise<CreatedBackup> {
    const { plan } = this.setUp();
    const order = { ...plan, at: this.#ports.clock.now(), kept: null };
    const written = await this.#make(order, signal, report);
    return { ...written, removed: await this.#prune(written.file, plan.keep, false) };
  }

  /**
   * Makes a backup and records the run. A backup of an upgrade copy (`isUsual` is false) does not
   * contain the current data, so it is not recorded as a good backup of the rule.
   */
  async #noted(
    signal: AbortSignal,
    isUsual: boolean,
    make: () => Promise<CreatedBackup>,
  ): Promise<CreatedBackup> {
    const { clock, toFailure } = this.#ports;
    try {
      const made = await make();
      const { file, bytes, manifest } = made;
      const good = isUsual ? { at: manifest.madeAt, file, bytes } : this.setUp().good;
      this.#save({ at: clock.now(), file, failure: null, inRow: 0 }, good);
      return made;
    } catch (error) {
      // A stopped backup is still due.
      if (!signal.aborted) {
        const failure = toFailure(error, 'backup.run');
        const before = this.setUp();
        const inRow = failuresAfter(before.last?.inRow, failure, isTemporarilyUnavailable);
        this.#save({ at: clock.now(), file: null, failure, inRow }, before.good);
      }
      throw error;
    }
  }

  /** Records a run. The plan is read again, because the user may have changed it during the run. */
  #save(last: BackupRun, good: StoredBackup['good']): void {
    const { backup } = this.#ports.stores;
    backup.save({ ...this.setUp(), last, good });
  }

  async #make(
    order: BackupRunRequest,
    signal: AbortSignal,
    report: Report,
  ): Promise<MovedDeskBackup> {
    const { files, dataCopies } = this.#ports;
    const { folder, at, kept } = order;
    const { desk } = this.setUp();
    const names = await files.prepareFolder(folder, false);
    await this.#sweep(desk, names, folder);
    const file = files.join(folder, freeName(names, { desk, at, isBeforeUpgrade: kept !== null }));
    try {
      const facts =
        kept === null ? await dataCopies.take(signal) : await dataCopies.inspect(kept.file, signal);
      const manifest = this.#manifestOf(facts, order);
      const bytes = await this.#pack(file, kept?.file ?? dataCopies.copy, manifest, signal, report);
      await this.#name(file);
      return { file, bytes, manifest };
    } catch (error) {
      await files.dropPart(file).catch(() => undefined);
      throw error;
    } finally {
      await dataCopies.drop();
    }
  }

  /**
   * Removes leftovers of a killed run: the copy next to the data file, and part files in the backup
   * folder. No other process of this computer is writing them.
   */
  async #sweep(desk: string, names: readonly string[], folder: string): Promise<void> {
    const { files, dataCopies } = this.#ports;
    await dataCopies.drop();
    for (const name of names) {
      const whole = name.endsWith(PART_EXTENSION) ? name.slice(0, -PART_EXTENSION.length) : null;
      if (whole === null || parseBackupName(desk, whole) === null) continue;
      await files.dropPart(files.join(folder, whole));
    }
  }

  #manifestOf(facts: DataFacts, { at: madeAt, withCredentials }: BackupRunRequest): BackupManifest {
    const { origin, version } = this.#ports;
    const { schema, counts, evidence, bytes, sha256 } = facts;
    return {
      format: 'signing-desk-backup',
      version: 1,
      program: version,
      schema,
      madeAt,
      desk: this.setUp().desk,
      computer: origin.computer,
      counts,
      evidence,
      database: { bytes, sha256 },
      withCredentials,
    };
  }

  async #pack(
    file: string,
    database: string,
    manifest: BackupManifest,
    signal: AbortSignal,
    report: Report,
  ): Promise<number> {
    const { backupFiles, dataCopies } = this.#ports;
    const { recipient, wrapped, plan } = this.setUp();
    const { withCredentials } = manifest;
    const credentials = withCredentials ? await this.#credentials() : {};
    // The data is written once and read back once.
    const total = 2 * manifest.database.bytes;
    let done = 0;
    report({ done, total });
    const { bytes } = await backupFiles.pack(
      {
        part: `${file}${PART_EXTENSION}`,
        keys: { recipient, wrapped },
        administrator: plan.administrator,
        manifest,
        secrets: { dataKey: dataCopies.key, credentials },
        database,
      },
      (moved) => {
        done = Math.min(total, done + moved);
        report({ done, bytes: done });
      },
      signal,
    );
    report({ done: total, total });
    return bytes;
  }

  async #credentials(): Promise<Readonly<Record<string, string>>> {
    const { stores, vault } = this.#ports;
    const found: Record<string, string> = {};
    for (const { id, environment } of stores.connections.list()) {
      const secret = environment === 'demo' ? null : await vault.read(secretName(id));
      if (secret !== null) found[secretName(id)] = secret;
    }
    return found;
  }

  async #name(file: string): Promise<void> {
    const [named] = await this.#ports.files.nameParts([file]);
    if (named?.failure) throw AppError.from(named.failure);
  }

  /**
   * Removes old backups, only after the new backup was verified. The new one itself is never
   * removed: if the clock was set back, it has the oldest name. Upgrade backups are counted
   * separately, so that nightly ones cannot push them out. A failed removal is tried again next
   * time.
   */
  async #prune(made: string, keep: number, isBeforeUpgrade: boolean): Promise<number> {
    const others = (await this.list()).filter(
      (one) => one.file !== made && one.isBeforeUpgrade === isBeforeUpgrade,
    );
    let removed = 0;
    for (const { file } of others.slice(keep - 1)) {
      const isGone = await this.#ports.files.drop(file).then(
        () => true,
        () => false,
      );
      if (isGone) removed += 1;
    }
    return removed;
  }
}

/** Whether backups are paused, after repeated failures or a restore, and need the user. */
export const isBackupPaused = (
  stores: Pick<Stores, 'settings'>,
  { last }: Pick<StoredBackup, 'last'>,
): boolean => isPausedAfter(last?.inRow) || isUnconfirmed(stores, BACKUP_REACH_ID);

/**
 * Throws 'conflict' with 'data-restored' if the user has not confirmed the backups of restored
 * data: the creator of that data chose their folder and keys.
 */
export function requireConfirmed(stores: Pick<Stores, 'settings'>): void {
  if (!isUnconfirmed(stores, BACKUP_REACH_ID)) return;
  const message =
    'This data was restored, so backups are off. Check their folder and keys, then turn them on';
  throw new AppError('conflict', message, { reason: 'data-restored' });
}

/**
 * Whether a backup failed because its drive is missing, or because another process is making one.
 * Neither is a failure of the rule.
 */
function isTemporarilyUnavailable({ reason }: Failure): boolean {
  return reason === 'folder-missing' || reason === 'already-under-way';
}

/**
 * Whether an upgrade copy is unreadable: a retry would find the same fault, and would prevent
 * backups of the current data.
 */
function isUnreadable(error: unknown): boolean {
  const reason = error instanceof AppError ? error.failure.reason : undefined;
  return reason === 'data-damaged' || reason === 'data-wrong-key';
}

/**
 * Returns a free name. Names contain seconds: a second backup within the same second gets the name
 * of the next second.
 */
function freeName(
  names: readonly string[],
  { desk, at, isBeforeUpgrade }: ParsedBackupName & { readonly desk: string },
): string {
  for (let second = at; ; second += SECOND) {
    const name = backupName(desk, second, isBeforeUpgrade);
    if (!names.includes(name)) return name;
  }
}
