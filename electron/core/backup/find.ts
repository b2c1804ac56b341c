import { BACKUP_EXTENSION, type FoundBackup } from '../../../shared/contract/backup.ts';
import { timeInName } from '../../../shared/rules/backup/names.ts';
import type { Files } from '../ports.ts';

/** Returns the files of a folder that have the backup extension, newest first. Throws 'storage'. */
export async function findBackups(
  files: Pick<Files, 'listFolder' | 'join' | 'statFile'>,
  folder: string,
): Promise<FoundBackup[]> {
  const found: FoundBackup[] = [];
  for (const name of await files.listFolder(folder)) {
    if (!name.toLowerCase().endsWith(BACKUP_EXTENSION)) continue;
    const file = files.join(folder, name);
    const there = await files.statFile(file);
    if (there === null) continue;
    const at = timeInName(name) ?? Math.round(there.changedAt);
    found.push({ file, name, bytes: there.bytes, at });
  }
  return found.toSorted((one, other) => other.at - one.at);
}
