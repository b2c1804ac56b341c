import type { Access } from '../../../shared/contract/access.ts';
import type { ErrorReason } from '../../../shared/errors.ts';
import { m } from '../../ui/language.svelte.ts';

interface RecoveryOptions {
  readonly heading: () => string;
  /** Facts about the data in this state; null if nothing is known. */
  readonly lead: (() => string) | null;
  readonly canRescue: boolean;
  readonly canSetAside: boolean;
}

type ClosedReason = ErrorReason | undefined;
const LOST_KEY_REASONS: readonly ClosedReason[] = [
  'vault-entry-missing',
  'vault-wrong-key',
  'vault-changed',
  'data-wrong-key',
];
/**
 * Reasons for which the data counts as unreadable: a file whose first page is destroyed looks like
 * a file of another program.
 */
const UNREADABLE_DATA_REASONS: readonly ClosedReason[] = ['data-damaged', 'data-foreign'];

/** Ways to recover data that does not open, by the reason why it is closed. */
export function waysOf({ hasData, passphraseSet, problem, canSetAside }: Access): RecoveryOptions {
  const heading = m.unlock_saving;
  const nothing = { heading, lead: null, canRescue: false, canSetAside };
  if (!hasData) return { ...nothing, heading: m.unlock_first_backup };
  if (problem?.code === 'newer-data') return { ...nothing, lead: m.unlock_saving_newer };
  const reason = problem?.reason;
  // If a disk cannot read the whole file, the failure has no reason.
  const isUnreadable = problem?.code === 'storage' && reason === undefined;
  if (isUnreadable || UNREADABLE_DATA_REASONS.includes(reason)) {
    return { ...nothing, lead: m.unlock_saving_damaged, canRescue: true };
  }
  // One damaged byte in the file's first page can make the right key look wrong.
  const canRescue = reason === 'data-wrong-key';
  if (passphraseSet) return { ...nothing, lead: m.unlock_saving_passphrase, canRescue };
  if (LOST_KEY_REASONS.includes(reason))
    return { ...nothing, lead: m.unlock_saving_key, canRescue };
  return problem?.code === 'vault' ? { ...nothing, lead: m.unlock_saving_locked } : nothing;
}
