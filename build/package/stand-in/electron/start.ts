/*
 * What the stand-in for Electron's program runs: it unpacks the program beside it and begins it by
 * Node, as Electron begins it by itself. Called with the program's own path and its arguments.
 */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { unpack } from './asar.ts';

const [, , program = '', ...args] = process.argv;
// As in Electron: while it is set, an archive is a file like any other (guard.ts).
Object.assign(process, { noAsar: true });
const { root, app } = unpack(path.join(path.dirname(program), 'resources/app.asar'));
Object.assign(process, { noAsar: false });
process.on('exit', () => rmSync(root, { recursive: true, force: true }));

process.execPath = program;
Object.assign(process, { resourcesPath: path.join(path.dirname(program), 'resources') });
process.argv = [program, ...args];

const electron = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: electron, shortCircuit: true } : next(specifier, context),
});

const { main } = JSON.parse(await readFile(path.join(app, 'package.json'), 'utf8'));
await import(pathToFileURL(path.join(app, main)).href);
