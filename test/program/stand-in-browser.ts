/*
 * The browser of the stand-in for Electron, which loads this file by its path. A real Chromium
 * renders the packaged page, and the packaged main process answers the page's requests.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type BrowserContext,
  chromium,
  type Frame as BrowserFrame,
  type Page as BrowserPage,
  type Route,
} from 'playwright';
import type {
  Frame,
  MenuPlace,
  Page,
  PageSetup,
} from '../../build/package/stand-in/electron/browser.ts';
import { findBrowser } from '../../electron/hosts/find-browser.ts';
import { installPreload } from './stand-in-preload.ts';

/**
 * Origin that replaces the private scheme, which a browser does not know. It is an origin of its
 * own, and is secure.
 */
const WEB = 'https://stand-in.invalid';

/** Opens a page; prints the browser's debugging address in Chromium's format. */
export async function openPage(setup: PageSetup): Promise<Page> {
  const profile = await mkdtemp(path.join(tmpdir(), 'stand-in-browser-'));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: findBrowser() ?? '',
    viewport: { width: setup.width, height: setup.height },
    chromiumSandbox: process.getuid?.() !== 0,
    args: process.argv.filter((arg) => arg.startsWith('--remote-debugging-port=')),
    serviceWorkers: 'block',
    handleSIGINT: false,
    handleSIGTERM: false,
  });
  const page = context.pages()[0] ?? (await context.newPage());
  const frames = new Map<BrowserFrame, Frame>();
  const frameOf = (frame: BrowserFrame | null): Frame | null => {
    if (frame === null) return null;
    const known = frames.get(frame) ?? {
      get url() {
        return frame.url().replace(WEB, setup.origin);
      },
      parent: frameOf(frame.parentFrame()),
    };
    frames.set(frame, known);
    return known;
  };
  const mainFrame = frameOf(page.mainFrame());
  if (mainFrame === null) throw new Error('a page has a frame');
  await context.route('**/*', (route) => answer(route, setup));
  await listen(context, setup, frameOf);
  const [port = '', id = ''] = (
    await readFile(path.join(profile, 'DevToolsActivePort'), 'utf8')
  ).split('\n');
  process.stderr.write(`DevTools listening on ws://127.0.0.1:${port}${id}\n`);
  return {
    mainFrame,
    load: async (url) => void (await page.goto(url.replace(setup.origin, WEB))),
    send: sendInOrder(page),
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function listen(
  context: BrowserContext,
  setup: PageSetup,
  frameOf: (frame: BrowserFrame) => Frame | null,
): Promise<void> {
  await context.exposeBinding('__send', ({ frame }, channel: string, args: unknown[]) =>
    setup.receive(channel, frameOf(frame), args),
  );
  await context.exposeBinding('__menu', (_source, place: MenuPlace) => setup.openMenu(place));
  // The text of the packaged preload script is put into this script unchanged. It is outside of the
  // function, so it has no access to the function's variables.
  await context.addInitScript({
    content: `(${installPreload.toString()})((require, module, exports, process, global, Buffer) => {
      'use strict';
      ${setup.preload}
    });`,
  });
}

async function answer(route: Route, setup: PageSetup): Promise<void> {
  const asked = route.request();
  if (!asked.url().startsWith(`${WEB}/`)) return route.abort('aborted');
  const body = asked.postDataBuffer();
  const request = new Request(WEB, {
    method: asked.method(),
    headers: asked.headers(),
    body: body === null ? null : new Uint8Array(body),
  });
  // The URL is set afterwards, because Node's own Request rejects a private scheme.
  Object.defineProperty(request, 'url', { value: asked.url().replace(WEB, setup.origin) });
  const response = await setup.answer(request);
  if (response === null) return route.abort('aborted');
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
}

function sendInOrder(page: BrowserPage): Page['send'] {
  let last: Promise<unknown> = Promise.resolve();
  return (channel, args) => {
    last = last
      .then(() => page.evaluate(([to, all]) => window.__receive(to, all), [channel, args] as const))
      // Messages to a page that is closing are lost without an error.
      .catch(() => undefined);
  };
}
