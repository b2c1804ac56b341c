import { type BrowserContext, chromium, errors } from 'playwright';
import type { Profile } from './profile.ts';

/**
 * Address of the page. `.invalid` never resolves, so only answers of this program can be reached at
 * it.
 */
export const ORIGIN = 'https://desk.invalid';

export interface WindowOptions {
  readonly headless: boolean;
  /** Path of the Chrome, Edge or Chromium to run. */
  readonly browserPath: string;
  /** Folder in which each run creates a browser profile of its own. */
  readonly profilesDir: string;
  /** Language as a BCP 47 tag. */
  readonly locale: string;
  /** Size in pixels; null leaves the size to the browser. */
  readonly size: { readonly width: number; readonly height: number } | null;
}

/**
 * Timeout of the browser's first answer, in milliseconds; a browser that exceeds it never answers.
 */
const BROWSER_START_TIMEOUT_MS = 20_000;
const MAX_LAUNCH_ATTEMPTS = 3;

/**
 * Starts the browser over a pipe, so that no port is opened, in a window without an address bar.
 * Loads no page yet. On a busy computer about one start in thirty never answers, because the
 * window's first page appears while playwright inspects it. That browser is ended, and another one
 * is started.
 */
export async function launchBrowser(
  profile: Profile,
  options: WindowOptions,
  patience = BROWSER_START_TIMEOUT_MS,
): Promise<BrowserContext> {
  for (let left = MAX_LAUNCH_ATTEMPTS - 1; ; left -= 1) {
    try {
      return await launchOnce(profile, options, patience);
    } catch (error) {
      if (left === 0 || !(error instanceof errors.TimeoutError)) throw error;
    }
  }
}

/**
 * Flags of playwright that are meant for tests and that a user's window must not have. Two of its
 * other flags look as bad but stay: `--password-store=basic` and `--use-mock-keychain`. They keep
 * the browser from requesting a key from the system's credential store, for a profile that contains
 * no password and is removed at the end of the run.
 */
const UNWANTED_SWITCHES = [
  // This flag shows a bar over the page with the text that test software controls the browser.
  '--enable-automation',
  '--disable-popup-blocking',
  // The developer tools must warn users who are talked into pasting code.
  '--unsafely-disable-devtools-self-xss-warnings',
];

function launchOnce(
  profile: Profile,
  options: WindowOptions,
  timeout: number,
): Promise<BrowserContext> {
  const { headless, browserPath, size } = options;
  return chromium.launchPersistentContext(profile.folder, {
    executablePath: browserPath,
    timeout,
    headless,
    viewport: headless ? size : null,
    args: browserFlags(options),
    ignoreDefaultArgs: UNWANTED_SWITCHES,
    // Chromium refuses to sandbox when it runs as root, and then does not start.
    chromiumSandbox: !isUnsandboxed(),
    acceptDownloads: false,
    serviceWorkers: 'block',
    // No permission is granted, and all others are denied without a question.
    permissions: [],
    // The host closes the desk before the browser.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

function browserFlags({ size, locale }: WindowOptions): string[] {
  return [
    `--app=${ORIGIN}/`,
    // Native date fields format dates for this language.
    `--lang=${locale}`,
    // Requests that this program does not answer go to a proxy that does not exist, including
    // requests to services of this computer. Rules for names would do the same, but show a warning
    // bar over the page.
    '--proxy-server=http://127.0.0.1:9',
    '--proxy-bypass-list=<-loopback>',
    // WebRTC would send packets past every rule for requests.
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--disk-cache-size=1',
    '--media-cache-size=1',
    '--disable-sync',
    '--no-first-run',
    '--no-pings',
    '--hide-crash-restore-bubble',
    // Without its sandbox, the browser shows a warning bar over the page at every start.
    ...(isUnsandboxed() ? ['--test-type'] : []),
    ...(size === null ? [] : [`--window-size=${size.width},${size.height}`]),
  ];
}

/**
 * Whether the browser runs without its sandbox. This is true only for `root`, because Chromium does
 * not start as `root` with its sandbox. Users should not run the program as `root`.
 */
export function isUnsandboxed(): boolean {
  return process.getuid?.() === 0;
}
