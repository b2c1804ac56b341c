import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { place } from '../../build/places.ts';
import { mayKeepCode } from '../../electron/hosts/code-cache.ts';

let parent: string;
let folder: string;

beforeEach(() => {
  parent = mkdtempSync(path.join(tmpdir(), 'desk-code-'));
  folder = path.join(parent, 'cache', 'signing-desk');
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (place: string): number => statSync(place).mode & 0o777;

describe.skipIf(process.platform === 'win32')('the folder of compiled code', () => {
  it('is created for its owner only, with any umask (SEC-L9)', () => {
    const before = process.umask(0);
    try {
      expect(mayKeepCode(folder)).toBe(true);
    } finally {
      process.umask(before);
    }
    expect([modeOf(folder), modeOf(path.dirname(folder))]).toEqual([0o700, 0o700]);
  });

  it('is closed to others who could only read it (SEC-L9)', () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o755);
    expect(mayKeepCode(folder)).toBe(true);
    expect(modeOf(folder)).toBe(0o700);
  });

  it.each([0o777, 0o775, 0o702, 0o720])(
    'is not used if others could write there: %o (SEC-L9)',
    (mode) => {
      mkdirSync(folder, { recursive: true });
      chmodSync(folder, mode);
      expect(mayKeepCode(folder)).toBe(false);
    },
  );

  it('keeps compiled code for the next start (SEC-L9)', () => {
    const code = [
      `import { keepCompiledCode } from ${JSON.stringify(place('electron/hosts/code-cache.ts'))};`,
      'keepCompiledCode();',
      `await import(${JSON.stringify(place('shared/errors.ts'))});`,
    ];
    const { NODE_COMPILE_CACHE: _, ...others } = process.env;
    const env = Object.assign(others, { HOME: parent, XDG_CACHE_HOME: parent });
    execFileSync(process.execPath, ['--input-type=module', '-e', code.join('\n')], { env });
    const kept = readdirSync(parent, { recursive: true, withFileTypes: true });
    expect(kept.filter((entry) => entry.isFile()).length).toBeGreaterThan(0);
  });

  it('is refused if it is a link or a file (SEC-L9)', () => {
    const other = path.join(parent, 'other');
    mkdirSync(other, { mode: 0o700 });
    mkdirSync(path.dirname(folder));
    symlinkSync(other, folder);
    expect(mayKeepCode(folder)).toBe(false);
    expect(mayKeepCode('/dev/null')).toBe(false);
  });
});
