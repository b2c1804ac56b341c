import { type BrowserContext, chromium, errors } from 'playwright';
import type { Profile } from './profile.ts';

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

/** A browser that has not answered by then, in milliseconds, does not any more. */
const TIMEOUT_MS = 20_000;
const MAX_TRIES = 3;

/**
 * Starts the browser over a pipe, so that no port is opened, with a window that has no address bar.
 * Nothing is loaded yet. One start in thirty on a busy machine never answers, as the window's own
 * first page comes to stand while playwright looks at it; that browser is ended, and another begun.
 */
export async function launch(
  profile: Profile,
  options: WindowOptions,
  patience = TIMEOUT_MS,
): Promise<BrowserContext> {
  for (let left = MAX_TRIES - 1; ; left -= 1) {
    try {
      return await launchOnce(profile, options, patience);
    } catch (error) {
      if (left === 0 || !(error instanceof errors.TimeoutError)) throw error;
    }
  }
}

/**
 * What playwright adds for tests and a person's window must not have. Of its other flags two look
 * as bad and stay: `--password-store=basic` and `--use-mock-keychain` keep the browser from asking
 * the system's credential store for a key to a profile that holds no password and is removed at the
 * end of the run.
 */
const UNWANTED = [
  // It draws a bar over the page that says the browser is controlled by test software.
  '--enable-automation',
  '--disable-popup-blocking',
  // Developer tools warn those who are talked into pasting code; they have to.
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
    args: flags(options),
    ignoreDefaultArgs: UNWANTED,
    // Chromium refuses to sandbox when it runs as root, and does not start then.
    chromiumSandbox: !isUnsandboxed(),
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
    // Whatever is asked for past our answers goes to a proxy that is not there, this computer's own
    // services too. Rules for names would do the same, but draw a bar over the page that warns of them.
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
    // A browser without its sandbox warns in a bar over the page, at every start.
    ...(isUnsandboxed() ? ['--test-type'] : []),
    ...(size === null ? [] : [`--window-size=${size.width},${size.height}`]),
  ];
}

/** Whether the browser runs without its sandbox; only for `root`, whom no program should be run as. */
export function isUnsandboxed(): boolean {
  return process.getuid?.() === 0;
}
