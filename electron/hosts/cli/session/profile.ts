import type { Access } from '../../../../shared/contract/access.ts';
import { AppError } from '../../../../shared/errors.ts';
import type { RequiredData } from './group.ts';
import type { Session } from './session.ts';

const DEMO_PROFILE_NOTICE =
  'This computer has no credential store, so the demo profile with made-up data is used.';

/** Whether data was ever stored in a profile, whether or not the data is open. */
type HasData = (profile: Access['profile']) => boolean;

/**
 * Opens the data that a command needs: the user's own data, or the demo's on a computer that has
 * neither a credential store nor own data. If own data exists and is locked, the demo's is not used
 * instead.
 * @throws AppError 'vault' or 'storage', with the reason.
 */
export async function openData(
  session: Session,
  need: RequiredData,
  hasData: HasData,
): Promise<void> {
  if (need === 'nothing' || need === 'closed') return;
  const { api, report } = session;
  const access = await api['access.read']({});
  if (access.open) return;
  const hasNoStore = access.store === 'keychain' && access.vault === 'no-session';
  const mayUseDemo = hasNoStore && !access.passphraseSet && !hasData('own');
  if (!mayUseDemo || !(need === 'demo' || hasData('demo'))) throw problemOf(access);
  report.note(DEMO_PROFILE_NOTICE);
  const demo = await api['access.openDemoProfile']({});
  if (!demo.open) throw problemOf(demo);
}

/**
 * Returns the reason why the data is closed. A command does not ask for a passphrase, so unlocking
 * a store would not help.
 */
export function problemOf({ problem, passphraseSet }: Access): AppError {
  if (passphraseSet && problem?.reason === 'vault-locked') {
    const message = 'A passphrase protects this data; only the window can open it';
    return new AppError('vault', message, { reason: 'vault-changed' });
  }
  const missing = { code: 'vault', message: 'The data on this computer is not open' } as const;
  return AppError.from(problem ?? missing);
}
