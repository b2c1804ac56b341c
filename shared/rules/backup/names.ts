import { BACKUP_EXTENSION } from '../../contract/backup.ts';

/** Facts in a backup's name: the time of its data, and whether it was made before an upgrade. */
export interface ParsedBackupName {
  readonly at: number;
  readonly isBeforeUpgrade: boolean;
}

const BEFORE_UPGRADE_SUFFIX = '-before-upgrade';
const BACKUP_TIME_PATTERN = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/u;

/**
 * Name of a computer's backup: `signing-desk-1f2e3d4c-2026-11-22T02-30-00Z.signingdesk`. Sorted by
 * name, a computer's backups are in order of time. `…Z-before-upgrade.signingdesk` has the data
 * from before an upgrade changed it.
 */
export function backupName(desk: string, at: number, isBeforeUpgrade = false): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${prefixOf(desk)}${time}Z${isBeforeUpgrade ? BEFORE_UPGRADE_SUFFIX : ''}${BACKUP_EXTENSION}`;
}

/** Parses a file name; null if the file is not a backup of the computer `desk`. */
export function parseBackupName(desk: string, name: string): ParsedBackupName | null {
  const prefix = prefixOf(desk);
  if (!name.startsWith(prefix) || !name.endsWith(BACKUP_EXTENSION)) return null;
  const said = name.slice(prefix.length, -BACKUP_EXTENSION.length);
  const isBeforeUpgrade = said.endsWith(BEFORE_UPGRADE_SUFFIX);
  const time = BACKUP_TIME_PATTERN.exec(
    isBeforeUpgrade ? said.slice(0, -BEFORE_UPGRADE_SUFFIX.length) : said,
  );
  if (time === null) return null;
  const at = Date.parse(`${time[1]}:${time[2]}:${time[3]}Z`);
  return Number.isNaN(at) ? null : { at, isBeforeUpgrade };
}

/** Time in a backup's name, for any computer; null for every other file. */
export function timeInName(name: string): number | null {
  const desk = DESK_BACKUP_PREFIX_PATTERN.exec(name)?.[1];
  return desk === undefined ? null : (parseBackupName(desk, name)?.at ?? null);
}

const DESK_BACKUP_PREFIX_PATTERN = /^signing-desk-([0-9a-f]{8})-/u;

const prefixOf = (desk: string): string => `signing-desk-${desk}-`;
