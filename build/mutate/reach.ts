import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readSources, type SourceFile } from '../checks/import-graph.ts';
import { WarmVitest } from './warm.ts';
import type { Mutant } from './mutators.ts';
import { place, root } from '../places.ts';

/** What a file of tests was seen to do on the product as it is. */
export interface Reach {
  /** Of its text and that of all it imports: the same key, the same reach. */
  readonly key: string;
  readonly isGood: boolean;
  readonly seconds: number;
  /** The bodies of functions it came through, as `file#n`. */
  readonly bodies: readonly string[];
}

const KEPT = place('node_modules/.cache/mutate-reach.json');

/**
 * Tests that see the product through a bundle, a child process or a browser never load what was
 * changed in memory; those that kill again and again take minutes.
 */
const APART =
  /^test\/(?:app|renderer|cli|program|fences|build|demo|hosts|conformance|adapters\/(?!sqlite|files|office)|delivery\/(?!model))|[-/]kill/;

/** Ten files at a time, so that what was found is kept when the run is broken off. */
const PORTION = 10;
const TIMEOUT_MS = 20 * 60_000;
/** Of the tests in one batch together, but for one file that takes longer by itself. */
const MAX_SECONDS = 60;

export class Reaches {
  readonly #imports = new Map<string, ReadonlySet<string>>();
  readonly #keys = new Map<string, string>();
  readonly #leftOut: ReadonlySet<string>;
  readonly #last: ReadonlySet<string>;
  #known: Record<string, Reach> = {};

  /**
   * Repository paths of tests: those of `leftOut` judge nothing, those of `last` only what no other
   * test noticed.
   */
  constructor({ leftOut, last }: Record<'leftOut' | 'last', readonly string[]>) {
    this.#leftOut = new Set(leftOut);
    this.#last = new Set(last);
  }

  /**
   * Runs the tests that may load one of `files` once, unless nothing they load has changed. What they
   * reach is noted of every file in `areas`, so that it can be kept.
   */
  async find(
    files: readonly string[],
    areas: readonly string[],
    say: (line: string) => void,
  ): Promise<void> {
    this.#learn(await readSources(root));
    this.#known = JSON.parse(await readFile(KEPT, 'utf8').catch(() => '{}'));
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
      MUTATE_REACH: await placeForReach(),
    });
    for (let at = 0; at < tests.length; at += PORTION) {
      say(`seeing what the tests reach: ${at} of ${tests.length} files`);
      await this.#run(warm, tests.slice(at, at + PORTION), areas);
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
   * The tests that reach a mutant, in batches: the one whose name is nearest, then those that take
   * least; those of `last` come after all others. `left` are those that would take too long for a
   * first look, in batches as well.
   */
  batchesFor({ file, body }: Mutant): { readonly batches: string[][]; readonly left: string[][] } {
    const reaching = this.testsOf([file]).filter((test) => {
      const { isGood = false, bodies = [] } = this.#known[test] ?? {};
      return isGood && (body < 0 || bodies.includes(`${file}#${body}`));
    });
    const near = (test: string) => nearness(file, test);
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
      if (spent > MAX_SECONDS) {
        portions.push([]);
        spent = cost(test);
      }
      portions.at(-1)?.push(test);
    }
    const [second = [], ...left] = portions;
    const batches = [first === undefined ? [] : [first], second];
    return { batches: batches.filter(({ length }) => length > 0), left };
  }

  /** Tests that are red before anything is changed; they judge nothing. */
  bad(): string[] {
    return Object.keys(this.#known).filter((test) => this.#known[test]?.isGood === false);
  }

  async #run(warm: WarmVitest, tests: readonly string[], areas: readonly string[]): Promise<void> {
    const to = await placeForReach();
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
    await mkdir(path.dirname(KEPT), { recursive: true });
    await writeFile(KEPT, JSON.stringify(this.#known));
  }

  #isKnown(test: string): boolean {
    // One that was red may have been so for want of time.
    const known = this.#known[test];
    return known?.isGood === true && known.key === this.#keys.get(test);
  }

  #learn(sources: readonly SourceFile[]): void {
    const byFile = new Map(sources.map((source) => [source.file, source]));
    for (const { file } of sources.filter(({ file }) => file.endsWith('.test.ts'))) {
      const all = closure(file, byFile);
      const hash = createHash('sha256');
      for (const one of [...all].toSorted()) hash.update(byFile.get(one)?.text ?? '');
      this.#imports.set(file, all);
      this.#keys.set(file, hash.digest('hex'));
    }
  }
}

let reachFolder: Promise<string> | undefined;

async function placeForReach(): Promise<string> {
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
  return !APART.test(test);
}

function closure(file: string, byFile: ReadonlyMap<string, SourceFile>): Set<string> {
  const all = new Set<string>([file]);
  for (const one of all) for (const next of byFile.get(one)?.imports ?? []) all.add(next);
  return all;
}

/** How many words two names begin with alike; one in the same folder is nearer still. */
function nearness(file: string, test: string): number {
  const words = (name: string) => path.posix.basename(name).split('.', 1)[0]?.split('-') ?? [];
  const [ours, theirs] = [words(file), words(test)];
  const differ = ours.findIndex((word, at) => word !== theirs[at]);
  const isSidecar =
    path.posix.dirname(file).replace(/^electron/, 'test') === path.posix.dirname(test);
  return (differ < 0 ? ours.length : differ) * 2 + (isSidecar ? 1 : 0);
}
