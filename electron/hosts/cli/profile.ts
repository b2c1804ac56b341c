import { existsSync } from 'node:fs';
import type { Access } from '../../../shared/contract/access.ts';
import { AppError } from '../../../shared/errors.ts';
import { demoDir } from '../data-dir.ts';
import type { Need } from './group.ts';
import type { Session } from './session.ts';

const NOTICE =
  'There is no credential store on this computer, so the demo profile is used: made-up data only.';

/**
 * Sees to it that the data a command needs is open: the own data, or the demo's on a computer that
 * has neither a credential store nor own data. Own data that is there and locked is never passed by.
 * @throws AppError 'vault' or 'storage', with the reason.
 */
export async function openData(session: Session, need: Need, dataFolder: string): Promise<void> {
  if (need === 'nothing') return;
  const { api, report } = session;
  const access = await api['access.read']({});
  if (access.open) return;
  const mayUseDemo = need === 'demo' || existsSync(demoDir(dataFolder));
  if (!mayUseDemo || !hasNothingOfItsOwn(access, dataFolder)) throw problemOf(access);
  report.note(NOTICE);
  const demo = await api['access.openDemoProfile']({});
  if (!demo.open) throw problemOf(demo);
}

function hasNothingOfItsOwn(access: Access, dataFolder: string): boolean {
  const isUnprotected = access.store === 'keychain' && !access.passphraseSet;
  return access.vault === 'no-session' && isUnprotected && !hasDatabase(dataFolder);
}

function problemOf({ problem }: Access): AppError {
  const missing = { code: 'vault', message: 'The data on this computer is not open' } as const;
  return AppError.from(problem ?? missing);
}
