/*
 * This module is loaded before all others in every thread. Inside a program's archive, Electron
 * supports only the `fs` functions in the list below. Other functions treat the archive as a file,
 * and fail.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

const GUARDED_FUNCTIONS = [
  ...['access', 'copyFile', 'lstat', 'open', 'readFile', 'readdir', 'realpath', 'stat'],
  ...['exists', 'createReadStream', 'ReadStream', 'FileReadStream'],
];
/** Functions whose second argument is a file that they create. */
const TWO_PATH_FUNCTIONS = ['copyFile', 'cp', 'link', 'rename', 'symlink'];
const ARCHIVE_PATH_PATTERN = /[/\\]app\.asar(?:[/\\]|$)/;

/** Open flags that would change the archive. */
const WRITE_FLAGS_PATTERN = /[wa+]/;

guardModule(fs, 'fs');
guardModule(fs.promises, 'fs.promises');
syncBuiltinESMExports();

function guardModule(module: object, of: string): void {
  for (const name of Object.keys(module)) {
    const real: unknown = Reflect.get(module, name);
    // Classes and constants do not open files.
    if (typeof real !== 'function' || /^[A-Z_]/.test(name)) continue;
    const kind = name.replace(/Sync$/, '');
    const isKnown = GUARDED_FUNCTIONS.includes(kind);
    const makesOther = TWO_PATH_FUNCTIONS.includes(kind);
    const guarded = function (this: unknown, ...args: unknown[]): unknown {
      const isOff = Reflect.get(process, 'noAsar') === true;
      const [file, other] = args;
      const isAllowed = isInArchive(file) ? isKnown && isReadOnlyCall(kind, args) : true;
      if (!isOff && (!isAllowed || (makesOther && isInArchive(other)))) {
        throw new Error(`Electron's ${of}.${name} knows no archive: ${String(file)}`);
      }
      return Reflect.apply(real, this, args);
    };
    Reflect.set(
      module,
      name,
      Object.defineProperties(guarded, Object.getOwnPropertyDescriptors(real)),
    );
  }
}

function isReadOnlyCall(kind: string, [, flags]: readonly unknown[]): boolean {
  return kind !== 'open' || typeof flags !== 'string' || !WRITE_FLAGS_PATTERN.test(flags);
}

function isInArchive(arg: unknown): boolean {
  if (arg instanceof URL) return arg.protocol === 'file:' && isInArchive(fileURLToPath(arg));
  return typeof arg === 'string' && ARCHIVE_PATH_PATTERN.test(arg);
}
