import path from 'node:path';
import { upgradeCopies } from '../adapters/sqlite/open/upgrade-copies.ts';
import { findDamage } from '../adapters/sqlite/database/damage.ts';
import type { Privacy } from '../adapters/files/private-folder.ts';
import type { Clock, Vault } from '../core/ports.ts';
import { databaseFile, type OpenData } from './data.ts';
import type { DoctorCheck, HostDescription } from '../../shared/contract/host.ts';

interface Patient {
  readonly vault: Vault;
  readonly opened: OpenData | null;
  readonly privacy: Privacy;
}

/** What can be reported of an installation when something is wrong with it; nothing secret. */
export async function examine(
  setup: Pick<HostDescription, 'version' | 'platform'> & { readonly dataDir: string },
  { vault, opened, privacy }: Patient,
  clock: Clock,
): Promise<DoctorCheck[]> {
  const state = await vault.status();
  return [
    reportOk('version', `${setup.version} on Node ${process.versions.node}, ${setup.platform}`),
    checkFolder(setup.dataDir, privacy),
    { name: 'credential store', ok: state === 'ready', note: `${vault.store}: ${state}` },
    checkDatabase(opened),
    reportOk('copies before upgrades', copiesNote(setup.dataDir)),
    ...checkSandbox(setup.platform),
    reportOk('clock', `${new Date(clock.now()).toISOString()}, ${timeZone()}`),
  ];
}

function reportOk(name: string, note: string): DoctorCheck {
  return { name, ok: true, note };
}

function checkFolder(folder: string, privacy: Privacy): DoctorCheck {
  const name = 'data folder';
  if (privacy.kind === 'private') return reportOk(name, folder);
  if (privacy.kind === 'tightened') {
    const note = `WARNING: others could use it (mode ${privacy.mode}); now only its owner can (0700)`;
    return reportOk(name, `${folder}; ${note}`);
  }
  const why = privacy.why === 'owner' ? 'belongs to another user' : 'holds other things than data';
  const note = `others can use it (mode ${privacy.mode}), and it ${why}, so it was left as it is`;
  return { name, ok: false, note: `${folder}; ${note}` };
}

/** Of Chromium's window; Chromium refuses to sandbox what `root` runs. */
function checkSandbox(platform: HostDescription['platform']): DoctorCheck[] {
  if (platform !== 'linux' || process.getuid?.() !== 0) return [];
  const note = 'WARNING: run as root, the Chromium window has no sandbox; use an ordinary account';
  return [reportOk('browser sandbox', note)];
}

function checkDatabase(opened: OpenData | null): DoctorCheck {
  const name = 'database';
  if (opened === null) return { name, ok: false, note: 'closed' };
  const damage = findDamage(opened.database);
  return { name, ok: damage === null, note: damage ?? 'open, encrypted, whole' };
}

/** What to go back to, with the version of the program that wrote it. */
function copiesNote(folder: string): string {
  const copies = upgradeCopies(databaseFile(folder)).map(
    ({ file, takenAt }) => `${path.basename(file)} of ${new Date(takenAt).toISOString()}`,
  );
  return copies.length === 0 ? 'none yet: this data was never upgraded' : copies.join('; ');
}

function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
