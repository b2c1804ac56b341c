import type { MovedDeskBackup, DeskDeactivation } from '../../../shared/contract/backup.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { JobKind } from '../../../shared/contract/jobs.ts';
import type { OutboxState } from '../../../shared/contract/outbox.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ActionRunner } from '../actions/runner.ts';
import type { EvidenceAnchors } from '../evidence/anchors.ts';
import type { EvidenceLog, NewEvidence } from '../evidence/log.ts';
import type { JobOutcome, JobQueue, Progress } from '../job-queue.ts';
import type { OutboxTransitions } from '../outbox/transitions.ts';
import type { OutboxWorker } from '../outbox/worker.ts';
import type { Clock, Files, Stores } from '../ports.ts';
import { deactivationOf } from '../deactivation.ts';
import { markUnknownAfterReactivation } from './uncertain.ts';
import type { BackupFiles } from './ports.ts';
import { type ProofPorts, unpackAndVerify } from './restore.ts';
import { type BackupWork, requireConfirmed } from './work.ts';

export interface MovePorts {
  readonly stores: Stores;
  readonly files: Pick<Files, 'prepareFolder' | 'drop' | 'statFile'>;
  readonly backupFiles: BackupFiles;
  readonly backupPlaces: ProofPorts['places'];
  readonly backupWork: BackupWork;
  readonly worker: Pick<OutboxWorker, 'alone' | 'quiet' | 'wake'>;
  readonly actionRunner: Pick<ActionRunner, 'quiet'>;
  readonly transitions: Pick<OutboxTransitions, 'distrust'>;
  readonly evidenceLog: Pick<EvidenceLog, 'append'>;
  readonly anchors: Pick<EvidenceAnchors, 'keep'>;
  readonly jobs: Pick<JobQueue, 'running'>;
  readonly clock: Clock;
  readonly emit: Emit;
}

interface MoveParameters {
  readonly folder: string;
  readonly withCredentials: boolean;
  /** Secret that opens the backup: the phrase, or the text of an administrator's key file. */
  readonly secret: string;
}

type Report = (progress: Progress) => void;

/**
 * Jobs that change nothing at the service, in the data or in folders that the other computer uses.
 */
const harmlessJobKinds: readonly JobKind[] = [
  'sync-agreements',
  'review-agreement',
  'verify-archive',
  'write-report',
  'save-copies',
  'prepare-update',
  'make-backup',
  'find-fields',
];
const undecidedOutboxStates: readonly OutboxState[] = ['queued', 'unknown', 'absent', 'human'];

/**
 * Moves all data to another computer. This computer is deactivated before the copy is made, so that
 * nothing is sent that the copy does not contain. The evidence records the deactivation and its end
 * (the user reactivated it, or the backup failed). If the program ends in between, the computer
 * stays deactivated.
 */
export class DeskMove {
  readonly #ports: MovePorts;

  constructor(ports: MovePorts) {
    this.#ports = ports;
  }

  /** Returns the reason for the deactivation of this computer; null if it is active. */
  rest(): DeskDeactivation | null {
    const rest = deactivationOf(this.#ports.stores);
    return rest && { ...rest, waiting: this.#waiting() };
  }

  /**
   * Checks whether this computer can be moved. Throws 'invalid' with 'phrase-wrong' or
   * 'phrase-other', 'conflict' (also for unconfirmed restored data), and 'storage' with
   * 'folder-missing'.
   */
  async check({ folder, secret }: MoveParameters): Promise<void> {
    const { stores, backupWork, backupFiles, files, jobs } = this.#ports;
    requireConfirmed(stores);
    await backupFiles.checkSecret(backupWork.setUp(), secret);
    await files.prepareFolder(folder, false);
    if (jobs.running().every((kind) => harmlessJobKinds.includes(kind))) return;
    throw new AppError(
      'conflict',
      'Other work is running here, so nothing was moved. Try again when it is done',
      { reason: 'already-under-way' },
    );
  }

  /**
   * Deactivates this computer and writes the backup for the other one. A failure leaves no file and
   * does not deactivate this computer. Throws 'conflict' with 'desk-busy'.
   */
  async move(
    order: MoveParameters,
    signal: AbortSignal,
    report: Report,
  ): Promise<JobOutcome<MovedDeskBackup>> {
    const { worker, anchors } = this.#ports;
    try {
      const result = await worker.alone(() => this.#resting(order, signal, report));
      return { result, failure: null };
    } finally {
      await anchors.keep();
      worker.wake();
    }
  }

  /**
   * Reactivates this computer. `confirm`: number of waiting sends that the user confirmed. Throws
   * 'conflict' if this computer is not deactivated, or with 'desk-busy', and 'invalid' with
   * 'count-differs'.
   */
  async wake(confirm: number): Promise<void> {
    const { worker, stores, anchors, emit } = this.#ports;
    await worker.alone(async () => {
      if (deactivationOf(stores) === null) {
        throw new AppError('conflict', 'This computer is not deactivated, so nothing was changed');
      }
      const waiting = this.#waiting();
      if (waiting !== confirm) {
        const message = `${String(waiting)} sends are waiting on this computer, but ${String(confirm)} were confirmed. Nothing was changed`;
        throw new AppError('invalid', message, { reason: 'count-differs' });
      }
      // The sends are marked first: if the program ends in between, the computer is still
      // deactivated, with its sends already marked as unknown.
      markUnknownAfterReactivation(this.#ports);
      this.#record({ kind: 'woken', because: 'person' });
      await anchors.keep();
    });
    for (const name of ['reminders', 'intake', 'archive'] as const) emit(`${name}.changed`, {});
    worker.wake();
  }

  async #resting(
    order: MoveParameters,
    signal: AbortSignal,
    report: Report,
  ): Promise<MovedDeskBackup> {
    const { stores, worker, actionRunner } = this.#ports;
    const isResting = deactivationOf(stores) !== null;
    if (!isResting) this.#record({ kind: 'moving', folder: order.folder });
    try {
      await worker.quiet();
      await actionRunner.quiet();
      return await this.#write(order, signal, report);
    } catch (error) {
      if (!isResting) this.#record({ kind: 'woken', because: 'not-moved' });
      throw error;
    }
  }

  /** Writes the backup, opens it with the secret to check it, and records the move. */
  async #write(
    { folder, withCredentials, secret }: MoveParameters,
    signal: AbortSignal,
    report: Report,
  ): Promise<MovedDeskBackup> {
    const { backupWork, files } = this.#ports;
    const moved = await backupWork.write({ folder, withCredentials }, signal, report);
    try {
      await this.#prove(moved.file, secret, signal);
      signal.throwIfAborted();
      const { file, bytes, manifest } = moved;
      this.#record({ kind: 'moved', file, bytes, backupAt: manifest.madeAt });
      return moved;
    } catch (error) {
      await files.drop(moved.file);
      throw error;
    }
  }

  async #prove(file: string, secret: string, signal: AbortSignal): Promise<void> {
    const { backupFiles, backupPlaces: places, files } = this.#ports;
    // The job has reported its progress; the remaining steps take little time.
    const turn = { signal, report: () => undefined };
    const place = await places.workplace();
    try {
      await unpackAndVerify({ backupFiles, places, files }, { file, secret }, place.file, turn);
    } finally {
      await place.remove();
    }
  }

  #record(fact: NewEvidence['fact']): void {
    const { evidenceLog, emit } = this.#ports;
    evidenceLog.append({ ref: null, connection: null, agreement: null, person: null, fact });
    emit('backup.changed', {});
  }

  #waiting(): number {
    const { outbox } = this.#ports.stores;
    return undecidedOutboxStates.reduce((sum, state) => sum + outbox.inState(state).length, 0);
  }
}
