import {
  type BackupFile,
  type BackupMade,
  type BackupManifest,
  type BackupRun,
} from '../../../shared/contract/backup.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import { MOST_FAILURES } from '../../../shared/contract/reminders.ts';
import { AppError, type Failure } from '../../../shared/errors.ts';
import { backupDueAt } from '../../../shared/rules/backup/due.ts';
import { backupName, backupTime } from '../../../shared/rules/backup/names.ts';
import { Serial } from '../../../shared/serial.ts';
import type { ToFailure } from '../../../shared/wire.ts';
import type { Origin } from '../evidence/ports.ts';
import type { JobOutcome, Progress } from '../job-queue.ts';
import type { WriterLock } from '../outbox/ports.ts';
import type { Clock, Files, Stores, Vault } from '../ports.ts';
import { secretName } from '../services/services.ts';
import type { DataFacts } from '../copy-ports.ts';
import type { BackupFiles, DataCopies, StoredBackup } from './ports.ts';

/** After one that failed; a drive that comes and goes is asked for as often. */
const REST_MS = 15 * 60_000;
const PART = '.part';

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

/** Makes backups, one after the other, and never beside another process of this data. */
export class BackupWork {
  readonly #ports: BackupPorts;
  readonly #turns = new Serial();

  constructor(ports: BackupPorts) {
    this.#ports = ports;
  }

  /**
   * Throws 'not-found' with 'not-set-up', 'conflict' with 'already-under-way', and 'storage'. What
   * failed leaves no file, and every older backup as it was.
   */
  run(signal: AbortSignal, report: Report): Promise<JobOutcome<BackupMade>> {
    return this.#turns.run(async () => {
      const { backupLock, emit } = this.#ports;
      this.setUp();
      if (!backupLock.take()) {
        throw new AppError('conflict', 'Another process is making a backup', {
          reason: 'already-under-way',
        });
      }
      try {
        return { result: await this.#noted(signal, report), failure: null };
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
    throw new AppError('not-found', 'Backups are not set up yet: they need a recovery phrase', {
      reason: 'not-set-up',
    });
  }

  /** When the rule makes the next one; null where it makes none. */
  dueAt(): number | null {
    const stored = this.#ports.stores.backup.read();
    if (stored === null || !stored.plan.isOn || isBackupPaused(stored)) return null;
    const { plan, good, setUpAt, last } = stored;
    const now = this.#ports.clock.now();
    const at = backupDueAt(plan.when, good?.at ?? setUpAt, now);
    if (at === null || last === null || last.failure === null) return at;
    // A clock that was put back must not keep it resting.
    return Math.abs(now - last.at) < REST_MS ? Math.max(at, last.at + REST_MS) : at;
  }

  isDue(): boolean {
    const at = this.dueAt();
    return at !== null && at <= this.#ports.clock.now();
  }

  /** Those of this desk in its folder, the newest first. Throws 'storage'. */
  async list(): Promise<readonly BackupFile[]> {
    const { files } = this.#ports;
    const { desk, plan } = this.setUp();
    const names = await files.prepareFolder(plan.folder, false);
    const found: BackupFile[] = [];
    for (const name of names.toSorted().toReversed()) {
      const at = backupTime(desk, name);
      if (at === null) continue;
      const file = files.join(plan.folder, name);
      const there = await files.statFile(file);
      if (there !== null) found.push({ file, at, bytes: there.bytes });
    }
    return found;
  }

  async #noted(signal: AbortSignal, report: Report): Promise<BackupMade> {
    const { clock, toFailure } = this.#ports;
    try {
      const made = await this.#make(signal, report);
      const at = made.manifest.madeAt;
      const good = { at, file: made.file, bytes: made.bytes };
      this.#save({ at, file: made.file, failure: null, inRow: 0 }, good);
      return made;
    } catch (error) {
      // What was stopped in the middle is still due.
      if (!signal.aborted) {
        const failure = toFailure(error, 'backup.run');
        const before = this.setUp();
        const inRow = (before.last?.inRow ?? 0) + (isAway(failure) ? 0 : 1);
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

  async #make(signal: AbortSignal, report: Report): Promise<BackupMade> {
    const { files, dataCopies, clock } = this.#ports;
    const { desk, plan } = this.setUp();
    await this.#sweep(desk, await files.prepareFolder(plan.folder, false), plan.folder);
    const at = clock.now();
    const file = files.join(plan.folder, backupName(desk, at));
    try {
      const facts = await dataCopies.take(signal);
      const manifest = this.#manifestOf(facts, desk, at);
      const bytes = await this.#pack(file, manifest, signal, report);
      await this.#name(file);
      const removed = await this.#prune(file, plan.keep);
      return { file, bytes, manifest, removed };
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
      if (whole === null || backupTime(desk, whole) === null) continue;
      await files.dropPart(files.join(folder, whole));
    }
  }

  #manifestOf(facts: DataFacts, desk: string, madeAt: number): BackupManifest {
    const { origin, version } = this.#ports;
    const { schema, counts, evidence, bytes, sha256 } = facts;
    return {
      format: 'signing-desk-backup',
      version: 1,
      program: version,
      schema,
      madeAt,
      desk,
      computer: origin.computer,
      counts,
      evidence,
      database: { bytes, sha256 },
      withCredentials: this.setUp().plan.withCredentials,
    };
  }

  async #pack(
    file: string,
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
        database: dataCopies.copy,
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
   * oldest by name. One that cannot be removed is tried again next time.
   */
  async #prune(made: string, keep: number): Promise<number> {
    const others = (await this.list()).filter(({ file }) => file !== made);
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
export const isBackupPaused = ({ last }: StoredBackup): boolean =>
  (last?.inRow ?? 0) >= MOST_FAILURES;

/** A drive that is not there, or another process that makes one, is no fault of the rule. */
function isAway({ reason }: Failure): boolean {
  return reason === 'folder-missing' || reason === 'already-under-way';
}
