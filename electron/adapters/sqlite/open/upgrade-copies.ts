import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { UpgradeCopy } from '../../../core/backup/ports.ts';

/**
 * Number of copies kept: the last upgrade may have been tried twice. Older copies would only
 * preserve data that was deleted in the meantime.
 */
const KEPT_COPIES = 2;

/**
 * Returns the name of a copy, which contains the time and the process, since two processes may
 * start together.
 */
export const upgradeCopyName = (file: string, now: number): string =>
  `${file}.before-${now}-${process.pid}`;

/** Returns the upgrade copies of a data file, newest first. */
export function upgradeCopies(file: string): readonly UpgradeCopy[] {
  const folder = path.dirname(file);
  const before = `${path.basename(file)}.before-`;
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .filter((name) => name.startsWith(before) && /^\d+-\d+$/.test(name.slice(before.length)))
    .map((name) => ({
      file: path.join(folder, name),
      takenAt: Number(name.slice(before.length).split('-')[0]),
    }))
    .toSorted((a, b) => b.takenAt - a.takenAt);
}

export function removeOldCopies(file: string): void {
  for (const copy of upgradeCopies(file).slice(KEPT_COPIES)) rmSync(copy.file, { force: true });
}
