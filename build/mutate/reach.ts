import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readSources, type SourceFile } from '../checks/import-graph.ts';
import { WarmVitest } from './warm.ts';
import type { Mutant } from './mutators.ts';
import { place, root } from '../places.ts';

/** Result of a test file on the unchanged product. */
export interface TestReach {
  /** Hash of the test and of all its imports: the same key means the same reach. */
  readonly key: string;
  readonly isGood: boolean;
  readonly seconds: number;
  /** Function bodies that the test file reached, as `file#n`. */
  readonly bodies: readonly string[];
}

const REACH_CACHE_FILE = place('node_modules/.cache/mutate-reach.json');

/**
 * Tests that are not used. Tests that use the product through a bundle, a child process or a
 * browser never load changes in memory; tests that kill processes repeatedly take minutes.
 */
const EXCLUDED_TESTS =
  /^test\/(?:app|renderer|cli|program|fences|build|demo|hosts|conformance|adapters\/(?!sqlite|files|office)|delivery\/(?!model))|[-/]kill/;

/** Test files per run, so that results are stored if the run is interrupted. */
const TESTS_PER_RUN = 10;
const TIMEOUT_MS = 20 * 60_000;
/** Maximum seconds of a batch of tests. A file that alone takes longer is a batch of its own. */
const MAX_BATCH_SECONDS = 60;

export class TestReachStore {
  readonly #imports = new Map<string, ReadonlySet<string>>();
  readonly #keys = new Map<string, string>();
  readonly #leftOut: ReadonlySet<string>;
  readonly #last: ReadonlySet<string>;
  #known: Record<string, TestReach> = {};

  /**
   * Repository paths of tests: those of `leftOut` are not run; those of `last` run after all
   * others, if no other test noticed the mutant.
   */
  constructor({ leftOut, last }: Record<'leftOut' | 'last', readonly string[]>) {
    this.#leftOut = new Set(leftOut);
    this.#last = new Set(last);
  }

  /**
   * Runs the tests that may load one of `files` once. A test is skipped if its stored result is
   * good and nothing that it loads has changed. Records and stores which function bodies of the
   * files of `areas` each test reaches.
   */
  async find(
    files: readonly string[],
    areas: readonly string[],
    say: (line: string) => void,
  ): Promise<void> {
    this.#learn(await readSources(root));
    this.#known = JSON.parse(await readFile(REACH_CACHE_FILE, 'utf8').catch(() => '{}'));
    const unknown = () => this.testsOf(files).filter((test) => !this.#isKnown(test));
    await this.#runAll(unknown(), areas, say);
    // A test may have failed for lack of time, or because its PostgreSQL ended with another test.
    const red = unknown();
    if (red.length > 0) await this.#runAll(red, areas, say);
  }

  async #runAll(
    tests: readonly string[],
    areas: readonly string[],
    say: (line: string) => void,
  ): Promise<void> {
    const warm = new WarmVitest({
      MUTATE_WORKERS: '2',
      MUTATE_TIMEOUT: '90000',
      MUTATE_REACH: await reachOutputFolder(),
    });
    for (let at = 0; at < tests.length; at += TESTS_PER_RUN) {
      say(`seeing what the tests reach: ${at} of ${tests.length} files`);
      await this.#run(warm, tests.slice(at, at + TESTS_PER_RUN), areas);
    }
    warm.close();
  }

  testsOf(files: readonly string[]): string[] {
    return [...this.#imports]
      .filter(([test]) => isCandidate(test) && !this.#leftOut.has(test))
      .filter(([, all]) => files.some((file) => all.has(file)))
      .map(([test]) => test);
  }

  /**
   * Returns the tests that reach a mutant, in batches. First is the test whose name is most similar
   * to the name of the mutant's file, then the fastest follow; the tests of `last` follow all
   * others. `left` has the tests that take too long for a first run, also in batches.
   */
  batchesFor({ file, body }: Mutant): { readonly batches: string[][]; readonly left: string[][] } {
    const reaching = this.testsOf([file]).filter((test) => {
      const { isGood = false, bodies = [] } = this.#known[test] ?? {};
      return isGood && (body < 0 || bodies.includes(`${file}#${body}`));
    });
    const near = (test: string) => nameSimilarity(file, test);
    const cost = (test: string) => this.#known[test]?.seconds ?? 0;
    const isLast = (test: string) => Number(this.#last.has(test));
    const [first, ...rest] = reaching.toSorted(
      (a, b) =>
        isLast(a) - isLast(b) || near(b) - near(a) || cost(a) - cost(b) || a.localeCompare(b),
    );
    const portions: string[][] = [[]];
    let spent = 0;
    for (const test of rest) {
      spent += cost(test);
      if (spent > MAX_BATCH_SECONDS) {
        portions.push([]);
        spent = cost(test);
      }
      portions.at(-1)?.push(test);
    }
    const [second = [], ...left] = portions;
    const batches = [first === undefined ? [] : [first], second];
    return { batches: batches.filter(({ length }) => length > 0), left };
  }

  /** Returns the tests that fail on the unchanged product; they are ignored. */
  bad(): string[] {
    return Object.keys(this.#known).filter((test) => this.#known[test]?.isGood === false);
  }

  async #run(warm: WarmVitest, tests: readonly string[], areas: readonly string[]): Promise<void> {
    const to = await reachOutputFolder();
    await rm(to, { force: true });
    const answer = await warm.ask({ reach: tests, files: areas }, TIMEOUT_MS);
    if (answer === undefined || !('files' in answer)) {
      throw new Error(`the tests cannot be run: ${JSON.stringify(answer)}`);
    }
    const bodies = readBodies(await readFile(to, 'utf8').catch(() => ''));
    for (const { test, isGood, seconds } of answer.files) {
      const reached = { isGood, seconds, bodies: bodies.get(test) ?? [] };
      this.#known[test] = { key: this.#keys.get(test) ?? '', ...reached };
    }
    await mkdir(path.dirname(REACH_CACHE_FILE), { recursive: true });
    await writeFile(REACH_CACHE_FILE, JSON.stringify(this.#known));
  }

  #isKnown(test: string): boolean {
    // A failed test runs again, because it may have failed for lack of time.
    const known = this.#known[test];
    return known?.isGood === true && known.key === this.#keys.get(test);
  }

  #learn(sources: readonly SourceFile[]): void {
    const byFile = new Map(sources.map((source) => [source.file, source]));
    for (const { file } of sources.filter(({ file }) => file.endsWith('.test.ts'))) {
      const all = importClosure(file, byFile);
      const hash = createHash('sha256');
      for (const one of [...all].toSorted()) hash.update(byFile.get(one)?.text ?? '');
      this.#imports.set(file, all);
      this.#keys.set(file, hash.digest('hex'));
    }
  }
}

let reachFolder: Promise<string> | undefined;

async function reachOutputFolder(): Promise<string> {
  reachFolder ??= mkdtemp(path.join(os.tmpdir(), 'signing-desk-mutate-'));
  return path.join(await reachFolder, 'reach');
}

function readBodies(lines: string): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const line of lines.split('\n').filter(Boolean)) {
    const { test, bodies }: { test: string; bodies: string[] } = JSON.parse(line);
    all.set(path.relative(root, test).split(path.sep).join('/'), bodies);
  }
  return all;
}

function isCandidate(test: string): boolean {
  return !EXCLUDED_TESTS.test(test);
}

function importClosure(file: string, byFile: ReadonlyMap<string, SourceFile>): Set<string> {
  const all = new Set<string>([file]);
  for (const one of all) for (const next of byFile.get(one)?.imports ?? []) all.add(next);
  return all;
}

/**
 * Returns twice the number of equal leading words of two file names, plus one if the files are in
 * folders of the same name.
 */
function nameSimilarity(file: string, test: string): number {
  const words = (name: string) => path.posix.basename(name).split('.', 1)[0]?.split('-') ?? [];
  const [ours, theirs] = [words(file), words(test)];
  const differ = ours.findIndex((word, at) => word !== theirs[at]);
  const isInSameFolder =
    path.posix.dirname(file).replace(/^electron/, 'test') === path.posix.dirname(test);
  return (differ < 0 ? ours.length : differ) * 2 + (isInSameFolder ? 1 : 0);
}
