import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gates, prepareGates, type Gate } from './gates.ts';
import { place } from '../places.ts';
import { importPlants, plants, type Plant } from './plants.ts';

const LANGUAGE_SETTINGS_FILE = 'renderer/messages/project.inlang/settings.json';
const COPIED_FILES = [
  'tsconfig.json',
  '.oxfmtrc.json',
  '.gitignore',
  'package.json',
  LANGUAGE_SETTINGS_FILE,
  ...['base', 'shared', 'core', 'node', 'renderer', 'test'].map((f) => `build/tsconfig.${f}.json`),
  ...[
    'eslint.config.js',
    'oxlint.config.js',
    'lint-rules.js',
    'eslint-fence-rule.js',
    'fences.js',
    'knip.json',
  ].map((name) => `build/checks/${name}`),
];
/** Gates that do not repeat the planted file's name: they report the whole tree or another file. */
const GATES_WITHOUT_FILE_NAMES = new Set(['english', 'messages', 'traps']);
/** Gates that report a paragraph for each file; the others report a line for each problem. */
const GATES_WITH_PARAGRAPHS = new Set(['lint: components', 'types: renderer']);

/**
 * Plants one mistake of each kind in a small tree of its own, runs every gate there, and returns
 * one line per mistake that no gate found; `undefined` if all were found.
 */
export async function selfTest(): Promise<string | undefined> {
  const at = await mkdtemp(path.join(os.tmpdir(), 'signing-desk-check-'));
  try {
    await createTestProject(at);
    const answers = new Map<string, string>();
    for (const gate of gates.filter(isTypeGate)) await runGateInProject(gate, at, answers);
    // The imports are planted last, because undici's types bring Node's types into every fence that
    // imports them.
    await writePlants(at, importPlants);
    for (const gate of gates.filter((each) => !isTypeGate(each)))
      await runGateInProject(gate, at, answers);
    const missed = [...plants, ...importPlants].filter((plant) => !isPlantReported(plant, answers));
    if (missed.length === 0) return undefined;
    return missed
      .map(({ gate, file, says }) => `not seen by ${gate}: ${file} (${says})`)
      .join('\n');
  } finally {
    await rm(at, { recursive: true });
  }
}

async function createTestProject(at: string): Promise<void> {
  for (const file of COPIED_FILES) await cp(place(file), path.join(at, file));
  // On Windows, an account without extra rights can create only junctions; on other systems this is
  // an ordinary link.
  await symlink(place('node_modules'), path.join(at, 'node_modules'), 'junction');
  const { locales }: { locales: string[] } = JSON.parse(
    await readFile(place(LANGUAGE_SETTINGS_FILE), 'utf8'),
  );
  await writePlants(
    at,
    locales.map((name) => ({ file: `renderer/messages/${name}.json`, text: '{}\n' })),
  );
  await prepareGates(at);
  await writePlants(at, plants);
}

async function runGateInProject(
  gate: Gate,
  at: string,
  answers: Map<string, string>,
): Promise<void> {
  answers.set(gate.name, (await gate.check(at)) ?? '');
}

async function writePlants(
  at: string,
  files: readonly Pick<Plant, 'file' | 'text'>[],
): Promise<void> {
  for (const { file, text } of files) {
    await mkdir(path.dirname(path.join(at, file)), { recursive: true });
    await writeFile(path.join(at, file), text);
  }
}

function isTypeGate({ name }: Pick<Gate, 'name'>): boolean {
  return name.startsWith('types: ');
}

function isPlantReported(
  { gate, file, says }: Plant,
  answers: ReadonlyMap<string, string>,
): boolean {
  const name = GATES_WITHOUT_FILE_NAMES.has(gate) ? '' : path.posix.basename(file);
  const answer = answers.get(gate) ?? '';
  const parts = answer.split(GATES_WITH_PARAGRAPHS.has(gate) ? /\n[^\S\n]*\n/ : '\n');
  return parts.some((part) => part.includes(name) && part.includes(says));
}
