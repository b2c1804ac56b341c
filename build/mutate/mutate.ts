/*
 * Makes small changes to the product, one at a time and only in memory, and runs the tests that
 * reach each change: a change that no test notices is a gap in the tests. See test/README.md.
 */
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findProgram } from '../../electron/hosts/find-browser.ts';
import { compileMessages } from '../messages.ts';
import * as plan from './plan.ts';
import { TestReachStore } from './reach.ts';
import { judge, testRemainingMutants, lineOf, summary, type ValidationResult } from './verdicts.ts';
import { WarmVitest } from './warm.ts';
import type { Mutant } from './mutators.ts';
import { place, root } from '../places.ts';
import { run } from '../run.ts';
import { filesOfAllOnly } from '../test/tiers.ts';

const SESSION_VARIABLE = 'MUTATE_SESSION';
const { values: asked } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    minutes: { type: 'string', default: '120' },
    share: { type: 'string', default: '85' },
    'at-once': { type: 'string', default: '2' },
    changed: { type: 'boolean', default: false },
    against: { type: 'string', default: 'main' },
    in: { type: 'string', default: '' },
    tier: { type: 'string', default: 'all' },
  },
});
const writeLine = (line: string): void => void process.stdout.write(`${line}\n`);

process.exitCode = await inSession();

/**
 * Runs the mutants in a private session, as `npm test` does, so that no test uses the user's
 * keychain.
 */
async function inSession(): Promise<number> {
  const session = findProgram('dbus-run-session');
  if (session === undefined || process.env[SESSION_VARIABLE] !== undefined) return tryMutants();
  const args = ['--', process.execPath, place('build/mutate/mutate.ts'), ...process.argv.slice(2)];
  const options = { isShown: true, env: { [SESSION_VARIABLE]: '1' } };
  return (await run(session, args, options)).code;
}

async function tryMutants(): Promise<number> {
  if (!['quick', 'all'].includes(asked.tier)) {
    writeLine('--tier takes quick or all');
    return 2;
  }
  await compileMessages();
  const texts = await plan.readAreas(root);
  const all = plan.mutantsIn(texts);
  const list = plan.readHarmless(await readFile(place(plan.MUTANTS), 'utf8'));
  const stale = plan.listProblems(list, all);
  for (const problem of stale) writeLine(problem);
  const chosen = plan.sample(await selectMutants(all), texts, {
    seed: Number(asked.seed),
    count: Number(asked.count),
  });
  writeLine(`${chosen.length} of ${all.length} mutants, seed ${asked.seed}`);
  const allOnly = filesOfAllOnly();
  const isQuick = asked.tier === 'quick';
  const reaches = new TestReachStore({ leftOut: isQuick ? allOnly : [], last: allOnly });
  await reaches.find([...new Set(chosen.map(({ file }) => file))], [...texts.keys()], writeLine);
  for (const test of reaches.bad())
    writeLine(`red before anything is changed, so it judges nothing: ${test}`);
  const verdicts = await validateAll(chosen, texts, reaches);
  const share = Number(asked.share);
  const { lines, isEnough } = summary(verdicts, list, {
    wanted: chosen.length,
    share,
    ...(isQuick ? {} : { allOnly }),
  });
  for (const line of ['', ...lines]) writeLine(line);
  return isEnough && stale.length === 0 ? 0 : 1;
}

/**
 * Returns the mutants in files whose path contains a word of `--in`; with `--changed`, only mutants
 * on changed lines.
 */
async function selectMutants(all: readonly Mutant[]): Promise<Mutant[]> {
  const words = asked.in.split(',');
  const inside = all.filter(({ file }) => words.some((word) => file.includes(word)));
  if (!asked.changed) return inside;
  const base = await git('merge-base', asked.against, 'HEAD');
  const lines = plan.changedLines(await git('diff', '--unified=0', base.trim()));
  return inside.filter(({ file, line }) => lines.get(file)?.has(line) === true);
}

async function git(...args: readonly string[]): Promise<string> {
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Error(output);
  return output;
}

async function validateAll(
  chosen: readonly Mutant[],
  texts: plan.Texts,
  reaches: TestReachStore,
): Promise<ValidationResult[]> {
  const end = Date.now() + Number(asked.minutes) * 60_000;
  const textOf = ({ file }: Mutant) => texts.get(file) ?? '';
  const verdicts: ValidationResult[] = [];
  await runInParallel(chosen, end, async (next, warm) => {
    const verdict = await judge(next, textOf(next), { reaches, warm });
    verdicts.push(verdict);
    writeLine(`${verdicts.length}/${chosen.length} ${lineOf(verdict)}`);
  });
  // The tests that a mutant's first run skipped are run after all mutants have had their first run.
  const again = verdicts.flatMap((verdict, at) => (verdict.left.length > 0 ? [at] : []));
  await runInParallel(again, end, async (at, warm) => {
    const [before] = verdicts.slice(at, at + 1);
    if (before === undefined) return;
    const verdict = await testRemainingMutants(before, textOf(before.mutant), { warm });
    verdicts[at] = verdict;
    writeLine(`again ${lineOf(verdict)}`);
  });
  return verdicts;
}

/**
 * Calls `tryOne` for each item of `all`, several at the same time. After `end`, no further item is
 * started.
 */
async function runInParallel<One>(
  all: readonly One[],
  end: number,
  tryOne: (one: One, warm: WarmVitest) => Promise<void>,
): Promise<void> {
  const left = [...all];
  const work = async () => {
    const warm = new WarmVitest();
    for (let next = left.shift(); next !== undefined && Date.now() < end; next = left.shift()) {
      await tryOne(next, warm);
    }
    warm.close();
  };
  await Promise.all(Array.from({ length: Number(asked['at-once']) }, work));
}
