// tier: all
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

/** Starts the window with a browser that ends immediately. */
function start(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const options = { env: { PATH: folder, HOME: folder, ...env }, encoding: 'utf8' } as const;
  return spawnSync(process.execPath, [MAIN, '--data', path.join(folder, 'data'), ...args], options);
}

describe.runIf(process.platform === 'linux')('starting a window that cannot be shown', () => {
  it('reports a missing screen, and creates no data folder', () => {
    const { status, stderr } = start({});
    expect(status).toBe(2);
    expect(stderr).toMatch(/^signing-desk: There is no screen here .*\n$/);
    expect(existsSync(path.join(folder, 'data'))).toBe(false);
  });

  it('reports in one line that the browser does not start', () => {
    const { status, stderr } = start({ DISPLAY: ':77' });
    expect(status).toBe(1);
    const lines = stderr.split('\n').filter((line) => !line.includes('has no sandbox'));
    expect(lines.join('\n')).toMatch(/^signing-desk: The window cannot be opened\. .*\n$/);
  });

  it('reports in one line that the screen does not answer, if the browser finds none', () => {
    const gone = '[9:9:0101/000000.0:ERROR:ozone_platform_x11.cc:257] Missing X server or $DISPLAY';
    writeFileSync(path.join(folder, 'chromium'), `#!/bin/sh\necho '${gone}' >&2\nexit 1\n`);
    expect(start({ DISPLAY: ':77' }).stderr).toMatch(
      /^signing-desk: The window cannot be opened\. The screen :77 does not answer\. .*\n$/m,
    );
  });

  it('repeats the browser’s own error if it ended before its window opened', () => {
    const missing = 'chromium: error while loading shared libraries: libnss3.so';
    writeFileSync(path.join(folder, 'chromium'), `#!/bin/sh\necho '${missing}' >&2\nexit 127\n`);
    expect(start({ DISPLAY: ':77' }).stderr).toContain(
      `${path.join(folder, 'chromium')} ended before its window opened (${missing}).`,
    );
  });

  it('gives advice about a data folder that cannot be created', () => {
    const { status, stderr } = start({ DISPLAY: ':77' }, '--data', '/dev/null/data');
    expect(status).toBe(1);
    expect(stderr).toMatch(/The window cannot be opened\. ENOTDIR.*\. Name a data folder .*--data/);
  });

  it('is refused for a command', () => {
    const { status, stderr } = start({ DISPLAY: ':77' }, 'sync');
    expect(status).toBe(2);
    expect(stderr).toContain('--data DIR and --lang LANG');
  });

  it('lists the languages if an unknown one is named', () => {
    const { status, stderr } = start({ DISPLAY: ':77' }, '--lang', 'tlh');
    expect(status).toBe(2);
    expect(stderr).toContain(`--lang must be one of ${languages.join(', ')}.`);
  });
});
