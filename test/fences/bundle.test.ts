import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bundleProblems } from '../../build/package/check-bundle.ts';
import { shippedFiles } from '../../build/package/shipped.ts';

const TARGET = { platform: 'linux', arch: 'x64' };
const WORKSPACE = '/home/ada/signing-desk';
const MAIN = 'dist/electron/electron-main.mjs';
const PAGE = 'dist/renderer/index.html';

const COMPLETE: Readonly<Record<string, string>> = {
  'package.json': '{}',
  [PAGE]: '<script type="module" src="./assets/a.js"></script>',
  'dist/renderer/assets/a.js': 'export {};',
  'dist/renderer/licences.md': '',
  'dist/renderer/licences.json': '[]',
  'dist/electron/licences.md': '',
  [MAIN]: "import { app } from 'electron';\nimport fs from 'node:fs';\nimport './chunk.mjs';",
  'dist/electron/chunk.mjs':
    "import Database from 'better-sqlite3';\nnew Worker(new URL(`./pdf-worker.mjs`, import.meta.url));",
  'dist/electron/electron-preload.cjs': "const { ipcRenderer } = require('electron');",
  'dist/electron/cli-main.mjs': "import './chunk.mjs';",
  'dist/electron/pdf-worker.mjs': '',
  'node_modules/better-sqlite3/package.json': '{}',
  'node_modules/better-sqlite3/LICENSE': '',
  'node_modules/better-sqlite3/lib/index.js': '',
  'node_modules/better-sqlite3/prebuilds/linux-x64.node': '',
  'node_modules/keytar/index.js': '',
  ...Object.fromEntries(
    shippedFiles(TARGET)
      .filter((file) =>
        /subset-font|fontverter|wawoff2|harfbuzz|woff2sfnt|pako|limit|yocto/.test(file),
      )
      .map((file) => [`node_modules/${file}`, '']),
  ),
  'node_modules/pdfjs-dist/package.json': '{}',
  'node_modules/pdfjs-dist/LICENSE': '',
  'node_modules/pdfjs-dist/standard_fonts/LICENSE_LIBERATION': '',
  'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf': '',
  'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Bold.ttf': '',
  'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node': '',
};

let app: string;
beforeEach(async () => {
  app = await mkdtemp(path.join(os.tmpdir(), 'signing-desk-bundle-'));
});
afterEach(() => rm(app, { recursive: true }));

async function problemsWith(
  change: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  for (const [file, text] of Object.entries({ ...COMPLETE, ...change })) {
    if (text === undefined) continue;
    await mkdir(path.dirname(path.join(app, file)), { recursive: true });
    await writeFile(path.join(app, file), text);
  }
  return bundleProblems(app, TARGET, WORKSPACE);
}

it('a complete program has no problems', async () => {
  expect(await problemsWith({})).toEqual([]);
});

describe('a program has a problem', () => {
  it.each([
    ['when the page is missing', { [PAGE]: undefined }, 'missing'],
    [
      'when the database’s compiled file is for another system',
      {
        'node_modules/better-sqlite3/prebuilds/linux-x64.node': undefined,
        'node_modules/better-sqlite3/prebuilds/win32-x64.node': '',
      },
      'linux-x64.node is missing',
    ],
    [
      'when the keychain’s package of this system is missing',
      { 'node_modules/@napi-rs/keyring-linux-x64-gnu/keyring.linux-x64-gnu.node': undefined },
      'keyring-linux-x64-gnu is missing',
    ],
    [
      'when a compiled file comes along that nobody asked for',
      { 'node_modules/@napi-rs/canvas/skia.node': '' },
      '3 compiled files',
    ],
    [
      'when the font for filling PDFs is missing',
      { 'node_modules/pdfjs-dist/standard_fonts/LiberationSans-Regular.ttf': undefined },
      'LiberationSans-Regular.ttf is missing',
    ],
    [
      'when what cuts fonts down is missing',
      { 'node_modules/harfbuzzjs': undefined },
      'harfbuzzjs is missing',
    ],
    ['when a source map is shipped', { 'dist/renderer/assets/a.js.map': '{}' }, 'does not belong'],
    [
      'when a source file is shipped',
      { 'electron/core/drafts/handlers.ts': '' },
      'does not belong',
    ],
    [
      'when a file asks for a source map',
      { 'dist/renderer/assets/a.js': '//# sourceMappingURL=a.js.map' },
      'source map',
    ],
    [
      'when a file tells where it was made',
      { 'dist/electron/chunk.mjs': `const at = '${WORKSPACE}/electron';` },
      'folder it was made in',
    ],
    ['when a development tool is imported', { [MAIN]: "import 'vite';" }, 'imports vite'],
    [
      'when a library was left out of the bundle',
      { 'dist/electron/chunk.mjs': "await import('pdf-lib');" },
      'imports pdf-lib',
    ],
    [
      'when the command line needs Electron',
      { 'dist/electron/cli-main.mjs': "import 'electron';" },
      'imports electron',
    ],
    [
      'when the preload requires more than Electron',
      { 'dist/electron/electron-preload.cjs': "require('electron'); require('node:fs');" },
      'imports node:fs',
    ],
    [
      'when a thread is started that was not bundled (HO-8)',
      { 'dist/electron/pdf-worker.mjs': undefined },
      'chunk.mjs starts pdf-worker.mjs',
    ],
    ['when the page runs something inline', { [PAGE]: '<script>run()</script>' }, 'inline'],
    ['when the page styles something inline', { [PAGE]: '<style>p{}</style>' }, 'inline'],
    ['when the page has an inline handler', { [PAGE]: '<body onload="x()">' }, 'inline'],
    [
      'when the page asks for a file that is not there',
      { [PAGE]: '<link rel="icon" href="./icon.svg">' },
      './icon.svg',
    ],
  ])('%s', async (_, change, says) => {
    expect(await problemsWith(change)).toContainEqual(expect.stringContaining(says));
  });
});
