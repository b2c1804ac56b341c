import type { Access } from '../../../shared/contract/access.ts';
import type { ErrorReason } from '../../../shared/errors.ts';
import { m } from '../../ui/language.svelte.ts';

interface Ways {
  readonly heading: () => string;
  /** What is true of the data in this state; null where nothing is known of it. */
  readonly lead: (() => string) | null;
  readonly canRescue: boolean;
  readonly canSetAside: boolean;
}

type Reason = ErrorReason | undefined;
const LOST_KEY: readonly Reason[] = [
  'vault-entry-missing',
  'vault-wrong-key',
  'vault-changed',
  'data-wrong-key',
];
/** A file whose first page is gone looks like another program's. */
const DAMAGED: readonly Reason[] = ['data-damaged', 'data-foreign'];

/** What can be saved of data that does not open, by what keeps it closed. */
export function waysOf({ hasData, passphraseSet, problem, canSetAside }: Access): Ways {
  const heading = m.unlock_saving;
  const nothing = { heading, lead: null, canRescue: false, canSetAside };
  if (!hasData) return { ...nothing, heading: m.unlock_first_backup };
  if (problem?.code === 'newer-data') return { ...nothing, lead: m.unlock_saving_newer };
  const reason = problem?.reason;
  // A disk that does not give all of the file has no reason that we know.
  const isUnreadable = problem?.code === 'storage' && reason === undefined;
  if (isUnreadable || DAMAGED.includes(reason)) {
    return { ...nothing, lead: m.unlock_saving_damaged, canRescue: true };
  }
  // A byte of a file's first page may make the right key look like another one.
  const canRescue = reason === 'data-wrong-key';
  if (passphraseSet) return { ...nothing, lead: m.unlock_saving_passphrase, canRescue };
  if (LOST_KEY.includes(reason)) return { ...nothing, lead: m.unlock_saving_key, canRescue };
  return problem?.code === 'vault' ? { ...nothing, lead: m.unlock_saving_locked } : nothing;
}
