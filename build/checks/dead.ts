import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import ts from 'typescript';
import { deadColumns } from './dead-columns.ts';
import { deadPortMethods } from './dead-ports.ts';
import { readSources, type SourceFile } from './import-graph.ts';

/** An unreachable item that is kept: its name in the reports of the gate, and the reason. */
interface KeptDeadCode {
  readonly name: string;
  readonly why: string;
}

/**
 * Unreachable items that are kept for a reason; a row whose item becomes reachable must be removed.
 */
const keptDeadCode: readonly KeptDeadCode[] = [
  // Planned calls, which stay in this list until the issue that `why` names gives each of them its
  // button.
  { name: 'call outbox.pause', why: 'its button comes with the issue "The window"' },
  // Methods with which tests prepare or read data that the program reaches in another way.
  {
    name: 'port OutboxStore.journalBreak',
    why: 'the fault runs ask after every kill whether the journal holds (I11)',
  },
  // Columns of shipped migrations, which are never edited.
  { name: 'column action_journal.from_state', why: 'the journal is for whoever opens the data' },
  { name: 'column action_journal.to_state', why: 'the journal is for whoever opens the data' },
  { name: 'column pass.canary', why: 'evidence of what a scan rested on' },
  { name: 'column pass.server_at', why: 'evidence of what a scan rested on' },
];

const CONTRACT_FILES = 'shared/contract/*.ts';
const ENGLISH_MESSAGES_FILE = 'renderer/messages/en.json';
const CONTRACT_TABLE_PATTERN = /(Calls|Events)$/;
const SCHEMA_KEY = '$schema';

/**
 * Returns one sentence for each call, event, message, method of a port and column under `root` that
 * nothing reaches; an empty list if there are none.
 */
export async function deadProblems(root: string): Promise<string[]> {
  const sources = await readSources(root);
  const dead = [
    ...(await deadCalls(root, sources)),
    ...(await deadMessages(root, sources)),
    ...deadPortMethods(root, sources),
    ...(await deadColumns(root)),
  ];
  const names = new Set(keptDeadCode.map(({ name }) => name));
  const found = new Set(dead.map(({ name }) => name));
  return [
    ...dead.filter(({ name }) => !names.has(name)).map(({ name, why }) => `${name} ${why}`),
    ...keptDeadCode
      .filter(({ name }) => !found.has(name))
      .map(({ name }) => `${name} is reached by now: its row in build/checks/dead.ts goes`),
  ];
}

/**
 * Returns the calls and events that no file of a screen or a command names: no other file makes
 * calls or listens to events.
 */
async function deadCalls(root: string, sources: readonly SourceFile[]): Promise<KeptDeadCode[]> {
  const users = sources
    .filter(({ file }) => /^(?:renderer|electron\/hosts)\/.*\.(?:ts|svelte)$/.test(file))
    .map(({ text }) => text)
    .join('\n');
  const named = new Set([...users.matchAll(/'([a-z][\w-]*\.\w+)'/gi)].map(([, name]) => name));
  const dead: KeptDeadCode[] = [];
  for await (const file of glob(CONTRACT_FILES, { cwd: root })) {
    const text = await readFile(path.join(root, file), 'utf8');
    for (const { kind, name } of tableRows(text)) {
      if (named.has(name)) continue;
      const what = kind === 'Calls' ? 'call' : 'event';
      const by = kind === 'Calls' ? 'no screen and no command uses it' : 'nothing listens to it';
      dead.push({ name: `${what} ${name}`, why: `(${path.basename(file)}): ${by}` });
    }
  }
  return dead;
}

/** Returns the keys of every `…Calls` and `…Events` table of a module. */
function tableRows(text: string): { readonly kind: string; readonly name: string }[] {
  const rows: { readonly kind: string; readonly name: string }[] = [];
  const visit = (node: ts.Node, kind: string | undefined): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const [, table] = CONTRACT_TABLE_PATTERN.exec(node.name.text) ?? [];
      node.forEachChild((child) => visit(child, table));
      return;
    }
    if (kind !== undefined && ts.isPropertyAssignment(node) && ts.isStringLiteral(node.name)) {
      rows.push({ kind, name: node.name.text });
      return;
    }
    node.forEachChild((child) => visit(child, kind));
  };
  visit(ts.createSourceFile('table.ts', text, ts.ScriptTarget.Latest), undefined);
  return rows;
}

/**
 * Returns the messages that no file of the page names. A message is always named in full, as
 * `m.key`, and never built from parts.
 */
async function deadMessages(root: string, sources: readonly SourceFile[]): Promise<KeptDeadCode[]> {
  const words: unknown = JSON.parse(await readFile(path.join(root, ENGLISH_MESSAGES_FILE), 'utf8'));
  const used = new Set(
    sources
      .filter(({ file }) => file.startsWith('renderer/'))
      .flatMap(({ text }) => [...text.matchAll(/\bm\s*\.\s*(\w+)/g)])
      .map(([, key]) => key),
  );
  return Object.keys(Object(words))
    .filter((key) => key !== SCHEMA_KEY && !used.has(key))
    .map((key) => ({
      name: `message ${key}`,
      why: `(${path.basename(ENGLISH_MESSAGES_FILE)}): no screen shows it`,
    }));
}
