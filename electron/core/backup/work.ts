import {
  type BackupFile,
  type BackupMade,
  type BackupManifest,
  type BackupPlan,
  type BackupRun,
  type DeskMoved,
} from '../../../shared/contract/backup.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { failuresAfter, isPausedAfter } from '../rules/failures-in-row.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { backupDueAt } from '../../../shared/rules/backup/due.ts';
import { type BackupNamed, backupName, backupNamed } from '../../../shared/rules/backup/names.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Origin } from '../evidence/ports.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { WriterLock } from '../outbox/ports.ts';
import type { Clock, Files, Stores, Vault } from '../ports.ts';
import { requireActive, deactivationOf } from '../deactivation.ts';
import { secretName } from '../services/services.ts';
import { BACKUP_REACH, isUnconfirmed } from '../unconfirmed.ts';
import type { DataFacts } from '../copy-ports.ts';
import type { BackupFiles, DataCopies, StoredBackup, UpgradeCopy } from './ports.ts';
import { MINUTE, SECOND } from '../../../shared/rules/time/units.ts';

/** After one that failed; a drive that comes and goes is asked for as often. */
const REST_MS = 15 * MINUTE;
const PART = '.part';
/** The last upgrade may have been tried twice. */
const UPGRADES_KEPT = 2;

export interface BackupPorts {
  readonly stores: Stores;
  readonly vault: Vault;
  readonly files: Files;
  readonly dataCopies: DataCopies;
  readonly backupFiles: BackupFiles;
  /** Held by the one process that makes a backup. */
  readonly backupLock: WriterLock;
  readonly origin: Origin;
  readonly version: string;
  readonly clock: Clock;
  readonly emit: Emit;
  readonly toFailure: ToFailure;
}

type Report = (progress: Progress) => void;

/** What one backup is made of, and where it goes. */
interface Order {
  readonly folder: string;
  readonly withCredentials: boolean;
  /** When the data was as it is in it. */
  readonly at: number;
  /** What an upgrade kept; null: the data as it is. */
  readonly kept: UpgradeCopy | null;
}

/** Makes backups, one after the other, and never beside another process of this data. */
export class BackupWork {
  readonly #ports: BackupPorts;
  readonly #turns = new Serial();
  /** Of what upgrades kept, what could not be read: it is not tried again in this process. */
  readonly #spoilt = new Set<string>();

  constructor(ports: BackupPorts) {
    this.#ports = ports;
  }

  /**
   * Throws 'not-found' with 'not-set-up', 'conflict' with 'already-under-way', and 'storage'. What
   * failed leaves no file, and every older backup as it was. What an upgrade kept comes first; the
   * data as it is follows, or, where only what is due was asked for, when its time has come.
   */
  run(signal: AbortSignal, report: Report, onlyDue = false): Promise<JobOutcome<BackupMade>> {
    return this.#locked(async () => {
      // What this desk moved in would be pushed out by others of the same data.
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

  /** One that goes to another computer: into any folder, and no older one goes. Throws as `run` does. */
  write(
    to: Pick<BackupPlan, 'folder' | 'withCredentials'>,
    signal: AbortSignal,
    report: Report,
  ): Promise<DeskMoved> {
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

  /** Throws 'not-found' with 'not-set-up'. */
  setUp(): StoredBackup {
    const stored = this.#ports.stores.backup.read();
    if (stored !== null) return stored;
    throw new AppError(
      'not-found',
      'Backups are not set up yet. Set them up with a recovery phrase first',
      { reason: 'not-set-up' },
    );
  }

  /** When the next one is made by itself; null where none is. */
  dueAt(): number | null {
    if (!this.mayRun) return null;
    const stored = this.setUp();
    const { last } = stored;
    const now = this.#ports.clock.now();
    const at = this.upgradeAt() ?? this.#ruleDueAt(stored);
    if (at === null || last === null || last.failure === null) return at;
    // A clock that was put back must not keep it resting.
    return Math.abs(now - last.at) < REST_MS ? Math.max(at, last.at + REST_MS) : at;
  }

  isDue(): boolean {
    const at = this.dueAt();
    return at !== null && at <= this.#ports.clock.now();
  }

  /** Whether any is made by itself: they are set up, and neither they nor this desk wait for a person. */
  get mayRun(): boolean {
    const { stores } = this.#ports;
    const stored = stores.backup.read();
    return stored !== null && !isBackupPaused(stores, stored) && deactivationOf(stores) === null;
  }

  /** When an upgrade kept something that no backup holds yet; null where there is nothing. */
  upgradeAt(): number | null {
    return this.#unkept()[0]?.takenAt ?? null;
  }

  /** Those of this desk in its folder, the newest first. Throws 'storage'. */
  async list(): Promise<readonly BackupFile[]> {
    const { files } = this.#ports;
    const { desk, plan } = this.setUp();
    const names = await files.prepareFolder(plan.folder, false);
    const found: BackupFile[] = [];
    for (const name of names.toSorted().toReversed()) {
      const named = backupNamed(desk, name);
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

  /** What upgrades kept since backups were set up, oldest first: older ones were never promised. */
  #unkept(): readonly UpgradeCopy[] {
    const { stores, dataCopies } = this.#ports;
    const stored = stores.backup.read();
    if (stored === null) return [];
    return dataCopies
      .beforeUpgrades()
      .filter(({ file, takenAt }) => takenAt >= stored.setUpAt && !this.#spoilt.has(file));
  }

  /**
   * Gives the last one that was made; null where there was nothing. What was backed up goes: a backup
   * holds it, on another drive.
   */
  async #keepUpgrades(signal: AbortSignal, report: Report): Promise<BackupMade | null> {
    let last: BackupMade | null = null;
    for (const kept of this.#unkept()) {
      if (await this.#isKept(kept)) await this.#ports.files.drop(kept.file);
      else last = await this.#noted(signal, false, () => this.#keepUpgrade(kept, signal, report));
    }
    return last;
  }

  /** Whether it was named before the program ended. Throws 'storage' where the folder is away. */
  async #isKept({ takenAt }: UpgradeCopy): Promise<boolean> {
    const { desk, plan } = this.setUp();
    const file = this.#ports.files.join(plan.folder, backupName(desk, takenAt, true));
    return (await this.#ports.files.statFile(file)) !== null;
  }

  async #keepUpgrade(kept: UpgradeCopy, signal: AbortSignal, report: Report): Promise<BackupMade> {
    const order = { ...this.setUp().plan, at: kept.takenAt, kept };
    try {
      const written = await this.#make(order, signal, report);
      await this.#ports.files.drop(kept.file);
      return { ...written, removed: await this.#prune(written.file, UPGRADES_KEPT, true) };
    } catch (error) {
      if (isUnreadable(error)) this.#spoilt.add(kept.file);
      throw error;
    }
  }

  async #makeUsual(signal: AbortSignal, report: Report): Promise<BackupMade> {
    const { plan } = this.setUp();
    const order = { ...plan, at: this.#ports.clock.now(), kept: null };
    const written = await this.#make(order, signal, report);
    return { ...written, removed: await this.#prune(written.file, plan.keep, false) };
  }

  /** What an upgrade kept says nothing of the data as it is now: it is no good one of the rule. */
  async #noted(
    signal: AbortSignal,
    isUsual: boolean,
    make: () => Promise<BackupMade>,
  ): Promise<BackupMade> {
    const { clock, toFailure } = this.#ports;
    try {
      const made = await make();
      const { file, bytes, manifest } = made;
      const good = isUsual ? { at: manifest.madeAt, file, bytes } : this.setUp().good;
      this.#save({ at: clock.now(), file, failure: null, inRow: 0 }, good);
      return made;
    } catch (error) {
      // What was stopped in the middle is still due.
      if (!signal.aborted) {
        const failure = toFailure(error, 'backup.run');
        const before = this.setUp();
        const inRow = failuresAfter(before.last?.inRow, failure, isAway);
        this.#save({ at: clock.now(), file: null, failure, inRow }, before.good);
      }
      throw error;
    }
  }

  /** A person may have changed the plan meanwhile. */
  #save(last: BackupRun, good: StoredBackup['good']): void {
    const { backup } = this.#ports.stores;
    backup.save({ ...this.setUp(), last, good });
  }

  async #make(order: Order, signal: AbortSignal, report: Report): Promise<DeskMoved> {
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

  /** What a run that was killed left, here and in the folder; nobody else of this desk writes now. */
  async #sweep(desk: string, names: readonly string[], folder: string): Promise<void> {
    const { files, dataCopies } = this.#ports;
    await dataCopies.drop();
    for (const name of names) {
      const whole = name.endsWith(PART) ? name.slice(0, -PART.length) : null;
      if (whole === null || backupNamed(desk, whole) === null) continue;
      await files.dropPart(files.join(folder, whole));
    }
  }

  #manifestOf(facts: DataFacts, { at: madeAt, withCredentials }: Order): BackupManifest {
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
    // Written once and read back once.
    const total = 2 * manifest.database.bytes;
    let done = 0;
    report({ done, total });
    const { bytes } = await backupFiles.pack(
      {
        part: `${file}${PART}`,
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
   * Only now that a newer one was proven, and never that one: a clock that was put back makes it the
   * oldest by name. Those from before upgrades are counted apart, so that a night cannot push them
   * out. One that cannot be removed is tried again next time.
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

/** It asks for a person. */
export const isBackupPaused = (
  stores: Pick<Stores, 'settings'>,
  { last }: Pick<StoredBackup, 'last'>,
): boolean => isPausedAfter(last?.inRow) || isUnconfirmed(stores, BACKUP_REACH);

/** Whoever made the data that was restored chose the folder and the keys. Throws 'conflict' with 'data-restored'. */
export function requireConfirmed(stores: Pick<Stores, 'settings'>): void {
  if (!isUnconfirmed(stores, BACKUP_REACH)) return;
  const message =
    'This data was restored, so backups are off. Check their folder and keys, then turn them on';
  throw new AppError('conflict', message, { reason: 'data-restored' });
}

/** A drive that is not there, or another process that makes one, is no fault of the rule. */
function isAway({ reason }: Failure): boolean {
  return reason === 'folder-missing' || reason === 'already-under-way';
}

/** Trying again in a minute would find the same, and keep backups of the data as it is from being made. */
function isUnreadable(error: unknown): boolean {
  const reason = error instanceof AppError ? error.failure.reason : undefined;
  return reason === 'data-damaged' || reason === 'data-wrong-key';
}

/** Names say seconds: one that is made within the second of another takes the next. */
function freeName(
  names: readonly string[],
  { desk, at, isBeforeUpgrade }: BackupNamed & { readonly desk: string },
): string {
  for (let second = at; ; second += SECOND) {
    const name = backupName(desk, second, isBeforeUpgrade);
    if (!names.includes(name)) return name;
  }
}
