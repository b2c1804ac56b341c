import { glob, readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { TextDocument } from 'vscode-languageserver-textdocument';

const WORKFLOW_FILES = '.github/workflows/*.{yml,yaml}';
/** Document that explains each secret to the person who sets it. */
const SECRETS_DOCUMENT = 'build/README.md';
/** Secret that GitHub itself provides. */
const GITHUB_OWN_SECRET = 'GITHUB_TOKEN';

/** Rule for a line of a workflow, in addition to the language's own rules. */
type WorkflowRule = (line: string, tree: WorkflowTree) => readonly string[];

interface WorkflowTree {
  readonly scripts: ReadonlySet<string>;
  readonly secrets: string;
}

/**
 * Returns one sentence for each mistake in a workflow of the tree at `root`; an empty list if all
 * workflows can run.
 */
export async function workflowProblems(root: string): Promise<string[]> {
  const tree = await readTree(root);
  const validate = await languageService();
  const problems: string[] = [];
  for await (const name of glob(WORKFLOW_FILES, { cwd: root })) {
    const file = name.split(path.sep).join('/');
    const text = await readFile(path.join(root, name), 'utf8');
    const found = await validate(TextDocument.create(`file:///${file}`, 'yaml', 1, text), {});
    const lines = text.split('\n');
    problems.push(
      ...found.map(({ range, message }) => `${file}:${range.start.line + 1}: ${message}`),
      ...lines.flatMap((line, at) =>
        workflowRules
          .flatMap((rule) => rule(line, tree))
          .map((what) => `${file}:${at + 1}: ${what}`),
      ),
      ...scriptLines(lines)
        .filter((at) => lines[at]?.includes('${{') === true)
        // Foreign text, such as the name of a branch, would become part of the script.
        .map((at) => `${file}:${at + 1}: hand expressions to a script by its env`),
      ...(/^permissions:/m.test(text) ? [] : [`${file}:1: takes every permission there is`]),
    );
  }
  return problems;
}

const workflowRules: readonly WorkflowRule[] = [
  // Actions are named by their commit: a tag can be moved to other code, a commit cannot.
  (line) => {
    const [, uses = ''] = /^\s*(?:- )?uses: (.+)$/.exec(line) ?? [];
    const isFixed = uses === '' || uses.startsWith('./') || /@[0-9a-f]{40} # v\d/.test(uses);
    return isFixed ? [] : [`${uses} is no commit with its version behind it`];
  },
  (line, { scripts }) =>
    [...line.matchAll(/\bnpm (?:run (?:-s )?([\w:-]+)|(test)\b)/g)]
      .map(([, run, test]) => run ?? test ?? '')
      .filter((name) => !scripts.has(name))
      .map((name) => `there is no script ${name}`),
  (line, { secrets }) =>
    [...line.matchAll(/\bsecrets\.(\w+)/g)]
      .map(([, name = '']) => name)
      .filter((name) => name !== GITHUB_OWN_SECRET && !secrets.includes(`\`${name}\``))
      .map((name) => `${SECRETS_DOCUMENT} does not say what ${name} is`),
];

/** Returns the indexes of the lines that a shell runs: after `run:`, and indented below it. */
function scriptLines(lines: readonly string[]): number[] {
  const found: number[] = [];
  let depth = Number.POSITIVE_INFINITY;
  for (const [at, line] of lines.entries()) {
    const indent = line.search(/\S/);
    if (indent >= 0 && indent <= depth) depth = Number.POSITIVE_INFINITY;
    const [start] = /^\s*(?:- )?(?=run:)/.exec(line) ?? [];
    if (start !== undefined) depth = start.length;
    if (depth !== Number.POSITIVE_INFINITY) found.push(at);
  }
  return found;
}

async function readTree(root: string): Promise<WorkflowTree> {
  const manifest: { readonly scripts?: Record<string, string> } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  );
  const secrets = await readFile(path.join(root, SECRETS_DOCUMENT), 'utf8').catch(() => '');
  return { scripts: new Set(Object.keys(manifest.scripts ?? {})), secrets };
}

/**
 * Returns the validation of GitHub's language service. The service imports its schema as JSON,
 * which Node accepts only with an explicit type.
 */
async function languageService() {
  const hooks = registerHooks({
    load: (url, context, next) =>
      next(
        url,
        url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context,
      ),
  });
  try {
    return (await import('@actions/languageservice')).validate;
  } finally {
    hooks.deregister();
  }
}
