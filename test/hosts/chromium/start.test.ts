import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { languages } from '../../../shared/model/languages.ts';

const MAIN = path.resolve('electron/hosts/chromium/main.ts');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'desk-start-'));
  writeFileSync(path.join(folder, 'chromium'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Starts the window with a browser that ends at once. */
function start(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const options = { env: { PATH: folder, HOME: folder, ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [MAIN, '--data', path.join(folder, 'data'), ...args], options);
}

describe.runIf(process.platform === 'linux')('a window that cannot be shown', () => {
  it('says that there is no screen, and makes no data folder', () => {
    const { status, stderr } = start({});
    expect(status).toBe(2);
    expect(stderr).toMatch(/^signing-desk: There is no screen here .*\n$/);
    expect(existsSync(path.join(folder, 'data'))).toBe(false);
  });

  it('says in one line that the browser does not start', () => {
    const { status, stderr } = start({ DISPLAY: ':77' });
    expect(status).toBe(1);
    const lines = stderr.split('\n').filter((line) => !line.includes('has no sandbox'));
    expect(lines.join('\n')).toMatch(/^signing-desk: The window cannot be opened\. .*\n$/);
  });

  it('is not started by a command', () => {
    const { status, stderr } = start({ DISPLAY: ':77' }, 'sync');
    expect(status).toBe(2);
    expect(stderr).toContain('--data DIR and --lang LANG');
  });

  it('says which languages there are, of one that is not among them', () => {
    const { status, stderr } = start({ DISPLAY: ':77' }, '--lang', 'tlh');
    expect(status).toBe(2);
    expect(stderr).toContain(`--lang takes one of ${languages.join(', ')}.`);
  });
});
