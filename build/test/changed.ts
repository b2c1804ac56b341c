import { readSources } from '../checks/import-graph.ts';
import { root } from '../places.ts';
import { run } from '../run.ts';
import { readTiers } from './tiers.ts';

/**
 * Folders of tests that use the product through its bundle or a browser: they do not import the
 * tested code.
 */
const EXCLUDED_TEST_FOLDERS = ['test/cli/', 'test/app/'];
/** Pattern of a file in the folder of a feature's code, which is named after the feature. */
const FEATURE_FILE_PATTERN =
  /^(?:electron\/(?:core|hosts\/cli\/commands)|renderer\/features|shared\/rules)\/([a-z-]+)\//;

/**
 * Returns the repository paths of the tests that a change reaches: quick tests that import a
 * changed file, quick tests in the folders of `test/cli` and `test/app` that are named after a
 * changed feature, and every changed test. `since` is a Git revision; the change is everything that
 * differs from it, committed or not.
 */
export async function changedTests(since = 'HEAD'): Promise<string[]> {
  const changed = [
    ...(await gitLines('diff', '--name-only', since)),
    ...(await gitLines('ls-files', '--others', '--exclude-standard')),
  ];
  const sources = await readSources(root);
  const imports = new Map(sources.map(({ file, imports: all }) => [file, all]));
  const tiers = [...readTiers()];
  return testsFor(changed, {
    imports,
    tiers: new Map(tiers.map(([file, { tier }]) => [file, tier])),
  });
}

/**
 * Returns the tests that the changed files reach, as `changedTests` does, in a given tree.
 * `imports` has the imports of each file, `tiers` the tier of each test.
 */
export function testsFor(
  changed: readonly string[],
  tree: {
    readonly imports: ReadonlyMap<string, readonly string[]>;
    readonly tiers: ReadonlyMap<string, string>;
  },
): string[] {
  const features = new Set(changed.flatMap((file) => FEATURE_FILE_PATTERN.exec(file)?.[1] ?? []));
  const isOfFeature = (test: string) =>
    EXCLUDED_TEST_FOLDERS.some((folder) => {
      const [name = ''] = test.slice(folder.length).split('/', 1);
      return test.startsWith(folder) && features.has(name);
    });
  const isReached = (test: string) => {
    const all = allImports(test, tree.imports);
    return changed.some((file) => all.has(file));
  };
  return [...tree.tiers].flatMap(([test, tier]) => {
    const isTaken =
      changed.includes(test) || (tier === 'quick' && (isOfFeature(test) || isReached(test)));
    return isTaken ? [test] : [];
  });
}

/** Returns all files that `test` imports directly or indirectly, and `test` itself. */
function allImports(
  test: string,
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const all = new Set([test]);
  for (const file of all) for (const next of imports.get(file) ?? []) all.add(next);
  return all;
}

async function gitLines(...args: readonly string[]): Promise<string[]> {
  const { code, output } = await run('git', args);
  if (code !== 0) throw new Error(output);
  return output.split('\n').filter((line) => line !== '');
}
