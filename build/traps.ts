import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { root } from './places.ts';

const TABLE = 'test/TRAPS.md';
const TESTS = 'test/**/*.test.ts';
/** A test's title that ends in the numbers of what it covers: `… (T1-38)`, `… (T1-01, TX-04)`. */
const TITLE =
  /\b(?:it|test)(?:\.\w+(?:\([^)]*\))?)*\(\s*(['"`])((?:(?!\1).)+?) \(((?:T[12X]-\d+(?:, )?)+)\)\1/gs;

export interface Covered {
  readonly trap: string;
  readonly title: string;
  readonly file: string;
}

/** The text of `test/TRAPS.md`: which test covers which known trap of the two services. */
export async function renderTraps(at: string): Promise<string> {
  const rows = (await findCovered(at)).map(
    ({ trap, title, file }) =>
      `| ${trap} | ${title.replaceAll('|', String.raw`\|`)} | \`${file}\` |`,
  );
  return [
    '# Traps and the tests that cover them',
    '',
    'T1 is a trap of the v1 service, T2 of v2, TX of both. Made by `node build/traps.ts` from the',
    'titles of the tests; do not edit.',
    '',
    '| Trap | Test | File |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/** One sentence when the table at `at` is not what the tests say, otherwise `undefined`. */
export async function staleTraps(at: string): Promise<string | undefined> {
  const written = await readFile(path.join(at, TABLE), 'utf8').catch(() => '');
  if (written === (await renderTraps(at))) return undefined;
  return `${TABLE} is stale: run node build/traps.ts`;
}

/** Every trap with every test that covers it, in the order of the traps. */
export async function findCovered(at: string): Promise<Covered[]> {
  const found: Covered[] = [];
  for await (const name of glob(TESTS, { cwd: at })) {
    const file = name.split(path.sep).join('/');
    const text = await readFile(path.join(at, name), 'utf8');
    for (const [, , title = '', traps = ''] of text.matchAll(TITLE)) {
      for (const trap of traps.split(', ')) found.push({ trap, title, file });
    }
  }
  return found.toSorted(
    (a, b) =>
      a.trap.localeCompare(b.trap) ||
      a.file.localeCompare(b.file) ||
      a.title.localeCompare(b.title),
  );
}

if (import.meta.main) await writeFile(path.join(root, TABLE), await renderTraps(root));
