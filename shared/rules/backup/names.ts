import { BACKUP_ENDING } from '../../contract/backup.ts';

/** `signing-desk-1f2e3d4c-2026-11-22T02-30-00Z.signingdesk`: of one desk, and names sort as times. */
export function backupName(desk: string, at: number): string {
  const time = new Date(at).toISOString().slice(0, 19).replaceAll(':', '-');
  return `${prefixOf(desk)}${time}Z${BACKUP_ENDING}`;
}

/** When the backup of this name was made; null for every other file, and those of other desks. */
export function backupTime(desk: string, name: string): number | null {
  const prefix = prefixOf(desk);
  if (!name.startsWith(prefix) || !name.endsWith(BACKUP_ENDING)) return null;
  const time = /^(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/u.exec(
    name.slice(prefix.length, -BACKUP_ENDING.length),
  );
  if (time === null) return null;
  const at = Date.parse(`${time[1]}:${time[2]}:${time[3]}Z`);
  return Number.isNaN(at) ? null : at;
}

const prefixOf = (desk: string): string => `signing-desk-${desk}-`;
