import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { upgradeCopies } from '../adapters/sqlite/open/upgrade-copies.ts';
import { findDamage } from '../adapters/sqlite/database/damage.ts';
import { migrations } from '../adapters/sqlite/migrations/index.ts';
import { systemCode } from '../adapters/files/durable.ts';
import type { FolderPrivacy } from '../adapters/files/private-folder.ts';
import type { Clock, Vault } from '../core/ports.ts';
import { databaseFile, type OpenData } from './data.ts';
import { checkNetwork } from './doctor-network.ts';
import type { DoctorCheck, HostDescription } from '../../shared/contract/host.ts';

interface ExaminedData {
  readonly vault: Vault;
  readonly opened: OpenData | null;
  readonly privacy: FolderPrivacy;
}

/** Reports the state of an installation for troubleshooting; the report contains no secrets. */
export async function examine(
  setup: Pick<HostDescription, 'version' | 'platform'> & {
    readonly dataDir: string;
    readonly examineHost: () => readonly DoctorCheck[];
  },
  { vault, opened, privacy }: ExaminedData,
  clock: Clock,
): Promise<DoctorCheck[]> {
  const obstacle = await folderProblem(setup.dataDir);
  return [
    reportVersion(setup),
    ...(obstacle === null
      ? [checkFolder(setup.dataDir, privacy), await checkStore(vault)]
      : // The marker of the key's entry is in that folder.
        [reportUnusable(setup.dataDir, obstacle)]),
    checkDatabase(opened),
    ...(obstacle === null ? [reportCopies(setup.dataDir)] : []),
    ...setup.examineHost(),
    await checkOffice(),
    ...(opened === null ? [] : await checkNetwork(opened)),
    reportOk('clock', `${new Date(clock.now()).toISOString()}, ${timeZone()}`),
  ];
}

function reportOk(name: DoctorCheck['name'], value: string): DoctorCheck {
  return { name, ok: true, note: value, finding: 'stated', value };
}

function reportVersion({ version, platform }: Pick<HostDescription, 'version' | 'platform'>) {
  const node = `Node ${process.versions.node}`;
  const value = [version, node, platform].join(' · ');
  return { ...reportOk('version', value), note: `${version} on ${node}, ${platform}` };
}

function checkFolder(folder: string, privacy: FolderPrivacy): DoctorCheck {
  const name = 'data folder';
  if (privacy.kind === 'private') return reportOk(name, folder);
  if (privacy.kind === 'tightened') {
    const note = `WARNING: others could use it (mode ${privacy.mode}); now only its owner can (0700)`;
    const finding = 'folder-tightened';
    return { name, ok: true, note: `${folder}; ${note}`, finding, value: folder };
  }
  const why = privacy.why === 'owner' ? 'belongs to another user' : 'holds other things than data';
  const note = `others can use it (mode ${privacy.mode}), and it ${why}, so it was left as it is`;
  return {
    name,
    ok: false,
    note: `${folder}; ${note}`,
    finding: 'folder-shared',
    value: folder,
  };
}

/**
 * Returns the system's error code if data cannot be stored in a folder, or in the parent of a
 * missing one.
 */
async function folderProblem(folder: string): Promise<string | null> {
  const { R_OK, W_OK, X_OK } = constants;
  try {
    if (!(await stat(folder)).isDirectory()) return 'ENOTDIR';
    await access(folder, R_OK | W_OK | X_OK);
    return null;
  } catch (error) {
    const code = systemCode(error) ?? 'unknown reason';
    const parent = path.dirname(folder);
    return code === 'ENOENT' && parent !== folder ? folderProblem(parent) : code;
  }
}

function reportUnusable(folder: string, code: string): DoctorCheck {
  const next = 'name another with --data, or let your account write to it';
  return {
    name: 'data folder',
    ok: false,
    note: `${folder}; nothing can be kept there (${code}): ${next}`,
    finding: 'folder-unusable',
    value: folder,
  };
}

async function checkStore(vault: Vault): Promise<DoctorCheck> {
  const state = await vault.status();
  return {
    name: 'credential store',
    ok: state === 'ready',
    note: `${vault.store}: ${state}`,
    finding: 'store',
    value: state,
  };
}

const ISOLATION_FINDINGS = {
  all: ['office-apart', "the network and this computer's other files by the system"],
  network: ['office-offline', 'the network by the system'],
  none: ['office-settings', 'the network by its settings only'],
} as const;

/** Checks whether Word documents can be converted to PDF; everything else works without it. */
async function checkOffice(): Promise<DoctorCheck> {
  const name = 'LibreOffice';
  const { findOfficeProgram } = await import('../adapters/documents/office/office.ts');
  const office = await findOfficeProgram();
  if (office === null) {
    const note = 'not installed: Word and OpenDocument files cannot be made PDFs';
    return { name, ok: true, note, finding: 'no-office', value: '' };
  }
  const value = [office.version, office.path].filter((one) => one !== null).join(' · ');
  const [finding, kept] = ISOLATION_FINDINGS[office.apart];
  return { name, ok: true, note: `${value}; kept from ${kept}`, finding, value };
}

function checkDatabase(opened: OpenData | null): DoctorCheck {
  const name = 'database';
  if (opened === null) {
    return { name, ok: false, note: 'closed', finding: 'database-closed', value: '' };
  }
  const damage = findDamage(opened.database, migrations);
  if (damage !== null) {
    return { name, ok: false, note: damage, finding: 'database-damaged', value: damage };
  }
  const note = 'open, encrypted, intact';
  return { name, ok: true, note, finding: 'database-intact', value: '' };
}

/** Lists the copies of the data from before upgrades, with the program version that wrote them. */
function reportCopies(folder: string): DoctorCheck {
  const name = 'copies before upgrades';
  const copies = upgradeCopies(databaseFile(folder)).map(
    ({ file, takenAt }) => `${path.basename(file)} of ${new Date(takenAt).toISOString()}`,
  );
  if (copies.length > 0) return reportOk(name, copies.join('; '));
  const note = 'none yet: this data was never upgraded';
  return { name, ok: true, note, finding: 'no-copies', value: '' };
}

function timeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
