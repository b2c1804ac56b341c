import { findDamage } from './adapters/sqlite/damage.ts';
import type { Clock, Vault } from './core/ports.ts';
import type { OpenData } from './compose-data.ts';
import type { DoctorCheck, HostDescription } from '../shared/contract/host.ts';

interface Patient {
  readonly vault: Vault;
  readonly opened: OpenData | null;
}

/** What can be told about an installation when something is wrong with it; nothing secret. */
export async function examine(
  setup: Pick<HostDescription, 'version' | 'platform'> & { readonly dataDir: string },
  { vault, opened }: Patient,
  clock: Clock,
): Promise<DoctorCheck[]> {
  const state = await vault.status();
  return [
    told('version', `${setup.version} on Node ${process.versions.node}, ${setup.platform}`),
    told('data folder', setup.dataDir),
    { name: 'credential store', ok: state === 'ready', note: `${vault.store}: ${state}` },
    checkDatabase(opened),
    told('clock', `${new Date(clock.now()).toISOString()}, ${timeZone()}`),
  ];
}

function told(name: string, note: string): DoctorCheck {
  return { name, ok: true, note };
}

function checkDatabase(opened: OpenData | null): DoctorCheck {
  const name = 'database';
  if (opened === null) return { name, ok: false, note: 'closed' };
  const damage = findDamage(opened.database);
  return { name, ok: damage === null, note: damage ?? 'open, encrypted, whole' };
}

function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
