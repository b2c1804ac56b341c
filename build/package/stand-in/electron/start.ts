/*
 * Main module of the stand-in for Electron's program: unpacks the archive next to it, and starts
 * the program in it with Node as Electron does. Its arguments are the path of the stand-in's
 * program and the arguments of the user.
 */
import { rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { unpack } from './asar.ts';

const [, , program = '', ...args] = process.argv;
// As in Electron, an archive is treated as an ordinary file while `noAsar` is set (guard.ts).
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
