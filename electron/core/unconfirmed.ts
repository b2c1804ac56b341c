import { AppError } from '../../shared/errors.ts';
import type { Stores } from './ports.ts';

type Kept = Pick<Stores, 'settings'>;

/** The id of the office among what restored data would reach; connections have the name of their credential. */
export const OFFICE_REACH = 'office';

/** The same for where backups go and who opens them: switching them on confirms it. */
export const BACKUP_REACH = 'backups';

/** The same for the folder that copies of the evidence's end are written into. */
export const EVIDENCE_REACH = 'evidence';

/** Whether restored data names it and no person has confirmed it. */
export const isUnconfirmed = ({ settings }: Kept, id: string): boolean =>
  settings.read().unconfirmed.includes(id);

/** 'signed-out' with 'not-confirmed' while restored data names it and no person has confirmed it; else null. */
export function whyUnconfirmed(kept: Kept, id: string, name: string): AppError | null {
  if (!isUnconfirmed(kept, id)) return null;
  const message = `${name} comes from a backup, so nothing is sent there until you confirm its address`;
  return new AppError('signed-out', message, { reason: 'not-confirmed' });
}

/** A person said so, or typed the credential, the invitation or the words anew. */
export function confirmReach({ settings }: Kept, id: string): void {
  const { unconfirmed } = settings.read();
  if (!unconfirmed.includes(id)) return;
  settings.write({ unconfirmed: unconfirmed.filter((one) => one !== id) });
}
