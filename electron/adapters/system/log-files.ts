import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { LogFiles } from '../../core/privacy/ports.ts';

const LOG_FILE_NAME = /^desk(?:\.\d)?\.log$/;

interface Line {
  readonly text: string;
  /** Time of the line (epoch ms); null if the line has no time. */
  readonly at: number | null;
}

/** Finds the files that `createLog` writes. Each is at most a megabyte. */
export function createLogFiles(dataDir: string): LogFiles {
  const folder = path.join(dataDir, 'log');
  const files = (): readonly string[] => namesIn(folder).map((name) => path.join(folder, name));
  return {
    old(before) {
      const lines = files().flatMap(linesOf);
      const due = lines.filter(({ at }) => isBefore(at, before));
      const times = due.flatMap(({ at }) => at ?? []);
      return {
        number: due.length,
        bytes: due.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0),
        oldest: times.length === 0 ? null : Math.min(...times),
        younger: lines.length - due.length,
      };
    },
    drop: (before) => files().reduce((sum, file) => sum + dropOldLines(file, before), 0),
    bytes: () =>
      files().reduce(
        (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
        0,
      ),
  };
}

/** Whether a line is older than `before`; a line without a time counts as newer. */
const isBefore = (at: number | null, before: number): boolean => at !== null && at < before;

function dropOldLines(file: string, before: number): number {
  const lines = linesOf(file);
  const kept = lines.filter(({ at }) => !isBefore(at, before));
  if (kept.length === lines.length) return 0;
  if (kept.length === 0) rmSync(file, { force: true });
  else {
    const draft = `${file}.tmp`;
    writeFileSync(draft, kept.map(({ text }) => `${text}\n`).join(''), { mode: 0o600 });
    renameSync(draft, file);
  }
  return lines.length - kept.length;
}

function linesOf(file: string): readonly Line[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '');
  const found: Line[] = [];
  // A line truncated by a crash is as old as the next one.
  for (const text of lines.toReversed())
    found.push({ text, at: timeOf(text) ?? found.at(-1)?.at ?? null });
  return found.toReversed();
}

function timeOf(text: string): number | null {
  const at = Date.parse(/^\{"at":"([^"]{1,40})"/.exec(text)?.[1] ?? '');
  return Number.isNaN(at) ? null : at;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => LOG_FILE_NAME.test(name));
  } catch {
    // Nothing was logged yet.
    return [];
  }
}
