import { glob } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundleStale, page } from './bundle/bundle.ts';
import { compileMessages } from './messages.ts';
import { root } from './places.ts';

/** One comparison: medians of paired runs. */
export interface BenchRow {
  readonly what: string;
  /** Figure of Signing Desk; in milliseconds unless a unit is named. */
  readonly ours: number;
  readonly base: number;
  readonly goal: number;
  readonly unit?: string;
}

/** Export of a file `test/bench/<name>.bench.ts`. */
export interface BenchCase {
  readonly name: string;
  readonly run: () => Promise<readonly BenchRow[]>;
}

const filters = process.argv.slice(2);
await compileMessages();
await bundleStale([page]);
let isWithinLimits = true;
let count = 0;
for await (const file of glob('test/bench/*.bench.ts', { cwd: root })) {
  if (filters.length > 0 && !filters.some((filter) => file.includes(filter))) continue;
  const { name, run }: BenchCase = await import(pathToFileURL(path.join(root, file)).href);
  count += 1;
  console.log(name);
  for (const row of await run()) isWithinLimits = printRow(row) && isWithinLimits;
}
if (count === 0) console.log('no case is named like that');
process.exitCode = isWithinLimits && count > 0 ? 0 : 1;

function printRow({ what, ours, base, goal, unit = 'ms' }: BenchRow): boolean {
  const ratio = ours / base;
  const verdict = ratio <= goal ? 'good' : unit === 'ms' ? 'too slow' : 'too much';
  console.log(
    `  ${what}: ${formatFigure(ours)} ${unit} / ${formatFigure(base)} ${unit} = ${formatFigure(ratio)} ` +
      `(goal ${formatFigure(goal)}, ${verdict})`,
  );
  return ratio <= goal;
}

/** Formats a number below 100 with three significant figures, also if it is small. */
function formatFigure(number: number): string {
  return number >= 100 ? number.toFixed(0) : number.toPrecision(3);
}
