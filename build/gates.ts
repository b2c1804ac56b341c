import path from 'node:path';
import { compileMessages, missingMessages } from './messages.ts';
import { tools } from './places.ts';
import { runNode } from './run.ts';
import { staleTraps } from './traps.ts';
import { treeProblems } from './tree.ts';

/** One thing that must hold before a change is taken. */
export interface Gate {
  readonly name: string;
  /** Gives what is wrong with the tree at `root`, or `undefined`. */
  readonly check: (root: string) => Promise<string | undefined>;
}

/** Every gate, the slowest first, so that the quick ones fill the gaps. */
export const gates: readonly Gate[] = [
  { name: 'lint: page', check: (root) => lint(root, ['renderer']) },
  { name: 'lint: rest', check: (root) => lint(root, ['shared', 'electron', 'build', 'test']) },
  { name: 'types: renderer', check: (root) => runTool(root, tools.svelteCheck, svelteArguments()) },
  { name: 'types: test', check: (root) => checkTypes(root, 'test') },
  { name: 'types: node', check: (root) => checkTypes(root, 'node') },
  { name: 'types: core', check: (root) => checkTypes(root, 'core') },
  { name: 'types: shared', check: (root) => checkTypes(root, 'shared') },
  { name: 'format', check: (root) => runTool(root, tools.prettier, ['--check', '.']) },
  { name: 'fences', check: async (root) => sentences(await treeProblems(root)) },
  {
    name: 'messages',
    check: async (root) => sentences(await missingMessages(path.join(root, 'renderer/messages'))),
  },
  { name: 'traps', check: staleTraps },
];

/** Makes what the gates read but the repository does not hold. */
export async function prepareGates(root: string): Promise<void> {
  await compileMessages(path.join(root, 'renderer'));
}

function checkTypes(root: string, fence: string): Promise<string | undefined> {
  return runTool(root, tools.tsc, ['-p', `build/tsconfig.${fence}.json`, '--pretty', 'false']);
}

function lint(root: string, folders: readonly string[]): Promise<string | undefined> {
  const args = ['--config', 'build/eslint.config.js', '--max-warnings', '0', ...folders];
  return runTool(root, tools.eslint, args);
}

// Without --tsgo, which overlooks every component when the tsconfig lies outside the workspace.
function svelteArguments(): string[] {
  return [
    ...['--workspace', 'renderer', '--tsconfig', '../build/tsconfig.renderer.json'],
    ...['--output', 'human', '--no-color', '--fail-on-warnings'],
  ];
}

async function runTool(
  root: string,
  tool: string,
  args: readonly string[],
): Promise<string | undefined> {
  const { code, output } = await runNode(path.join(root, tool), args, { cwd: root });
  return code === 0 ? undefined : output;
}

function sentences(problems: readonly string[]): string | undefined {
  return problems.length === 0 ? undefined : problems.join('\n');
}
