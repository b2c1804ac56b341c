// tier: quick, 20 s, because no other quick test proves that a page starts no program
import { createSocket, type Socket } from 'node:dgram';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAssets } from '../../../electron/hosts/page/assets.ts';
import { type ChromiumWindow, openChromium } from '../../../electron/hosts/chromium/host.ts';
import { ORIGIN } from '../../../electron/hosts/chromium/launch.ts';
import { findBrowser } from '../../../electron/hosts/find-browser.ts';

/** These tests let the page try to leave its limits, in the real browser. */

const browserPath = findBrowser();
if (browserPath === undefined) throw new Error('No Chromium is installed');

/** Names of programs that Chromium starts on Linux to open addresses for other programs. */
const OPENERS = ['xdg-open', 'gio', 'kde-open', 'exo-open', 'gnome-open'];

/** Addresses that the browser handles itself, and rejects without leaving the page. */
const HANDLED_INSIDE = /^(?:file|view-source|chrome|javascript):/;

const { PATH } = process.env;
let folder: string;
let opened: string;
let shown: ChromiumWindow;
let page: Page;

const desk = {
  handlers: {} as never,
  toFailure: () => ({ code: 'unexpected', message: 'No handler' }) as const,
  setEmit: () => undefined,
  serveBytes: () => Promise.resolve(null),
  acceptBytes: () => '00000000-0000-4000-8000-000000000001',
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-asks-'));
  opened = path.join(folder, 'opened');
  await writeFile(opened, '');
  const programs = path.join(folder, 'bin');
  await mkdir(programs);
  for (const name of OPENERS) {
    const program = path.join(programs, name);
    await writeFile(program, `#!/bin/sh\necho "$0 $@" >> '${opened}'\n`);
    await chmod(program, 0o755);
  }
  process.env['PATH'] = `${programs}:${PATH ?? ''}`;
  const assets = path.join(folder, 'renderer');
  await mkdir(assets);
  await writeFile(path.join(assets, 'index.html'), '<!doctype html><title>Desk</title><p>Desk');
  shown = await openChromium(async () => desk, createAssets(assets), {
    headless: true,
    locale: 'en-GB',
    browserPath,
    profilesDir: path.join(folder, 'chromium'),
    size: { width: 1280, height: 800 },
  });
  page = shown.page;
  await shown.show();
});

afterAll(async () => {
  process.env['PATH'] = PATH;
  await shown.close();
  await shown.closed;
  await rm(folder, { recursive: true, force: true });
});

/** Waits until our page is loaded and idle again after an attempt. */
async function backHome(): Promise<void> {
  await expect.poll(() => page.url()).toBe(`${ORIGIN}/`);
  await expect.poll(() => page.title().catch(() => '')).toBe('Desk');
}

describe.runIf(process.platform === 'linux')('the page starts no other program with', () => {
  it.each([
    'mailto:ada@example.com?body=secret',
    'tel:112',
    'sms:112',
    'news:x',
    'magnet:?xt=x',
    'ms-msdt:/id',
    'signing-desk://x',
    'ftp://example.com/x',
    'file:///etc/passwd',
    'view-source:https://example.com',
    'chrome://settings',
    'javascript:void(document.title="evil")',
  ])('%s, by script, link, new window or frame (SEC-L4)', async (address) => {
    // The test waits for the browser's own error page; an address handed to another program would
    // not show it.
    const refusal = page.waitForEvent('framenavigated', (frame) =>
      frame.url().startsWith('chrome-error:'),
    );
    await page.evaluate((to) => void (location.href = to), address).catch(() => undefined);
    if (!HANDLED_INSIDE.test(address)) await refusal;
    else refusal.catch(() => undefined);
    await backHome();
    await page
      .evaluate((to) => {
        const link = document.createElement('a');
        link.href = to;
        document.body.append(link);
        link.click();
        link.remove();
      }, address)
      .catch(() => undefined);
    await backHome();
    await page.evaluate((to) => void window.open(to), address).catch(() => undefined);
    await expect.poll(() => page.context().pages()).toEqual([page]);
    await page
      .evaluate((to) => {
        const frame = document.createElement('iframe');
        frame.src = to;
        document.body.append(frame);
      }, address)
      .catch(() => undefined);
    // The browser works in order: once this page is loaded, all earlier attempts have ended.
    await page.goto(`${ORIGIN}/`).catch(() => undefined);
    await backHome();
    expect(await readFile(opened, 'utf8')).toBe('');
  });
});

describe('the page sends no traffic outside the computer', () => {
  let udp: Socket;
  let tcp: Server;
  let arrived = 0;
  const portOf = (listener: Socket | Server): number => {
    const address = listener.address();
    if (typeof address !== 'object' || address === null) throw new Error('no port');
    return address.port;
  };

  beforeAll(async () => {
    udp = createSocket('udp4').on('message', () => (arrived += 1));
    tcp = createServer((socket) => {
      arrived += 1;
      socket.on('error', () => undefined).end();
    });
    await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
    await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => {
    udp.close();
    tcp.close();
  });

  it('through WebRTC, over UDP or TCP (SEC-M4)', async () => {
    const state = await page.evaluate(
      async ({ udpPort, tcpPort }) => {
        const secret = { username: 'a', credential: 'b' };
        const peer = new RTCPeerConnection({
          iceServers: [
            { urls: `stun:127.0.0.1:${udpPort}` },
            { urls: `turn:127.0.0.1:${udpPort}?transport=udp`, ...secret },
            { urls: `turn:127.0.0.1:${tcpPort}?transport=tcp`, ...secret },
            { urls: `turns:127.0.0.1:${tcpPort}?transport=tcp`, ...secret },
          ],
        });
        const gathered = new Promise<string>((resolve) => {
          peer.addEventListener('icegatheringstatechange', () => {
            if (peer.iceGatheringState === 'complete') resolve('complete');
          });
        });
        peer.createDataChannel('x');
        await peer.setLocalDescription(await peer.createOffer());
        return gathered;
      },
      { udpPort: portOf(udp), tcpPort: portOf(tcp) },
    );
    expect(state).toBe('complete');
    expect(arrived).toBe(0);
  });

  it('with any kind of request (SEC-M4)', async () => {
    const ends = await page.evaluate(async (port) => {
      const host = `127.0.0.1:${port}`;
      const element = (name: string, key: string, url: string) =>
        new Promise<string>((resolve) => {
          const made = document.createElement(name);
          made.addEventListener('load', () => resolve('loaded'));
          made.addEventListener('error', () => resolve('refused'));
          Object.assign(made, { rel: 'stylesheet', [key]: url });
          document.head.append(made);
        });
      const events = (target: EventTarget) =>
        new Promise<string>((resolve) => {
          target.addEventListener('open', () => resolve('opened'));
          target.addEventListener('error', () => resolve('refused'));
          target.addEventListener('close', () => resolve('refused'));
        });
      const refused = async (make: () => Promise<string> | EventTarget) => {
        try {
          const made = make();
          return await (made instanceof EventTarget ? events(made) : made);
        } catch {
          return 'refused';
        }
      };
      navigator.sendBeacon(`http://${host}/`, 'x');
      return Promise.all([
        refused(() => fetch(`http://${host}/`, { mode: 'no-cors' }).then(() => 'loaded')),
        refused(() => fetch('/index.html', { method: 'PUT' }).then(({ status }) => `${status}`)),
        refused(() => element('img', 'src', `http://${host}/a.png`)),
        refused(() => element('script', 'src', `http://${host}/a.js`)),
        refused(() => element('link', 'href', `http://${host}/a.css`)),
        refused(() => element('video', 'src', `http://${host}/a.mp4`)),
        refused(() => new WebSocket(`ws://${host}/`)),
        refused(() => new EventSource(`http://${host}/`)),
        refused(async () => {
          const transport = new WebTransport(`https://${host}/`);
          await transport.ready;
          return 'opened';
        }),
        refused(() => Promise.resolve(new Worker(`http://${host}/a.js`)).then(events)),
        refused(async () => {
          await navigator.serviceWorker.register('/a.js');
          const [registered] = await navigator.serviceWorker.getRegistrations();
          return registered === undefined ? 'refused' : 'registered';
        }),
      ]);
    }, portOf(tcp));
    expect(ends.filter((end) => end !== 'refused')).toEqual([]);
    expect(arrived).toBe(0);
  });
});

describe('the page has no permission', () => {
  it('under any name that the browser knows (SEC-M4)', async () => {
    const states = await page.evaluate(async () => {
      const names = [
        ...['accelerometer', 'background-fetch', 'background-sync', 'camera'],
        ...['captured-surface-control', 'clipboard-read', 'clipboard-write', 'display-capture'],
        ...['geolocation', 'gyroscope', 'idle-detection', 'keyboard-lock', 'local-fonts'],
        ...['local-network-access', 'magnetometer', 'microphone', 'midi', 'notifications'],
        ...['payment-handler', 'periodic-background-sync', 'persistent-storage', 'pointer-lock'],
        ...['push', 'screen-wake-lock', 'storage-access', 'window-management'],
        // These names are known only to other versions of the browser.
        ...['ambient-light-sensor', 'bluetooth', 'hid', 'nfc', 'serial', 'speaker-selection'],
        ...['system-wake-lock', 'usb', 'web-printing', 'smart-card', 'ar', 'vr', 'hand-tracking'],
      ];
      const asked = names.map(async (name) => {
        const descriptor = { name, sysex: true, userVisibleOnly: true };
        const query = navigator.permissions.query(descriptor as never);
        const state = await query.then(
          (status) => status.state,
          () => 'not known',
        );
        return [name, state] as const;
      });
      return Promise.all(asked);
    });
    const known = states.filter(([, state]) => state !== 'not known');
    expect(known.length).toBeGreaterThan(15);
    // For storage access, the specification reports a denial as `prompt`, so that a page cannot
    // detect it. This permission is only for frames of other origins, and this page has no frame of
    // another origin.
    const refused = ([name, state]: readonly [string, string]) =>
      state === (name === 'storage-access' ? 'prompt' : 'denied');
    expect(known.filter((one) => !refused(one))).toEqual([]);
  });

  it('to use a device, the screen, a credential or a folder, even if it requests one (SEC-M4)', async () => {
    const ends = await page.evaluate(async () => {
      type Asked = (...args: unknown[]) => Promise<unknown>;
      const on = (name: string, method: string, ...args: unknown[]): Promise<unknown> => {
        const found = Reflect.get(navigator, name) as Record<string, Asked>;
        return found[method]?.(...args) ?? Promise.reject(new Error('not known'));
      };
      const ask: Record<string, () => Promise<unknown>> = {
        usb: () => on('usb', 'requestDevice', { filters: [] }),
        'usb list': () => on('usb', 'getDevices'),
        hid: () => on('hid', 'requestDevice', { filters: [] }),
        serial: () => on('serial', 'requestPort'),
        bluetooth: () => on('bluetooth', 'requestDevice', { acceptAllDevices: true }),
        midi: () => navigator.requestMIDIAccess({ sysex: true }),
        display: () => on('mediaDevices', 'getDisplayMedia'),
        camera: () => on('mediaDevices', 'getUserMedia', { video: true }),
        microphone: () => on('mediaDevices', 'getUserMedia', { audio: true }),
        certificate: () =>
          on('credentials', 'get', { publicKey: { challenge: new Uint8Array(8) } }),
        password: () => on('credentials', 'get', { password: true }).then(orNothing),
        'wake lock': () => on('wakeLock', 'request', 'screen'),
        fonts: () => (Reflect.get(window, 'queryLocalFonts') as Asked)(),
        folder: () => (Reflect.get(window, 'showDirectoryPicker') as Asked)(),
        position: () =>
          new Promise((resolve, reject) =>
            navigator.geolocation.getCurrentPosition(resolve, reject),
          ),
        notification: () =>
          Notification.requestPermission().then((state) => orNothing(state === 'granted' || null)),
        clipboard: () => on('clipboard', 'readText'),
        fullscreen: () => document.documentElement.requestFullscreen(),
      };
      function orNothing(value: unknown): unknown {
        if (value === null) throw new Error('nothing');
        return value;
      }
      const asked = Object.entries(ask).map(async ([name, make]) => {
        try {
          await make();
          return `${name} was given`;
        } catch {
          return null;
        }
      });
      return (await Promise.all(asked)).filter((end) => end !== null);
    });
    expect(ends).toEqual([]);
  });
});

it('a download that the program did not offer is cancelled (SEC-M4)', async () => {
  await page.evaluate(() => {
    const link = document.createElement('a');
    Object.assign(link, { href: '/index.html', download: 'x.desktop' });
    link.click();
  });
  const download = await page.waitForEvent('download', { timeout: 3000 }).catch(() => null);
  expect(await download?.failure()).not.toBeNull();
});
