import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssets } from '../../../electron/hosts/page/assets.ts';
import { type ChromiumWindow, openChromium } from '../../../electron/hosts/chromium/host.ts';
import { ORIGIN } from '../../../electron/hosts/chromium/launch.ts';
import { findBrowser } from '../../../electron/hosts/find-browser.ts';
import type { Emit } from '../../../shared/contract/index.ts';

const browserPath = findBrowser();
if (browserPath === undefined) throw new Error('No Chromium is installed');

const taken: Uint8Array[] = [];
let emit: Emit = () => undefined;
let folder: string;
let profiles: string;
let shown: ChromiumWindow;
let page: Page;

/** A core without handlers: these tests are about the window around it. */
const desk = {
  handlers: {} as never,
  toFailure: () => ({ code: 'unexpected', message: 'No handler' }) as const,
  setEmit: (next: Emit) => {
    emit = next;
  },
  serveBytes: (asked: string) =>
    Promise.resolve(
      asked === '/bytes/out/1' ? { type: 'application/pdf', data: Buffer.from('%PDF-') } : null,
    ),
  acceptBytes: (data: Uint8Array) => {
    taken.push(data);
    return '00000000-0000-4000-8000-000000000001';
  },
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-window-'));
  const assets = path.join(folder, 'renderer');
  await mkdir(assets);
  await writeFile(
    path.join(assets, 'index.html'),
    '<!doctype html><title>Desk</title><script src="./a.js"></script>',
  );
  await writeFile(
    path.join(assets, 'a.js'),
    `window.heard = [];
    window.desk.onMessage((message) => window.heard.push(JSON.parse(message)));
    try { new Function('return 1')(); } catch (error) { window.evaluated = error.name; }`,
  );
  profiles = path.join(folder, 'chromium');
  await mkdir(path.join(profiles, '999999999-left-behind'), { recursive: true });
  const options = {
    headless: true,
    locale: 'en-GB',
    browserPath,
    profilesDir: profiles,
    size: { width: 1280, height: 800 },
  };
  shown = await openChromium(async () => desk, createAssets(assets), options);
  page = shown.page;
  await shown.show();
});

afterAll(async () => {
  await shown.close();
  await shown.closed;
  await rm(folder, { recursive: true, force: true });
});

/**
 * Returns the arguments of every process of our browser; helper processes have fewer arguments than
 * the main process.
 */
async function browserArguments(): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const line = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '');
    // The command line of a process that renamed itself has spaces instead of NUL bytes.
    const words = line.split(/[\0 ]/);
    if (words.some((word) => word.includes(profiles))) found.push(...words);
  }
  return found;
}

/** Clicks a download link, as a script in the page would. */
async function clickDownload(address: string): Promise<void> {
  await page.evaluate((href) => {
    const link = document.createElement('a');
    Object.assign(link, { href, download: 'x.pdf' });
    link.click();
  }, address);
}

describe('the Chromium window', () => {
  it.runIf(process.platform === 'linux')(
    'is controlled through a pipe, without an open port',
    async () => {
      const words = await browserArguments();
      expect(words).toContain('--remote-debugging-pipe');
      expect(words.filter((word) => word.startsWith('--remote-debugging-port'))).toEqual([]);
    },
  );

  it.runIf(process.platform === 'linux')(
    'starts without test-only arguments, and without its sandbox only as root (SEC-L11)',
    async () => {
      const words = await browserArguments();
      for (const unwanted of [
        '--enable-automation',
        '--disable-popup-blocking',
        '--unsafely-disable-devtools-self-xss-warnings',
        '--disable-web-security',
        '--ignore-certificate-errors',
        '--allow-running-insecure-content',
      ]) {
        expect(words).not.toContain(unwanted);
      }
      expect(words).toContain('--webrtc-ip-handling-policy=disable_non_proxied_udp');
      expect(words.includes('--no-sandbox')).toBe(process.getuid?.() === 0);
    },
  );

  it('loads the page under its content security policy', async () => {
    expect(page.url()).toBe(`${ORIGIN}/`);
    expect(await page.title()).toBe('Desk');
    expect(await page.evaluate(() => Reflect.get(window, 'evaluated'))).toBe('EvalError');
  });

  it('gives the page no functions of the program except post and onMessage', async () => {
    const names = await page.evaluate(() => Object.keys(window.desk));
    expect(names).toEqual(['post', 'onMessage']);
    expect(await page.evaluate(() => typeof Reflect.get(window, '__deskPost'))).toBe('undefined');
  });

  it('gives a frame no access to the program', async () => {
    const attached = page.waitForEvent('frameattached');
    await page.evaluate(() => document.body.append(document.createElement('iframe')));
    const frame = await attached;
    const found = await frame.evaluate(() => [
      typeof window.desk,
      typeof Reflect.get(window, '__deskPost'),
      typeof Reflect.get(window, '__deskDeliver'),
    ]);
    expect(found).toEqual(['undefined', 'undefined', 'undefined']);
  });

  it('lets no request leave this computer', async () => {
    const reached = await page.evaluate(
      async (addresses) => {
        const tries = addresses.map((address) => fetch(address, { mode: 'no-cors' }));
        const ends = await Promise.allSettled(tries);
        return ends.map(({ status }) => status);
      },
      ['https://example.com/', 'http://127.0.0.1:9/', 'https://other.invalid/a.js'],
    );
    expect(reached).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it.each(['https://example.com/', 'https://desk.invalid.example.com/'])(
    'refuses to navigate to %s',
    async (address) => {
      const refused = page.waitForEvent('requestfailed', (request) => request.url() === address);
      await page.evaluate((to) => void (location.href = to), address);
      await refused;
      expect(page.url()).toBe(`${ORIGIN}/`);
      expect(await page.title()).toBe('Desk');
    },
  );

  it('returns to the page if the page navigates to about:blank, which sends no request', async () => {
    const back = page.waitForEvent('framenavigated', (frame) => frame.url() === `${ORIGIN}/`);
    await page.evaluate(() => void (location.href = 'about:blank'));
    await back;
    expect(await page.title()).toBe('Desk');
  });

  it('opens no second window', async () => {
    const opened = page.context().waitForEvent('page');
    await page.evaluate(() => void window.open('about:blank'));
    const other = await opened;
    if (!other.isClosed()) await other.waitForEvent('close');
    expect(page.context().pages()).toEqual([page]);
  });

  it.each(['/bytes/out/1', 'data:application/pdf,x'])(
    'saves no download that the page starts: %s',
    async (address) => {
      const begun = page.waitForEvent('download');
      await clickDownload(address);
      expect(await (await begun).failure()).not.toBeNull();
      expect(await page.title()).toBe('Desk');
    },
  );

  it('sends no request for a download to another server', async () => {
    const address = 'https://example.com/x.pdf';
    const refused = page.waitForEvent('requestfailed', (request) => request.url() === address);
    await clickDownload(address);
    await refused;
    expect(page.url()).toBe(`${ORIGIN}/`);
  });

  it('denies every permission without a question', async () => {
    const states = await page.evaluate(async () => {
      const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read'];
      const asked = names.map((name) =>
        navigator.permissions.query({ name: name as PermissionName }),
      );
      return (await Promise.all(asked)).map(({ state }) => state);
    });
    expect(new Set(states)).toEqual(new Set(['denied']));
  });

  it('answers 404 for unknown paths', async () => {
    const statuses = await page.evaluate(async () => {
      const asked = ['/no.js', '/bytes/out/2', '/%2e%2e/package.json', '/a.js/', '/index.html%00'];
      return Promise.all(asked.map(async (one) => (await fetch(one)).status));
    });
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
  });

  it('receives the bytes of a real file, and returns bytes', async () => {
    const size = 3_000_000;
    const answer = await page.evaluate(async (bytes) => {
      const body = new File([new Uint8Array(bytes).fill(7)], 'a.pdf');
      const sent = await fetch('/bytes/in', { method: 'POST', body });
      const got = await fetch('/bytes/out/1');
      return [await sent.json(), got.headers.get('content-type'), await got.text()] as const;
    }, size);
    expect(answer).toEqual([
      { id: '00000000-0000-4000-8000-000000000001' },
      'application/pdf',
      '%PDF-',
    ]);
    expect(taken.at(-1)?.length).toBe(size);
    expect(taken.at(-1)?.at(-1)).toBe(7);
  });

  it('delivers events in the order of their sending', async () => {
    const ids = Array.from(
      { length: 500 },
      (_, at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    );
    await page.evaluate(() => Reflect.set(window, 'heard', []));
    for (const id of ids) emit('jobs.changed', { jobId: id as never });
    await page.waitForFunction(
      (count) => (Reflect.get(window, 'heard') as unknown[]).length === count,
      ids.length,
    );
    const received = await page.evaluate(() => JSON.stringify(Reflect.get(window, 'heard')));
    expect(received.match(/00000000-0000-4000-8000-\d{12}/g)).toEqual(ids);
  });

  it('removes the files that an earlier browser left', async () => {
    expect(await readdir(profiles)).toEqual([expect.stringMatching(`^${String(process.pid)}-`)]);
  });

  it('turns off the browser’s memory of typed text', async () => {
    const [profile = ''] = await readdir(profiles);
    const file = path.join(profiles, profile, 'Default', 'Preferences');
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      autofill: { profile_enabled: false, credit_card_enabled: false },
      credentials_enable_service: false,
    });
  });

  it('leaves no files of the browser behind', async () => {
    await shown.close();
    await shown.closed;
    expect(await readdir(profiles)).toEqual([]);
  });
});
