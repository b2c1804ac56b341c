import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BrowserContext, chromium } from 'playwright-core';

/** Where the page lives. `.invalid` never resolves, so nothing is reachable there but our answers. */
export const ORIGIN = 'https://desk.invalid';

export interface WindowOptions {
  readonly headless: boolean;
  /** The Chrome, Edge or Chromium to run. */
  readonly browserPath: string;
  /** The browser's own folder; nothing personal comes to lie in it. */
  readonly profileDir: string;
  /** In pixels; null lets the browser put its window where it was. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/**
 * What a person types into a page can be kept by the browser in four places; all are off.
 * The desk keeps it encrypted instead.
 */
const PREFERENCES = {
  autofill: { profile_enabled: false, credit_card_enabled: false },
  credentials_enable_service: false,
  browser: { enable_spellchecking: false },
  translate: { enabled: false },
} as const;

/**
 * Starts the browser over a pipe, so that no port is opened, with a window that has no address bar.
 * Nothing is loaded yet.
 */
export async function launch(options: WindowOptions): Promise<BrowserContext> {
  const { headless, browserPath, profileDir, size } = options;
  await writePreferences(profileDir);
  return chromium.launchPersistentContext(profileDir, {
    executablePath: browserPath,
    headless,
    viewport: headless ? size : null,
    args: flags(size),
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

function flags(size: WindowOptions['size']): string[] {
  return [
    `--app=${ORIGIN}/`,
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

/** The browser keeps its own settings in the same file: ours are laid over them. */
async function writePreferences(profileDir: string): Promise<void> {
  const file = path.join(profileDir, 'Default', 'Preferences');
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, JSON.stringify({ ...(await readPreferences(file)), ...PREFERENCES }));
}

async function readPreferences(file: string): Promise<object> {
  try {
    const found: unknown = JSON.parse(await readFile(file, 'utf8'));
    return typeof found === 'object' && found !== null ? found : {};
  } catch (cause) {
    const isMissing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    // A file cut short by a crash holds no more than the browser's settings: it starts afresh.
    if (isMissing || cause instanceof SyntaxError) return {};
    throw cause;
  }
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
