import { type BrowserContext, chromium } from 'playwright-core';
import type { Profile } from './chromium-profile.ts';

/** Where the page lives. `.invalid` never resolves, so nothing is reachable there but our answers. */
export const ORIGIN = 'https://desk.invalid';

export interface WindowOptions {
  readonly headless: boolean;
  /** The Chrome, Edge or Chromium to run. */
  readonly browserPath: string;
  /** Where the browser's own folders are made, one for each run. */
  readonly profilesDir: string;
  /** BCP 47. */
  readonly locale: string;
  /** In pixels; null leaves it to the browser. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/**
 * Starts the browser over a pipe, so that no port is opened, with a window that has no address bar.
 * Nothing is loaded yet.
 */
export function launch(profile: Profile, options: WindowOptions): Promise<BrowserContext> {
  const { headless, browserPath, size } = options;
  return chromium.launchPersistentContext(profile.folder, {
    executablePath: browserPath,
    headless,
    viewport: headless ? size : null,
    args: flags(options),
    // It draws a bar over the page that says the browser is controlled by test software.
    ignoreDefaultArgs: ['--enable-automation'],
    // Chromium refuses to sandbox when it runs as root, and does not start then.
    chromiumSandbox: !isRoot(),
    acceptDownloads: false,
    serviceWorkers: 'block',
    // Grants none, and denies all others without asking.
    permissions: [],
    // The host closes the desk before the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function flags({ size, locale }: WindowOptions): string[] {
  return [
    `--app=${ORIGIN}/`,
    // Native date fields write dates as this language does.
    `--lang=${locale}`,
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--disable-quic',
    '--disk-cache-size=1',
    '--media-cache-size=1',
    '--disable-sync',
    '--no-first-run',
    '--no-pings',
    '--hide-crash-restore-bubble',
    ...(size === null ? [] : [`--window-size=${size.width},${size.height}`]),
  ];
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
