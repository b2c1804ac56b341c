// tier: all
import { execFileSync } from 'node:child_process';
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gates, prepareGates } from '../../build/checks/gates.ts';
import { place, root, tools } from '../../build/places.ts';
import { runNode } from '../../build/run.ts';

/**
 * Additions that follow only the first steps of a recipe in CONTRIBUTING; the missing steps must
 * cause errors.
 */
const steps: readonly { readonly file: string; readonly after: string; readonly added: string }[] =
  [
    {
      file: 'shared/contract/drafts.ts',
      after: 'export const draftCalls = {',
      added: "'drafts.planted': call(z.object({}), EmptyObject),",
    },
    {
      file: 'shared/errors.ts',
      after: 'export const ErrorCode = z.enum([',
      added: "'planted-code',",
    },
    {
      file: 'shared/contract/jobs.ts',
      after: 'export const JobKind = z.enum([',
      added: "'planted-job',",
    },
    {
      file: 'electron/core/ports.ts',
      after: 'export interface Clock {',
      added: 'planted(): void;',
    },
    {
      file: 'renderer/window/router.svelte.ts',
      after: 'const screenNames = [',
      added: "'planted-screen',",
    },
    {
      file: 'renderer/app/screens.ts',
      after: 'export const screens: readonly Screen[] = [',
      added: "{ name: 'planted-screen', load: () => import('../features/planted/Screen.svelte') },",
    },
    {
      file: 'shared/contract/agreement-views.ts',
      after: 'export const ListColumn = z.enum([',
      added: "'plantedColumn',",
    },
    { file: 'renderer/messages/en.json', after: '{', added: '"planted_message": "Planted",' },
    {
      file: 'electron/adapters/rest/v1/table.ts',
      after: "name: 'v1.agreements.fetch-links',\n  reply: SigningLinks,\n};",
      added: "export const fetchPlanted = { ...fetchSigningLinks, name: 'v1.agreements.planted' };",
    },
    {
      file: 'electron/adapters/sqlite/migrations/index.ts',
      after: "{ version: 15, name: 'replaced-rows', sql: replacedRows },",
      added: "{ version: 16, name: 'planted', sql: 'ALTER TABLE draft ADD COLUMN planted TEXT' },",
    },
  ];

let copy: string;

beforeAll(async () => {
  copy = mkdtempSync(path.join(tmpdir(), 'signing-desk-recipes-'));
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\n').filter(Boolean)) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    copyOf(file);
  }
  symlinkSync(place('node_modules'), path.join(copy, 'node_modules'), 'junction');
  await prepareGates(copy);
  for (const step of steps) plant(step);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function copyOf(file: string): void {
  try {
    linkSync(place(file), path.join(copy, file));
  } catch {
    // The link fails if the copy is on another disk, or the file has been deleted without a commit.
    writeFileSync(path.join(copy, file), readFileSync(place(file)));
  }
}

function plant({ file, after, added }: (typeof steps)[number]): void {
  const at = path.join(copy, file);
  const [before, ...rest] = readFileSync(at, 'utf8').split(after);
  if (rest.length === 0) throw new Error(`${file} has no "${after}" any more`);
  // The link is removed first, because writing through it would change the original file.
  rmSync(at);
  writeFileSync(at, `${before}${after}\n${added}${rest.join(after)}`);
}

async function answerOf(gate: string): Promise<string> {
  const found = gates.find(({ name }) => name === gate);
  if (found === undefined) throw new Error(`no gate ${gate}`);
  return (await found.check(copy)) ?? '';
}

/** Runs a test file in the copy; returns its output if it fails, and otherwise an empty text. */
async function testedBy(file: string): Promise<string> {
  const args = ['run', '--root', copy, '--testTimeout', '600000', file];
  const { code, output } = await runNode(place(tools.vitest), args, { cwd: copy });
  return code === 0 ? '' : output;
}

describe('the instructions of CONTRIBUTING for additions', () => {
  it('hold for a call without a handler: a type error in the core (HO-8)', async () => {
    expect(await answerOf('types: core')).toContain('drafts.planted');
  });

  it('hold for an error without an exit code and a port without an adapter: type errors (HO-8)', async () => {
    const said = await answerOf('types: node');
    expect(said).toContain('planted-code');
    expect(said).toContain("'planted' is missing");
  });

  it('hold for a job without words and a screen without file and title: type errors (HO-8)', async () => {
    const said = await answerOf('types: renderer');
    expect(said).toContain('planted-job');
    expect(said).toContain('features/planted/Screen.svelte');
    expect(said).toContain('title');
  });

  it('hold for a list column with a missing text: a type error at that column (HO-8)', async () => {
    const missing = (said: string) =>
      said.split('\n').filter((line) => line.includes("'plantedColumn'"));
    const here = missing(await answerOf('types: node')).join('\n');
    expect(here).toContain('shared/rules/agreements/columns.ts');
    expect(await answerOf('types: renderer')).toContain('features/agreements/column-words.ts');
  });

  it('hold for a message that exists in one language only: it is named (HO-8)', async () => {
    expect(await answerOf('messages')).toContain('planted_message');
  });

  it('hold for an endpoint that the demo service does not answer: it is named (HO-8)', async () => {
    const said = await testedBy('test/adapters/rest/conformance.test.ts');
    expect(said).toContain('v1.agreements.planted');
  });

  it('hold for a migration without its hash: it is named (HO-8)', async () => {
    expect(await testedBy('test/adapters/sqlite/database/migrate.test.ts')).toContain(
      '0016-planted',
    );
  });
});
