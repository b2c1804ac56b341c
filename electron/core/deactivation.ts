import { AppError } from '../../shared/errors.ts';
import type { Stores } from './ports.ts';

/**
 * Deactivation of this computer: its data was moved to another computer, so this one sends nothing
 * and runs no rule.
 */
export interface Deactivation {
  /**
   * Path of the backup file with the moved data; of its folder, as long as the backup is not
   * verified.
   */
  readonly to: string;
  /** Time of the deactivation (epoch ms). */
  readonly at: number;
  /** False if the program ended before the backup was verified. */
  readonly isProven: boolean;
}

type EvidenceStores = Pick<Stores, 'evidence'>;

/**
 * Deactivation according to the last move in the evidence; null while this computer is active. It
 * is stored in the data so that it applies to every process and every copy of the data. Data
 * restored from the backup of the move is active again.
 */
export function deactivationOf({ evidence }: EvidenceStores): Deactivation | null {
  const last = evidence.lastMove();
  if (last === null) return null;
  const { fact, at } = last;
  if (fact.kind === 'moving') return { to: fact.folder, at, isProven: false };
  return fact.kind === 'moved' ? { to: fact.file, at, isProven: true } : null;
}

/**
 * Throws 'conflict' with 'desk-at-rest' if this computer is deactivated; the error has the time of
 * the move and its backup file or folder.
 */
export function requireActive(stores: EvidenceStores): void {
  const rest = deactivationOf(stores);
  if (rest === null) return;
  const { at, to, isProven } = rest;
  const why = isProven
    ? 'its data was moved to another computer with the file'
    : 'a move was started but not finished, with the backup folder';
  const message = `This computer is deactivated since ${new Date(at).toISOString()}: ${why} ${to}`;
  throw new AppError('conflict', message, { reason: 'desk-at-rest' });
}
