import { glob, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { root } from '../places.ts';
import { type Tier, tierOf } from '../test/tiers.ts';

const TRAPS_DOCUMENT = 'test/TRAPS.md';
const TEST_FILES = 'test/**/*.test.ts';

/** The families of codes, in the order of the table. */
const TRAP_FAMILIES = {
  T1: 'traps of the v1 service',
  T2: 'traps of the v2 service',
  TX: 'traps of both',
  DL: 'faults of delivery between computers, in offices and after a restore',
  SEC: 'attacks that once worked',
  SR: 'attacks that worked in the second security review',
  IN: 'foreign sheets and PDFs that were once read or drawn wrongly',
  FE: 'features that once did the wrong thing',
  SC: 'faults of the window',
  AP: 'points by which the window is accepted',
  TE: 'faults that the tests once overlooked',
  PK: 'faults of what is shipped',
  CLI: 'faults of the command line',
  HO: 'promises in writing that the code did not keep',
} as const;

const TRAP_CODE_PATTERN = new RegExp(
  String.raw`^(?:${Object.keys(TRAP_FAMILIES).join('|')})-[A-Z]?\d+(?:\.\d+)?$`,
);

export interface CoveredTrap {
  readonly trap: string;
  readonly title: string;
  readonly file: string;
  /** Tier of the test's file, which determines the test run that proves the code. */
  readonly tier: Tier;
}

/** The largest share of codes that `npm test` may leave to `npm run test:all`. */
const MAX_UNCOVERED_SHARE = 0.05;

/** Returns the text of `test/TRAPS.md`: the tests that cover each known trap or fixed fault. */
export async function renderTraps(at: string): Promise<string> {
  const covered = await findCovered(at);
  const left = uncoveredCodes(covered);
  const rows = covered.map(
    ({ trap, title, file }) =>
      `| ${trap} | ${title.replaceAll('|', String.raw`\|`)} | \`${file}\` |`,
  );
  return [
    '# Traps and the tests that cover them',
    '',
    'Made by `node build/checks/traps.ts` from the titles of the tests; do not edit. The codes:',
    '',
    ...Object.entries(TRAP_FAMILIES).map(([family, meaning]) => `- ${family}: ${meaning}`),
    '',
    `Proven by \`npm run test:all\` alone: ${left.length === 0 ? 'none' : left.join(', ')}.`,
    '',
    '| Trap | Test | File |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n');
}

/**
 * Returns one sentence if the table at `at` differs from the tests, or if `npm test` proves too few
 * of the codes; otherwise `undefined`.
 */
export async function trapProblem(at: string): Promise<string | undefined> {
  const written = await readFile(path.join(at, TRAPS_DOCUMENT), 'utf8').catch(() => '');
  if (written !== (await renderTraps(at))) {
    return `${TRAPS_DOCUMENT} is stale: run node build/checks/traps.ts`;
  }
  return tooFewProblem(await findCovered(at));
}

/** Returns one sentence if more than five percent of the codes have no quick test. */
export function tooFewProblem(covered: readonly CoveredTrap[]): string | undefined {
  const left = uncoveredCodes(covered);
  const all = new Set(covered.map(({ trap }) => trap)).size;
  if (left.length <= all * MAX_UNCOVERED_SHARE) return undefined;
  return `npm test proves only ${all - left.length} of ${all} codes; give one of these a quick test: ${left.join(', ')}`;
}

function uncoveredCodes(covered: readonly CoveredTrap[]): string[] {
  const quick = new Set(covered.flatMap(({ trap, tier }) => (tier === 'quick' ? [trap] : [])));
  return [...new Set(covered.map(({ trap }) => trap))].filter((code) => !quick.has(code));
}

/** Returns every code with every test that covers it, in the order of the codes. */
export async function findCovered(at: string): Promise<CoveredTrap[]> {
  const found: CoveredTrap[] = [];
  for await (const name of glob(TEST_FILES, { cwd: at })) {
    const file = name.split(path.sep).join('/');
    const text = await readFile(path.join(at, name), 'utf8');
    const { tier } = tierOf(file, text);
    for (const whole of titlesIn(file, text)) {
      const { title, codes } = splitTitle(whole);
      for (const trap of codes) found.push({ trap, title, file, tier });
    }
  }
  return found.toSorted(
    (a, b) =>
      familyOf(a.trap) - familyOf(b.trap) ||
      a.trap.localeCompare(b.trap) ||
      a.file.localeCompare(b.file) ||
      a.title.localeCompare(b.title),
  );
}

function familyOf(code: string): number {
  return Object.keys(TRAP_FAMILIES).indexOf(code.split('-')[0] ?? '');
}

/** Splits a title that ends in the codes that its test covers: `… (T1-38)`, `… (T1-01, TX-04)`. */
function splitTitle(whole: string): { readonly title: string; readonly codes: readonly string[] } {
  const begin = whole.endsWith(')') ? whole.lastIndexOf(' (') : -1;
  const codes = begin < 0 ? [] : whole.slice(begin + 2, -1).split(', ');
  return codes.length > 0 && codes.every((code) => TRAP_CODE_PATTERN.test(code))
    ? { title: whole.slice(0, begin), codes }
    : { title: whole, codes: [] };
}

/** Returns the titles of a file's tests, including `it.each` tables with types and brackets. */
function titlesIn(file: string, text: string): string[] {
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
      if (title !== undefined && ts.isTemplateExpression(title)) titles.push(templateText(title));
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
  return titles;
}

/**
 * Whether `callee` is `it` or `test`, or a call on one of them: `it.each(…)`,
 * `it.runIf(…).each<…>(…)`.
 */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test';
  if (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) {
    return isTest(callee.expression);
  }
  return ts.isTaggedTemplateExpression(callee) && isTest(callee.tag);
}

/** Returns the source text of a title that contains values, with `…` for each value. */
function templateText({ head, templateSpans }: ts.TemplateExpression): string {
  return templateSpans.reduce((all, { literal }) => `${all}…${literal.text}`, head.text);
}

if (import.meta.main) await writeFile(path.join(root, TRAPS_DOCUMENT), await renderTraps(root));
