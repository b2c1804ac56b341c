import { AppError } from '../../shared/errors.ts';
import type { Stores } from './ports.ts';

type ConfirmationStores = Pick<Stores, 'settings'>;

/**
 * ID of the office among the unconfirmed addresses of restored data. The ID of a connection's
 * address is the name of its credential.
 */
export const OFFICE_REACH_ID = 'office';

/**
 * ID of the backup folder and the backup administrator; the user confirms both by switching backups
 * on.
 */
export const BACKUP_REACH_ID = 'backups';

/** ID of the folder for notes about the end of the evidence log. */
export const EVIDENCE_REACH_ID = 'evidence';

/** Whether restored data contains this address and the user has not confirmed it yet. */
export const isUnconfirmed = ({ settings }: ConfirmationStores, id: string): boolean =>
  settings.read().unconfirmed.includes(id);

/**
 * Returns the error 'signed-out' with 'not-confirmed' if restored data contains this address and
 * the user has not confirmed it yet; otherwise null.
 */
export function whyUnconfirmed(
  kept: ConfirmationStores,
  id: string,
  name: string,
): AppError | null {
  if (!isUnconfirmed(kept, id)) return null;
  const message = `${name} comes from a backup, so nothing is sent there until you confirm its address`;
  return new AppError('signed-out', message, { reason: 'not-confirmed' });
}

/**
 * Marks the address as confirmed. Called when the user has confirmed it, or has entered the
 * credential, the invitation or the words again.
 */
export function confirmReach({ settings }: ConfirmationStores, id: string): void {
  const { unconfirmed } = settings.read();
  if (!unconfirmed.includes(id)) return;
  settings.write({ unconfirmed: unconfirmed.filter((one) => one !== id) });
}
