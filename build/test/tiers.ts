import { globSync, readFileSync } from 'node:fs';
import { place, root } from '../places.ts';

/** `quick` files run in `npm test`, those of `all` only in `npm run test:all` and at night. */
export type Tier = 'quick' | 'all';

/** Tier and limit that a test file's first line sets. */
export interface TierLine {
  readonly tier: Tier;
  /** Processor seconds that the file may take, its child processes included. */
  readonly seconds: number;
}

/** Environment variable with which Vitest skips the files of the tier `all`. */
export const QUICK_ONLY_VARIABLE = 'SIGNING_DESK_QUICK_TESTS_ONLY';

/** Processor seconds of a quick file without its own limit. */
export const QUICK_SECONDS = 10;

const ALL_TIER_PATTERN = /^\/\/ tier: all\n/;
/** A reason is required, so that a file gets more time only if the test of a promise needs it. */
const LONGER_QUICK_PATTERN = /^\/\/ tier: quick, (\d+) s, because .+\n/;
const ANY_TIER_PATTERN = /^\/\/ tier\b/m;

/**
 * Reads the tier from the text of a test file. A file without a tier line is quick. Throws if a
 * tier line has another form, or is below the first line.
 */
export function tierOf(file: string, text: string): TierLine {
  const code = text.replaceAll('\r\n', '\n');
  if (ALL_TIER_PATTERN.test(code)) return { tier: 'all', seconds: Infinity };
  const seconds = LONGER_QUICK_PATTERN.exec(code)?.[1];
  if (seconds !== undefined) return { tier: 'quick', seconds: Number(seconds) };
  if (ANY_TIER_PATTERN.test(code)) {
    throw new Error(
      `${file}: the first line must be "// tier: all" or "// tier: quick, N s, because …"`,
    );
  }
  return { tier: 'quick', seconds: QUICK_SECONDS };
}

/** Reads the tier of every test file, by repository path. */
export function readTiers(): ReadonlyMap<string, TierLine> {
  const files = globSync('test/**/*.test.ts', { cwd: root });
  return new Map(
    files
      .map((file) => file.replaceAll('\\', '/'))
      .map((file) => [file, tierOf(file, readFileSync(place(file), 'utf8'))]),
  );
}

/** Returns the repository paths of the files that `npm test` does not run. */
export function filesOfAllOnly(): string[] {
  return [...readTiers()].flatMap(([file, { tier }]) => (tier === 'all' ? [file] : []));
}

/**
 * Returns the repository paths of the test files that read the run length, and run more cases in a
 * longer run.
 */
export function filesWithLengths(): string[] {
  return [...readTiers().keys()].filter((file) =>
    /from '[./]+support\/run-length\.ts'/.test(readFileSync(place(file), 'utf8')),
  );
}
