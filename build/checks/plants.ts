import { DRAWN_FILE, drawings } from '../icons/drawn.ts';

/** A planted mistake, and the gate that must find it. */
export interface Plant {
  readonly gate: string;
  readonly file: string;
  readonly text: string;
  /** Text that the gate's answer must contain in addition to the file's name. */
  readonly says: string;
}

const PLANTED_MESSAGE = '{ "only_here": "Whoever waits" }\n';
const WRONG_TYPE_MODULE = "export const planted: number = 'text';\n";

/** Uses of types that exist only on the other side of an import rule. */
const crossImportPlants: readonly Plant[] = [
  typePlant('shared', 'shared/planted-node.ts', 'export const home = process.cwd();\n', 'process'),
  typePlant('shared', 'shared/planted-page.ts', 'export const page = document;\n', 'document'),
  typePlant('core', 'electron/core/planted-node.ts', 'export const b = Buffer;\n', 'Buffer'),
  typePlant(
    'node',
    'electron/hosts/planted-page.ts',
    'export const page = document;\n',
    'document',
  ),
];

const wrongTypePlants: readonly Plant[] = [
  typePlant('shared', 'shared/planted-type.ts', WRONG_TYPE_MODULE, 'TS2322'),
  typePlant('core', 'electron/core/planted-type.ts', WRONG_TYPE_MODULE, 'TS2322'),
  typePlant('node', 'electron/adapters/planted-type.ts', WRONG_TYPE_MODULE, 'TS2322'),
  typePlant('test', 'test/planted-type.test.ts', WRONG_TYPE_MODULE, 'TS2322'),
  typePlant('renderer', 'renderer/window/planted-type.ts', WRONG_TYPE_MODULE, 'not assignable'),
  typePlant(
    'renderer',
    'renderer/ui/PlantedType.svelte',
    `<script lang="ts">\n  ${WRONG_TYPE_MODULE.replace('export ', '')}</script>\n\n<p>{planted}</p>\n`,
    'not assignable',
  ),
  typePlant(
    'renderer',
    'renderer/ui/PlantedMessage.svelte',
    `<script lang="ts">\n  import { m } from '../generated/messages/messages.js';\n</script>\n\n<p>{m.not_a_message()}</p>\n`,
    'not_a_message',
  ),
];

/** One mistake per rule that needs types, as statements of a function that is not async. */
const typedRuleCases: readonly (readonly [rule: string, statements: string])[] = [
  ['await-thenable', 'const act = async () => { await 1; };\nvoid act;'],
  ['no-floating-promises', 'const act = async () => {};\nact();'],
  ['no-implied-eval', "const words = ['a', 'b'].join('');\nsetTimeout(words, 1);"],
  ['no-misused-promises', 'const act = async () => {};\n[1].forEach(() => act());'],
  ['only-throw-error', "const act = () => { throw 'words'; };\nvoid act;"],
  ['prefer-promise-reject-errors', "void Promise.reject('words');"],
  [
    'switch-exhaustiveness-check',
    "const act = (side: 'a' | 'b') => { switch (side) { case 'a': } };\nvoid act;",
  ],
];

/** One mistake per rule about foreign data, in the form of `typedRuleCases`. */
const unsafeRuleCases: readonly (readonly [rule: string, statements: string])[] = [
  ['no-unsafe-argument', "encodeURIComponent(JSON.parse('1'));"],
  ['no-unsafe-assignment', "const value = JSON.parse('1');\nvoid value;"],
  ['no-unsafe-call', "JSON.parse('1')();"],
  ['no-unsafe-member-access', "void JSON.parse('1').value;"],
  ['no-unsafe-return', "const act = () => JSON.parse('1');\nvoid act;"],
];

/** Plants of these mistakes in modules, in components' scripts and in a component's template. */
const typedRulePlants: readonly Plant[] = [
  ...[...typedRuleCases, ...unsafeRuleCases].map(([rule, statements]) =>
    lintPlant(`electron/hosts/cli-planted-${rule}.ts`, inModule(statements), rule),
  ),
  ...typedRuleCases.flatMap(([rule, statements]) => [
    lintPlant(`renderer/window/planted-${rule}.ts`, inModule(statements), rule),
    lintPlant(`test/planted-${rule}.ts`, inModule(statements), rule),
    lintPlant(`build/planted-${rule}.ts`, inModule(statements), rule),
    lintPlant(`renderer/ui/Planted${inPascal(rule)}.svelte`, inScript(statements), rule),
  ]),
  lintPlant(
    'renderer/ui/PlantedHandler.svelte',
    '<script lang="ts">\n  async function act() {}\n</script>\n\n<button onclick={() => { act(); }}></button>\n',
    'no-floating-promises',
  ),
  lintPlant(
    'renderer/window/planted-act.ts',
    'export async function act() {}\nact();\n',
    'no-floating-promises',
  ),
  // Only the type of the imported function shows that the call returns a promise.
  lintPlant(
    'renderer/ui/PlantedImport.svelte',
    '<script lang="ts">\n  import { act } from \'../window/planted-act.ts\';\n\n  act();\n</script>\n',
    'no-floating-promises',
  ),
  lintPlant(
    'renderer/ui/PlantedProps.svelte',
    '<script lang="ts">\n  const { used }: { used: string; spare: string } = $props();\n</script>\n\n<p>{used}</p>\n',
    'no-unused-props',
  ),
];

const lintRulePlants: readonly Plant[] = [
  ...typedRulePlants,
  lintPlant('shared/planted-equal.ts', 'export const same = (a: number) => a == 1;\n', 'eqeqeq'),
  lintPlant('build/checks/planted.js', 'export const same = (a) => a == 1;\n', 'eqeqeq'),
  lintPlant('test/support/planted.mjs', 'export const same = (a) => a == 1;\n', 'eqeqeq'),
  lintPlant('shared/planted-empty.ts', 'export function a() {\n  if (a) {\n  }\n}\n', 'no-empty'),
  lintPlant('shared/planted-url.ts', "export const url = 'javascript:a';\n", 'no-script-url'),
  lintPlant('shared/planted-var.ts', 'export var planted = 1;\n', 'no-var'),
  lintPlant('shared/planted-to-do.ts', '// TO' + 'DO: more\nexport {};\n', 'no-warning-comments'),
  lintPlant('shared/planted-let.ts', 'let a = 1;\nexport const b = () => a;\n', 'prefer-const'),
  lintPlant('shared/planted-unused.ts', 'const spare = 1;\nexport {};\n', 'no-unused-vars'),
  lintPlant('shared/planted-default.ts', 'export default 1;\n', 'no-restricted-syntax'),
  lintPlant(
    'renderer/window/planted-wrap.svelte.ts',
    "import { SvelteMap } from 'svelte/reactivity';\nexport const planted = () => {\n  const map = $state(new SvelteMap());\n  return map;\n};\n",
    'no-unnecessary-state-wrap',
  ),
  lintPlant('test/planted-internal.ts', "import 'svelte/internal/client';\n", 'no-svelte-internal'),
  lintPlant(
    'shared/planted-disable.ts',
    '// oxlint-disable-next-line no-var\nexport const planted = 1;\n',
    'directive',
  ),
  lintPlant(
    'renderer/ui/PlantedAs.svelte',
    '<script lang="ts">\n  const planted = 1 as number;\n</script>\n\n<p>{planted}</p>\n',
    'assertions',
  ),
  lintPlant('shared/planted-any.ts', 'export const planted: any = 1;\n', 'no-explicit-any'),
  lintPlant('shared/planted-as.ts', 'export const planted = 1 as number;\n', 'assertions'),
  lintPlant('shared/planted-bang.ts', 'export const planted = [1][0]!;\n', 'no-non-null-assertion'),
  lintPlant('electron/core/planted-eval.ts', "export const planted = eval('1');\n", 'no-eval'),
  lintPlant(
    'electron/core/planted-new.ts',
    "export const planted = new Function('1');\n",
    'no-new-func',
  ),
  lintPlant('electron/core/planted-fetch.ts', "export const planted = fetch('x');\n", 'globals'),
  lintPlant(
    'electron/adapters/rest/planted-retry.ts',
    "import { RetryAgent } from 'undici';\nexport const planted = RetryAgent;\n",
    'no-restricted-imports',
  ),
  lintPlant(
    'electron/hosts/electron/planted.ts',
    'export const planted = { sandbox: false };\n',
    'no-restricted-syntax',
  ),
  lintPlant(
    'renderer/window/planted-html.ts',
    "document.body.innerHTML = '';\nexport const planted = 1;\n",
    'no-restricted-syntax',
  ),
  lintPlant('renderer/ui/PlantedHtml.svelte', "{@html '<b></b>'}\n", 'no-at-html-tags'),
  lintPlant('renderer/ui/PlantedWords.svelte', '<p>Hello there</p>\n', 'no-restricted-syntax'),
  // Expressions that start again at every character of a long run, or try every way to divide it.
  lintPlant(
    'shared/planted-move.ts',
    'export const planted = /[\\s.]+$/;\n',
    'no-super-linear-move',
  ),
  lintPlant(
    'electron/adapters/rest/planted-backtracking.ts',
    'export const planted = /^\\w+@\\w+\\w+$/;\n',
    'no-super-linear-backtracking',
  ),
  lintPlant(
    'renderer/ui/PlantedMove.svelte',
    '<script lang="ts">\n  const planted = /[\\s.]+$/;\n</script>\n\n<p>{planted.source}</p>\n',
    'no-super-linear-move',
  ),
  lintPlant(
    'shared/planted-spread.ts',
    'export const planted: { a: number } = { ...{ a: 1, b: 2 } };\n',
    'no-restricted-syntax',
  ),
  lintPlant(
    'shared/planted-spread-const.ts',
    'export const planted: { a: number } = { ...({ a: 1, b: 2 } as const) };\n',
    'no-restricted-syntax',
  ),
  lintPlant('shared/planted-long.ts', 'export {};\n'.repeat(601), 'max-lines'),
  lintPlant(
    'shared/planted-function.ts',
    `export function planted() {\n${'  void 0;\n'.repeat(81)}}\n`,
    'max-lines-per-function',
  ),
];

/** One import per row of the table that the row must reject. */
const forbiddenImportCases: readonly (readonly [file: string, target: string])[] = [
  ['shared/wire.ts', 'undici'],
  ['shared/model/planted-model.ts', '../contract/call.ts'],
  ['shared/contract/planted-contract.ts', '../rules/time/days.ts'],
  ['shared/rules/planted-rule.ts', 'birpc'],
  ['shared/planted-node-import.ts', 'node:fs'],
  ['electron/core/planted-zod.ts', 'zod'],
  ['electron/adapters/rest/planted-rest.ts', 'better-sqlite3'],
  ['electron/adapters/sqlite/planted-sqlite.ts', 'undici'],
  ['electron/adapters/pdf/planted-pdf.ts', '../rest/http/client.ts'],
  ['electron/adapters/sheets/planted-sheet.ts', 'pdf-lib'],
  ['electron/adapters/vault/planted-vault.ts', 'electron'],
  ['electron/adapters/vault/planted-core.ts', '../../core/app-error.ts'],
  ['electron/adapters/files/planted-files.ts', 'keytar'],
  ['electron/adapters/files/durable.ts', './save.ts'],
  ['electron/adapters/files/private-folder.ts', './save.ts'],
  ['electron/adapters/system/planted-system.ts', 'playwright'],
  ['electron/demo/pdf/pdf.ts', '../../../shared/contract/call.ts'],
  ['electron/demo/planted-demo.ts', 'pdf-lib'],
  ['electron/compose/compose.ts', 'electron'],
  ['electron/hosts/electron/main.ts', '../chromium/main.ts'],
  ['electron/hosts/electron/planted-window.ts', 'electron'],
  ['electron/hosts/chromium/planted-chromium.ts', 'electron'],
  ['electron/hosts/find-browser.ts', 'playwright'],
  ['electron/hosts/cli/planted-cli.ts', 'electron'],
  ['electron/hosts/cli/planted-browser.ts', 'playwright'],
  ['electron/hosts/cli/planted-host.ts', '../chromium/start.ts'],
  ['electron/hosts/cli/commands/demo/planted-command.ts', 'undici'],
  ['electron/adapters/rest/v1/planted-v1.ts', '../v2/table.ts'],
  ['electron/demo/v2/planted-v2.ts', '../v1/api.ts'],
  ['shared/rules/drafts/v2/planted-draft.ts', '../v1/party.ts'],
  ['electron/hosts/planted-host-root.ts', '../core/ports.ts'],
  ['renderer/ui/language.svelte.ts', './format.ts'],
  ['renderer/ui/planted-desk.ts', '../window/desk.ts'],
  ['renderer/window/desk.ts', './router.svelte.ts'],
  ['renderer/window/planted-feature.ts', '../features/drafts/state.svelte.ts'],
  ['renderer/features/connections/planted-upward.ts', '../drafts/state.svelte.ts'],
  ['renderer/features/drafts/planted-app.ts', '../../app/screens.ts'],
  ['renderer/features/drafts/planted-state.ts', './Screen.svelte'],
  ['renderer/features/onboarding/planted-drawing.ts', 'bits-ui'],
  ['renderer/app/planted-core.ts', '../../electron/compose/compose.ts'],
];

const fileTreePlants: readonly Plant[] = [
  { gate: 'fences', file: 'shared/string-utils.ts', text: 'export {};\n', says: 'named after' },
  { gate: 'fences', file: 'shared/PlantedName.ts', text: 'export {};\n', says: 'kebab-case' },
  {
    gate: 'fences',
    file: 'shared/planted-lines.ts',
    text: '\n'.repeat(600) + '0;\n',
    says: 'lines',
  },
  {
    gate: 'fences',
    file: 'shared/planted-barrel.ts',
    text: "export * from './planted-ring.ts';\n",
    says: 'barrel',
  },
  {
    gate: 'fences',
    file: 'shared/planted-ring.ts',
    text: "import './planted-ring.ts';\n",
    says: 'cycle',
  },
  // Two feature folders import each other, although no two of their files do.
  {
    gate: 'fences',
    file: 'electron/core/services/planted-room.ts',
    text: "export type { Planted } from '../outbox/planted-back.ts';\nexport const room = 1;\n",
    says: 'feature folders import each other',
  },
  {
    gate: 'fences',
    file: 'electron/core/outbox/planted-back.ts',
    text: "import type { Other } from '../services/planted-other.ts';\n\nexport type Planted = Other;\n",
    says: 'feature folders import each other',
  },
  {
    gate: 'fences',
    file: 'renderer/ui/PlantedColour.svelte',
    text: '<p></p>\n\n<style>\n  p {\n    color: #fff;\n  }\n</style>\n',
    says: 'colour',
  },
];

const UNUSED_EXPORTS_MODULE =
  'export function used(): void {}\n\nexport interface Spare {\n  readonly a: 1;\n}\n\nexport const spare = 1;\n';

const deadCodePlants: readonly Plant[] = [
  {
    gate: 'dead',
    file: 'shared/contract/planted-calls.ts',
    text: "export const plantedCalls = { 'planted.call': 1 };\n",
    says: 'call planted.call',
  },
  {
    gate: 'dead',
    file: 'shared/contract/planted-events.ts',
    text: "export const plantedEvents = { 'planted.changed': 1 };\n",
    says: 'event planted.changed',
  },
  {
    gate: 'dead',
    file: 'electron/core/templates/ports.ts',
    text: 'export interface PlantedPort {\n  planted(): void;\n}\n',
    says: 'port PlantedPort.planted',
  },
  {
    gate: 'dead',
    file: 'electron/adapters/sqlite/migrations/index.ts',
    text: "export const migrations = [{ sql: 'CREATE TABLE planted (unread TEXT)' }];\n",
    says: 'column planted.unread',
  },
  // This message is planted for another gate. No screen shows it, so that this gate must report it
  // too.
  {
    gate: 'dead',
    file: 'renderer/messages/en.json',
    text: PLANTED_MESSAGE,
    says: 'message only_here',
  },
  { gate: 'exports', file: 'renderer/ui/planted-file.ts', text: 'export {};\n', says: '' },
  {
    gate: 'exports',
    file: 'renderer/app/planted-exports.ts',
    text: UNUSED_EXPORTS_MODULE,
    says: 'spare',
  },
  {
    gate: 'exports',
    file: 'renderer/app/planted-exports.ts',
    text: UNUSED_EXPORTS_MODULE,
    says: 'Spare',
  },
  // The entry that reaches the item above; its own mistake belongs to another gate.
  lintPlant(
    'renderer/app/main.ts',
    "import { used } from './planted-exports.ts';\n\nused();\nexport default 1;\n",
    'no-restricted-syntax',
  ),
];

const WORKFLOW_HEAD = 'on: push\npermissions: {}\njobs:\n  planted:\n    runs-on: ubuntu-24.04\n';

/** One mistake for GitHub's own parser, and one for each rule of ours. */
const workflowPlants: readonly Plant[] = [
  workflowPlant('key', `${WORKFLOW_HEAD}    stepz: []\n`, "Unexpected value 'stepz'"),
  workflowPlant(
    'expression',
    stepOf("if: runner.os = 'Linux'\n        run: ls"),
    'Unexpected symbol',
  ),
  workflowPlant('action', stepOf('uses: actions/checkout@v7'), 'is no commit'),
  workflowPlant('script', stepOf('run: npm run not-there'), 'no script not-there'),
  workflowPlant(
    'secret',
    stepOf('run: ls\n        env:\n          A: ${{ secrets.PLANTED }}'),
    'does not say what PLANTED is',
  ),
  workflowPlant('words', stepOf('run: |\n          echo ${{ github.ref }}'), 'by its env'),
  workflowPlant('rights', WORKFLOW_HEAD.replace('permissions: {}\n', ''), 'every permission'),
];

/** All planted mistakes except `importPlants`. Each has its own file, unless two share one. */
export const plants: readonly Plant[] = [
  ...crossImportPlants,
  ...wrongTypePlants,
  ...lintRulePlants,
  ...fileTreePlants,
  ...deadCodePlants,
  ...workflowPlants,
  { gate: 'format', file: 'shared/planted-format.ts', text: 'export  const a=1', says: '' },
  {
    gate: 'messages',
    file: 'renderer/messages/en.json',
    text: PLANTED_MESSAGE,
    says: 'only_here',
  },
  {
    gate: 'english',
    file: 'renderer/messages/en.json',
    text: PLANTED_MESSAGE,
    says: 'only_here: "Whoever"',
  },
  {
    gate: 'guide',
    file: 'renderer/guide/en/contents.md',
    text: '# Contents\n\nPress {not_a_message}.\n',
    says: 'not_a_message',
  },
  {
    gate: 'icons',
    file: DRAWN_FILE,
    text: `${'0'.repeat(64)}  ${drawings.mark}\n`,
    says: `${drawings.mark} has changed`,
  },
  {
    gate: 'traps',
    file: 'test/planted-trap.test.ts',
    text: "it('is covered (T1-01)', () => {});\n",
    says: 'stale',
  },
];

/** The planted imports; lint and the fence tests must both find them, independently. */
export const importPlants: readonly Plant[] = forbiddenImportCases.flatMap(([file, target]) =>
  [lintGate(file), 'fences'].map((gate) => ({
    gate,
    file,
    text: `import '${target}';\n`,
    says: 'may not import',
  })),
);

function inModule(statements: string): string {
  return `export function planted(): void {\n${statements}\n}\n`;
}

function inScript(statements: string): string {
  return `<script lang="ts">\n${statements}\n</script>\n`;
}

function inPascal(rule: string): string {
  return rule.replace(/(?:^|-)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}

function lintGate(file: string): string {
  return file.endsWith('.svelte') ? 'lint: components' : 'lint: modules';
}

function lintPlant(file: string, text: string, says: string): Plant {
  return { gate: lintGate(file), file, text, says };
}

function stepOf(step: string): string {
  return `${WORKFLOW_HEAD}    steps:\n      - ${step}\n`;
}

function workflowPlant(name: string, text: string, says: string): Plant {
  return { gate: 'workflows', file: `.github/workflows/planted-${name}.yml`, text, says };
}

function typePlant(fence: string, file: string, text: string, says: string): Plant {
  return { gate: `types: ${fence}`, file, text, says };
}
