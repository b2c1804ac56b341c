import path from 'node:path';
import { deadProblems } from './dead.ts';
import { guideProblems } from './guide.ts';
import { DRAWN_FILE, drawings, ICON_MODULE, iconProblems } from '../icons/drawn.ts';
import { englishProblems } from './plain-english.ts';
import { compileMessages } from '../messages.ts';
import { messageProblems } from './messages.ts';
import { tools } from '../places.ts';
import { runNode } from '../run.ts';
import { trapProblem } from './traps.ts';
import { treeProblems } from './tree.ts';
import { workflowProblems } from './workflows.ts';

/** A check that must pass before a change is accepted. */
export interface Gate {
  readonly name: string;
  /**
   * Path prefixes of the files that the gate reads, in addition to files that all gates depend on
   * (build/checks/kept.ts). While none of these files changes, the result of the gate does not
   * change.
   */
  readonly reads: readonly string[];
  /** Returns the problems of the tree at `root`, or `undefined` if there are none. */
  readonly check: (root: string) => Promise<string | undefined>;
}

/**
 * Settings for tools written in Go: two gates already share the cores, and short-lived tools need
 * little garbage collection.
 */
const ONE_CORE_ENVIRONMENT = { GOMAXPROCS: '1', GOGC: '400' };

/**
 * Folders of the page and of the modules that it imports. The generated messages are read too; they
 * depend only on `renderer/messages`.
 */
const PAGE_FOLDERS = ['renderer/', 'shared/'];
const SOURCE_FOLDERS = ['electron/', 'renderer/', 'shared/', 'test/'];

/** All gates, the slowest first, so that the quick ones run while the last slow ones finish. */
export const gates: readonly Gate[] = [
  { name: 'lint: components', reads: PAGE_FOLDERS, check: lintComponents },
  { name: 'lint: modules', reads: SOURCE_FOLDERS, check: lintModules },
  {
    name: 'types: renderer',
    reads: PAGE_FOLDERS,
    check: (root) => runTool(root, tools.svelteCheck, svelteArguments(), ONE_CORE_ENVIRONMENT),
  },
  { name: 'types: test', reads: SOURCE_FOLDERS, check: (root) => checkTypes(root, 'test') },
  {
    name: 'types: node',
    reads: ['electron/', 'shared/'],
    check: (root) => checkTypes(root, 'node'),
  },
  {
    name: 'types: core',
    reads: ['electron/core/', 'shared/'],
    check: (root) => checkTypes(root, 'core'),
  },
  { name: 'types: shared', reads: ['shared/'], check: (root) => checkTypes(root, 'shared') },
  { name: 'format', reads: [''], check: (root) => runTool(root, tools.oxfmt, ['--check', '.']) },
  {
    name: 'fences',
    reads: SOURCE_FOLDERS,
    check: async (root) => joinSentences(await treeProblems(root)),
  },
  {
    name: 'dead',
    reads: ['electron/', 'renderer/', 'shared/'],
    check: async (root) => joinSentences(await deadProblems(root)),
  },
  {
    // The tests are not read: exports that only tests import are marked `@internal`.
    name: 'exports',
    reads: ['electron/', 'renderer/', 'shared/'],
    check: (root) => runTool(root, tools.knip, knipArguments()),
  },
  {
    name: 'messages',
    reads: ['renderer/messages/'],
    check: async (root) =>
      joinSentences(await messageProblems(path.join(root, 'renderer/messages'))),
  },
  {
    name: 'english',
    reads: [
      'renderer/messages/en.json',
      'renderer/guide/en/',
      'electron/',
      'shared/',
      'README.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
      'CHANGELOG.md',
      'build/checks/plain-english',
    ],
    check: async (root) => joinSentences(await englishProblems(root)),
  },
  {
    name: 'guide',
    reads: ['renderer/guide/', 'renderer/messages/', 'renderer/features/', 'renderer/app/'],
    check: async (root) => joinSentences(await guideProblems(path.join(root, 'renderer'))),
  },
  {
    name: 'icons',
    reads: [DRAWN_FILE, ...Object.values(drawings), ICON_MODULE],
    check: async (root) => joinSentences(await iconProblems(root)),
  },
  { name: 'traps', reads: ['test/'], check: trapProblem },
  {
    name: 'workflows',
    reads: ['.github/'],
    check: async (root) => joinSentences(await workflowProblems(root)),
  },
];

/** Creates files that the gates read but the repository does not contain. */
export async function prepareGates(root: string): Promise<void> {
  await compileMessages(path.join(root, 'renderer'));
}

/**
 * Checks the types of a fence with one thread: with more threads, each computes the same types
 * again, at four times the processor time.
 */
function checkTypes(root: string, fence: string): Promise<string | undefined> {
  const args = ['-p', `build/tsconfig.${fence}.json`, '--pretty', 'false', '--singleThreaded'];
  return runTool(root, tools.tsc, args, ONE_CORE_ENVIRONMENT);
}

function lintComponents(root: string): Promise<string | undefined> {
  const args = [
    '--config',
    'build/checks/eslint.config.js',
    '--max-warnings',
    '0',
    '--no-warn-ignored',
  ];
  return runTool(root, tools.eslint, [...args, 'renderer/**/*.svelte'], {
    // Gives the compiler each component as the parser translates it. Otherwise the compiler starts
    // a new program for every component.
    SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK: '1',
  });
}

function knipArguments(): string[] {
  return [
    ...['--config', 'build/checks/knip.json', '--production', '--no-progress'],
    ...['--include', 'files,exports,types'],
  ];
}

function lintModules(root: string): Promise<string | undefined> {
  return runTool(
    root,
    tools.oxlint,
    [
      ...['--config', 'build/checks/oxlint.config.js', '--type-aware', '--format', 'unix'],
      ...['--deny-warnings', '--report-unused-disable-directives-severity', 'error'],
      ...['--ignore-pattern', '**/*.svelte'],
      ...['shared', 'electron', 'renderer', 'build', 'test'],
    ],
    ONE_CORE_ENVIRONMENT,
  );
}

// The arguments do not contain `--tsgo`, with which no component is found if the tsconfig is
// outside the workspace. The experimental option, the other way to use the native compiler, does
// find the components, as the self-test shows.
function svelteArguments(): string[] {
  return [
    '--tsgo-experimental-api',
    ...['--workspace', 'renderer', '--tsconfig', '../build/tsconfig.renderer.json'],
    ...['--output', 'human', '--no-color', '--fail-on-warnings'],
  ];
}

async function runTool(
  root: string,
  tool: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const { code, output } = await runNode(path.join(root, tool), args, { cwd: root, env });
  return code === 0 ? undefined : output;
}

function joinSentences(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : problems.join('\n');
}
