import { BACKUP_EXTENSION } from '../../contract/backup.ts';

/** Data in a backup's name: the time of its data, and whether an upgrade followed. */
export interface BackupNamed {
  readonly at: number;
  readonly isBeforeUpgrade: boolean;
}

const BEFORE_UPGRADE = '-before-upgrade';
const TIME = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/u;

/**
 * `signing-desk-1f2e3d4c-2026-11-22T02-30-00Z.signingdesk`: for one computer, with names in the
 * order of time. `…Z-before-upgrade.signingdesk` holds the data from before an upgrade changed it.
 */
export function backupName(desk: string, at: number, isBeforeUpgrade = false): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${prefixOf(desk)}${time}Z${isBeforeUpgrade ? BEFORE_UPGRADE : ''}${BACKUP_EXTENSION}`;
}

/** Null if the file is not a backup of this computer. */
export function backupNamed(desk: string, name: string): BackupNamed | null {
  const prefix = prefixOf(desk);
  if (!name.startsWith(prefix) || !name.endsWith(BACKUP_EXTENSION)) return null;
  const said = name.slice(prefix.length, -BACKUP_EXTENSION.length);
  const isBeforeUpgrade = said.endsWith(BEFORE_UPGRADE);
  const time = TIME.exec(isBeforeUpgrade ? said.slice(0, -BEFORE_UPGRADE.length) : said);
  if (time === null) return null;
  const at = Date.parse(`${time[1]}:${time[2]}:${time[3]}Z`);
  return Number.isNaN(at) ? null : { at, isBeforeUpgrade };
}

/** Time in a backup's name, for any computer; null for every other file. */
export function timeInName(name: string): number | null {
  const desk = OF_A_DESK.exec(name)?.[1];
  return desk === undefined ? null : (backupNamed(desk, name)?.at ?? null);
}

const OF_A_DESK = /^signing-desk-([0-9a-f]{8})-/u;

const prefixOf = (desk: string): string => `signing-desk-${desk}-`;
