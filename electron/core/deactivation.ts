import { AppError } from '../../shared/errors.ts';
import type { Stores } from './ports.ts';

/** This desk moved to another computer, and does nothing that reaches out or follows a rule. */
export interface Deactivation {
  /** The backup that it moved in; the folder where that was not proven. */
  readonly to: string;
  /** Epoch milliseconds: since when it rests. */
  readonly at: number;
  /** False: the program ended before the backup was proven. */
  readonly isProven: boolean;
}

type Kept = Pick<Stores, 'evidence'>;

/**
 * What the evidence says last about it; null while this desk works. It stands in the data, so that
 * every process of it rests, and a copy of it, too; in what was restored from the backup it is over.
 */
export function deactivationOf({ evidence }: Kept): Deactivation | null {
  const last = evidence.lastMove();
  if (last === null) return null;
  const { fact, at } = last;
  if (fact.kind === 'moving') return { to: fact.folder, at, isProven: false };
  return fact.kind === 'moved' ? { to: fact.file, at, isProven: true } : null;
}

/** Throws 'conflict' with 'desk-at-rest', and says since when, and in which file it moved. */
export function requireActive(stores: Kept): void {
  const rest = deactivationOf(stores);
  if (rest === null) return;
  const { at, to, isProven } = rest;
  const why = isProven
    ? 'its data was moved to another computer in'
    : 'a move was started but not finished, into';
  const message = `This computer is deactivated since ${new Date(at).toISOString()}: ${why} ${to}`;
  throw new AppError('conflict', message, { reason: 'desk-at-rest' });
}
