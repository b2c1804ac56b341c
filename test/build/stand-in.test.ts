import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { strict, StrictEmitter } from '../../build/package/stand-in/electron/strict.ts';
import { missingPackages } from '../../build/package/stand-in/stand-in.ts';
import { commandSwitches } from '../../electron/hosts/window-start.ts';
import { place } from '../../build/places.ts';
import { findProgram } from '../../electron/hosts/find-browser.ts';

const GUARD = pathToFileURL(place('build/package/stand-in/electron/guard.ts')).href;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'stand-in-test-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

/**
 * Runs a line of JavaScript behind the guard of archives, with a folder that represents an archive.
 */
function guarded(line: string): { readonly status: number | null; readonly stderr: string } {
  const archive = path.join(folder, 'app.asar');
  mkdirSync(archive);
  writeFileSync(path.join(archive, 'a.txt'), 'in the archive');
  const inside = path.join(archive, 'a.txt');
  const address = pathToFileURL(inside).href;
  const files = { archive, inside, address, outside: path.join(folder, 'b') };
  const code = `const { archive, inside, address, outside } = ${JSON.stringify(files)}; ${line}`;
  const imports = ['--import', GUARD, '--input-type=module', '--eval'];
  return spawnSync(process.execPath, [...imports, code], { encoding: 'utf8' });
}

describe('a packaged archive', () => {
  it.each([
    ['read a file', "import { readFileSync } from 'node:fs'; readFileSync(inside);"],
    [
      'read a file by its address',
      "import { readFile } from 'node:fs/promises'; await readFile(new URL(address));",
    ],
    ['open a file', "import fs from 'node:fs'; fs.openSync(inside, 'r');"],
    ['copy a file out', "import fs from 'node:fs'; fs.copyFileSync(inside, outside);"],
  ])('lets Electron %s', (_, line) => {
    expect(guarded(line)).toMatchObject({ status: 0, stderr: '' });
  });

  it.each([
    ['open a folder', "import { opendirSync } from 'node:fs'; opendirSync(archive);"],
    ['copy a folder', "import { cp } from 'node:fs/promises'; await cp(archive, outside);"],
    ['write a file', "import fs from 'node:fs'; fs.writeFileSync(inside, '');"],
    ['open a file for more', "import fs from 'node:fs'; fs.openSync(inside, 'a');"],
    ['move a file in', "import fs from 'node:fs'; fs.renameSync(outside, inside);"],
    ['copy a file in', "import fs from 'node:fs'; fs.copyFileSync(outside, inside);"],
  ])('does not let Electron %s', (_, line) => {
    const { status, stderr } = guarded(line);
    expect(status).toBe(1);
    expect(stderr).toContain('knows no archive');
  });
});

describe('the stand-in for Electron', () => {
  it('has its listed parts, and refuses the others', async () => {
    const window = strict('window', { show: () => 'shown' });
    expect(window.show()).toBe('shown');
    expect(() => Reflect.get(window, 'hide')).toThrow('no window.hide');
    // An `await` looks for a part `then`, which is not reported as missing.
    expect(await Promise.resolve(window)).toBe(window);
  });

  it('emits the events that it supports, and refuses others', () => {
    const app = strict('app', new StrictEmitter('app', ['login']));
    const heard: string[] = [];
    app.on('login', (name) => heard.push(String(name)));
    app.emit('login', 'Ada');
    expect(heard).toEqual(['Ada']);
    expect(() => app.on('logout', () => undefined)).toThrow('no event app: logout');
  });

  it('is built with Debian’s programs, and names their missing packages', () => {
    vi.stubEnv('PATH', folder);
    expect(missingPackages()).toEqual(['dpkg', 'binutils', 'squashfs-tools', 'desktop-file-utils']);
  });

  it.skipIf(process.platform === 'win32')(
    'names the Node version it needs if it finds none',
    () => {
      for (const name of ['cat', 'dirname', 'id', 'readlink']) {
        symlinkSync(findProgram(name) ?? '', path.join(folder, name));
      }
      const program = path.join(folder, 'signing-desk');
      cpSync(place('build/package/stand-in/electron/program.sh'), program);
      mkdirSync(path.join(folder, 'stand-in'));
      writeFileSync(path.join(folder, 'stand-in/node'), '/nowhere/node');
      const args = [program, ...commandSwitches('linux', 0)];
      const ended = spawnSync('/bin/sh', args, { encoding: 'utf8', env: { PATH: folder } });
      expect(ended).toMatchObject({ status: 1, stdout: '' });
      expect(ended.stderr).toContain('needs Node 24');
    },
  );
});
