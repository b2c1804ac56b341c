import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openChromium } from '../../../electron/hosts/chromium/host.ts';
import { launchBrowser } from '../../../electron/hosts/chromium/launch.ts';
import { createProfile } from '../../../electron/hosts/chromium/profile.ts';
import { findBrowser } from '../../../electron/hosts/find-browser.ts';

/**
 * Timeout of a start, as in the program (ms): on a busy computer, a start can take more than ten
 * seconds.
 */
const TIMEOUT_MS = 20_000;
const options = { headless: true, locale: 'en-GB', size: null } as const;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-launch-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/**
 * Creates a browser whose first `silent` starts write nothing. Each start adds a line to the file
 * `starts`.
 */
async function browserThatHangs(silent: number): Promise<string> {
  const file = path.join(folder, 'browser.sh');
  const starts = path.join(folder, 'starts');
  const script = `#!/bin/sh
echo one >> '${starts}'
if [ "$(wc -l < '${starts}')" -le ${silent} ]; then exec sleep 600; fi
exec '${findBrowser() ?? ''}' "$@"
`;
  await writeFile(file, script, { mode: 0o700 });
  return file;
}

const startCount = async (): Promise<number> =>
  (await readFile(path.join(folder, 'starts'), 'utf8')).trim().split('\n').length;

describe('a browser that never answers', () => {
  it('is ended, and another one is started instead', async () => {
    const profile = await createProfile(path.join(folder, 'profiles'));
    const browserPath = await browserThatHangs(1);
    const where = { ...options, browserPath, profilesDir: folder };
    const context = await launchBrowser(profile, where, TIMEOUT_MS);
    expect(context.pages()).toHaveLength(1);
    await context.close();
    // There may be more than two starts: on a busy computer, a slow start is ended like a hanging
    // one.
    expect(await startCount()).toBeGreaterThan(1);
  });

  it('is started at most three times, and then reported with the step that did not finish', async () => {
    const profile = await createProfile(path.join(folder, 'profiles'));
    const browserPath = await browserThatHangs(9);
    const where = { ...options, browserPath, profilesDir: folder };
    await expect(launchBrowser(profile, where, 500)).rejects.toThrow('Timeout 500ms exceeded');
    expect(await startCount()).toBe(3);
  });
});

describe('a window whose program cannot be loaded', () => {
  it('is closed, leaves no browser profile, and reports the reason', async () => {
    const profilesDir = path.join(folder, 'profiles');
    const where = { ...options, browserPath: findBrowser() ?? '', profilesDir };
    const noPage = { read: () => Promise.resolve(null) };
    const load = () => Promise.reject(new Error('No data here'));
    await expect(openChromium(load, noPage, where)).rejects.toThrow('No data here');
    expect(await readdir(profilesDir)).toEqual([]);
  });

  it('leaves no browser profile if the browser does not start either', async () => {
    const profilesDir = path.join(folder, 'profiles');
    const where = { ...options, browserPath: path.join(folder, 'none'), profilesDir };
    const noPage = { read: () => Promise.resolve(null) };
    const load = () => Promise.reject(new Error('No data here'));
    await expect(openChromium(load, noPage, where)).rejects.toThrow('none');
    expect(await readdir(profilesDir)).toEqual([]);
  });
});
