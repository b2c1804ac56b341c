import { describe, expect, it } from 'vitest';
import { fences, validateImport } from '../../build/checks/fences.js';
import { findCycle, findFeatureCycle } from '../../build/checks/import-graph.ts';
import { root } from '../../build/places.ts';
import { fileProblems, treeProblems } from '../../build/checks/tree.ts';

function source(file: string, text = '', imports: readonly string[] = []) {
  return { file, text, imports };
}

describe('the import table', () => {
  it.each([
    ['shared/wire.ts', 'birpc'],
    ['shared/contract/drafts.ts', 'zod'],
    ['shared/rules/drafts/check.ts', 'shared/rules/drafts/v2/check.ts'],
    ['electron/core/drafts/handlers.ts', 'shared/contract/drafts.ts'],
    ['electron/adapters/rest/http/transport.ts', 'undici'],
    ['electron/adapters/vault/vault.ts', 'keytar'],
    ['electron/compose/compose.ts', 'electron/demo/state/service.ts'],
    ['electron/hosts/electron/main.ts', 'electron'],
    ['electron/hosts/chromium/main.ts', 'playwright'],
    ['renderer/features/drafts/Screen.svelte', 'renderer/features/drafts/state.svelte.ts'],
    ['renderer/features/drafts/state.svelte.ts', 'renderer/window/desk.ts'],
    ['renderer/features/agreements/Screen.svelte', 'renderer/features/drafts/copies.svelte.ts'],
    ['renderer/app/screens.ts', 'renderer/features/drafts/Screen.svelte'],
  ])('lets %s import %s', (file, target) => {
    expect(validateImport(file, target)).toBeUndefined();
  });

  it.each([
    ['shared/contract/drafts.ts', 'birpc'],
    ['shared/contract/settings.ts', 'shared/rules/files/file-name.ts'],
    ['shared/model/agreement.ts', 'shared/contract/call.ts'],
    ['shared/rules/limits.ts', 'node:fs'],
    ['shared/rules/drafts/v2/party.ts', 'shared/rules/drafts/v1/party.ts'],
    ['electron/core/drafts/handlers.ts', 'electron/adapters/files/files.ts'],
    ['electron/core/drafts/handlers.ts', 'zod'],
    ['electron/adapters/rest/http/client.ts', 'electron/adapters/sqlite/open/open.ts'],
    ['electron/adapters/rest/http/client.ts', 'electron/core/drafts/handlers.ts'],
    ['electron/adapters/rest/v1/service.ts', 'electron/adapters/rest/v2/table.ts'],
    ['electron/adapters/files/files.ts', 'electron'],
    ['electron/adapters/files/durable.ts', 'electron/adapters/files/save.ts'],
    ['electron/demo/state/service.ts', 'shared/contract/drafts.ts'],
    ['electron/demo/state/service.ts', 'electron/core/ports.ts'],
    ['electron/demo/v2/api.ts', 'electron/demo/v1/api.ts'],
    ['electron/compose/compose.ts', 'electron'],
    ['electron/hosts/chromium/main.ts', 'electron'],
    ['electron/hosts/electron/main.ts', 'playwright'],
    ['electron/hosts/electron/main.ts', 'electron/hosts/chromium/main.ts'],
    ['electron/hosts/cli/main.ts', 'electron/core/drafts/handlers.ts'],
    ['renderer/ui/grid/Row.svelte', 'renderer/window/desk.ts'],
    ['renderer/ui/grid/Row.svelte', 'renderer/features/drafts/state.svelte.ts'],
    ['renderer/window/router.svelte.ts', 'renderer/features/drafts/state.svelte.ts'],
    ['renderer/features/drafts/state.svelte.ts', 'renderer/features/drafts/Screen.svelte'],
    ['renderer/features/drafts/state.svelte.ts', 'pdfjs-dist'],
    ['renderer/features/drafts/Screen.svelte', 'renderer/features/agreements/state.svelte.ts'],
    ['renderer/features/drafts/Screen.svelte', 'renderer/app/screens.ts'],
    ['renderer/app/main.ts', 'electron/compose/compose.ts'],
    ['renderer/app/main.ts', 'zodiac'],
  ])('does not let %s import %s', (file, target) => {
    expect(validateImport(file, target)).toContain('may not import');
  });

  it('refuses a file without a row', () => {
    expect(validateImport('elsewhere/thing.ts', 'zod')).toContain('outside every fence');
  });

  it('lets only build and test import everything', () => {
    const open = fences.filter((fence) => fence.may.includes('anything'));
    expect(open.map((fence) => fence.from)).toEqual(['build/**', 'test/**']);
  });
});

describe('a file', () => {
  it.each(['shared/draft-utils.ts', 'shared/types.ts', 'electron/core/job-manager.ts'])(
    'may not be named %s',
    (file) => {
      expect(fileProblems(source(file))).toEqual([expect.stringContaining('named after nothing')]);
    },
  );

  it.each(['shared/DraftRules.ts', 'renderer/ui/agreement-row.svelte'])(
    'may not be spelt %s',
    (file) => {
      expect(fileProblems(source(file))).toEqual([expect.stringContaining('kebab-case')]);
    },
  );

  it.each([
    ['shared/long.ts', 600, 601],
    ['renderer/ui/Long.svelte', 400, 401],
  ])('%s may have %i lines, not %i', (file, most, over) => {
    expect(fileProblems(source(file, 'x\n'.repeat(most)))).toEqual([]);
    expect(fileProblems(source(file, 'x\n'.repeat(over)))).toHaveLength(1);
  });

  it('may be longer if it is a table', () => {
    expect(fileProblems(source('electron/adapters/rest/v1/table.ts', 'x\n'.repeat(900)))).toEqual(
      [],
    );
  });

  it('may not consist of re-exports, unless it is a listed table', () => {
    const text = "/** All. */\nexport * from './a.ts';\nexport {\n  b,\n  c,\n} from './b.ts';\n";
    expect(fileProblems(source('shared/model/all.ts', text))).toHaveLength(1);
    expect(fileProblems(source('shared/contract/index.ts', text))).toEqual([]);
    expect(fileProblems(source('shared/model/all.ts', `${text}export const d = 1;\n`))).toEqual([]);
  });

  it.each(['#fff', '#1a2b3c', 'rgb(0 0 0)', 'oklch(50% 0.1 20)'])(
    'may not name the colour %s',
    (colour) => {
      const style = `p {\n  color: ${colour};\n}\n`;
      const component = source('renderer/ui/Row.svelte', `<p></p>\n<style>\n${style}</style>\n`);
      expect(fileProblems(component)).toHaveLength(1);
      expect(fileProblems(source('renderer/ui/base.css', style))).toHaveLength(1);
      expect(fileProblems(source('renderer/ui/tokens.css', style))).toEqual([]);
    },
  );
});

describe('the import graph', () => {
  it('finds a cycle over several files', () => {
    const cycle = [
      source('a.ts', '', ['b.ts']),
      source('b.ts', '', ['c.ts', 'zod']),
      source('c.ts', '', ['b.ts']),
    ];
    expect(findCycle(cycle)).toEqual(['b.ts', 'c.ts', 'b.ts']);
  });

  it('does not take two paths to one file for a cycle', () => {
    const diamond = [
      source('a.ts', '', ['b.ts', 'c.ts']),
      source('b.ts', '', ['d.ts']),
      source('c.ts', '', ['d.ts']),
      source('d.ts'),
    ];
    expect(findCycle(diamond)).toBeUndefined();
  });

  it('finds feature folders that import each other, even without a cycle of files', () => {
    const layer = { folder: 'core', ignored: ['core/ports.ts'] };
    const oneWay = [
      source('core/outbox/send.ts', '', ['core/drafts/ports.ts', 'core/ports.ts']),
      source('core/drafts/ports.ts'),
      source('core/ports.ts', '', ['core/outbox/send.ts', 'core/drafts/ports.ts']),
    ];
    expect(findFeatureCycle(oneWay, layer)).toBeUndefined();
    const back = source('core/drafts/freeze.ts', '', ['core/marks.ts']);
    const through = source('core/marks.ts', '', ['core/outbox/marks.ts']);
    expect(findFeatureCycle([...oneWay, back, through], layer)).toEqual([
      'core/outbox/send.ts → core/drafts/ports.ts',
      'core/drafts/freeze.ts → core/marks.ts',
      'core/marks.ts → core/outbox/marks.ts',
    ]);
  });
});

it('the repository follows its own import rules', async () => {
  expect(await treeProblems(root)).toEqual([]);
});
