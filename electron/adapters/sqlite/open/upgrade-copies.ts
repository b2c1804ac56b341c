import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { UpgradeCopy } from '../../../core/backup/ports.ts';

/** The last upgrade may have been tried twice; older copies only keep what was deleted since. */
const KEPT = 2;

/** The name of a copy says when it was taken, and by which process: two may start together. */
export const upgradeCopyName = (file: string, now: number): string =>
  `${file}.before-${now}-${process.pid}`;

/** The copies beside a data file, the newest first. */
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

/** Removes all but the newest ones. */
export function removeOldCopies(file: string): void {
  for (const copy of upgradeCopies(file).slice(KEPT)) rmSync(copy.file, { force: true });
}
