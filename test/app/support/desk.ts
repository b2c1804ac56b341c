import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright';
import { createDesk, type Desk, type UpdateSetup } from '../../../electron/compose/compose.ts';
import type { HostFeatures } from '../../../electron/core/host-ports.ts';
import type { Emit } from '../../../shared/contract/index.ts';
import type { Language } from '../../../shared/model/languages.ts';
import { type Demo, type DemoOptions, startDemo } from '../../../electron/demo/start.ts';
import { type Assets, createAssets } from '../../../electron/hosts/page/assets.ts';
import { createHostFeatures } from '../../../electron/hosts/chromium/features.ts';
import { LITTLE_PHRASE_WORK } from '../../support/phrase-work.ts';
import type { WindowDesk } from '../../../electron/hosts/chromium/connect.ts';
import { openChromium } from '../../../electron/hosts/chromium/host.ts';
import { findBrowser } from '../../../electron/hosts/find-browser.ts';
import { examineHost } from '../../../electron/hosts/examine.ts';
import { platformName } from '../../../electron/hosts/platform.ts';

const RENDERER = path.resolve(import.meta.dirname, '../../../dist/renderer');
const SIZE = { width: 1280, height: 800 } as const;
/**
 * Timeout of a page (ms): ten times its longest wait, but shorter than the test's timeout, so that
 * the error names the missing part.
 */
const TIMEOUT_MS = 30_000;

export interface DeskAppOptions {
  /** Contents of the demo service; `none` by default. */
  readonly seed?: DemoOptions['seed'];
  /** Interval at which the other parties act; null (never) by default. */
  readonly counterpartDelayMs?: number | null;
  /** Data folder of an earlier run, with its key file next to it; it is not removed at the end. */
  readonly dataDir?: string;
  /** Running service to use; it is not stopped at the end. */
  readonly demo?: Demo;
  /** Keeps the keys in the computer's credential store instead of the key file. */
  readonly vault?: 'keychain';
  readonly size?: { readonly width: number; readonly height: number };
  readonly locale?: string;
  /** Opens a visible window on the screen named by `DISPLAY`. */
  readonly isVisible?: boolean;
  /** Changes the page's files before the window gets them. */
  readonly over?: (assets: Assets) => Assets;
  /** Value of `--lang`. */
  readonly language?: Language;
  /** How this installation is updated; by default like a checkout of the source. */
  readonly updates?: UpdateSetup;
  /** Allows dragging files out of the window; called with each file. */
  readonly onDragged?: (file: string) => void;
  /** Lets the desktop show messages and progress; called with each of them. */
  readonly onDesktop?: (
    shown: { readonly said: string } | { readonly fraction: number | null },
  ) => void;
  /**
   * Gives the window a menu, a tray icon and a start at login; the functions are called for each
   * use.
   */
  readonly native?: Pick<HostFeatures, 'menu' | 'status' | 'startsAtLogin' | 'startAtLogin'>;
  /** Scheduled task of the system; by default, this computer has no scheduler. */
  readonly schedule?: Pick<HostFeatures, 'readSchedule' | 'setSchedule'>;
}

/** The whole program: a real window, its core, and the service behind it. */
export interface DeskApp {
  readonly page: Page;
  readonly desk: Desk;
  readonly demo: Demo;
  readonly dataDir: string;
  /** Folder for archives and other files of this test, removed at its end. */
  readonly folder: string;
  /** Errors and warnings that the page wrote to its console, and errors it threw. */
  readonly complaints: readonly string[];
  /** Sends the page an event, as its host would. */
  readonly emit: Emit;
  close(): Promise<void>;
}

/**
 * Starts the real program in a real Chromium, headless unless a visible window is requested, with
 * its own data and service.
 */
export async function startDeskApp(options: DeskAppOptions = {}): Promise<DeskApp> {
  const folder = await mkdtemp(path.join(tmpdir(), 'desk-app-'));
  const dataDir = options.dataDir ?? path.join(folder, 'data');
  const demo =
    options.demo ??
    (await startDemo({
      dataDir: null,
      seed: options.seed ?? 'none',
      counterpartDelayMs: options.counterpartDelayMs ?? null,
    }));
  const desk = await openTestDesk({ ...options, dataDir, demo, folder });
  const complaints: string[] = [];
  let emit: Emit = () => {};
  const shown: WindowDesk = {
    handlers: desk.handlers,
    toFailure: desk.toFailure,
    serveBytes: desk.serveBytes,
    acceptBytes: (data) => desk.acceptBytes(data),
    setEmit(next) {
      emit = next;
      desk.setEmit(next);
    },
  };
  const assets = createAssets(RENDERER);
  const window = await openChromium(async () => shown, options.over?.(assets) ?? assets, {
    headless: options.isVisible !== true,
    browserPath: installedBrowser(),
    profilesDir: path.join(folder, 'chromium'),
    locale: options.locale ?? 'en-GB',
    size: options.size ?? SIZE,
  });
  listenTo(window.page, complaints);
  window.page.setDefaultTimeout(TIMEOUT_MS);
  await window.show();
  return {
    page: window.page,
    desk,
    demo,
    dataDir,
    folder,
    complaints,
    emit: (name, data) => emit(name, data),
    async close() {
      await window.close();
      await window.closed;
      await desk.close();
      if (options.demo === undefined) await demo.close();
      // The browser may still write to its profile for a moment.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

type NativeFeatures = Pick<DeskAppOptions, 'onDragged' | 'onDesktop' | 'native' | 'schedule'>;

/** Opens the data with a key file next to it; if the data folder is kept, so is the key file. */
async function openTestDesk(
  options: {
    readonly dataDir: string;
    readonly folder: string;
    readonly demo: Demo;
    readonly vault?: 'keychain';
    readonly locale?: string;
    readonly language?: Language;
    readonly updates?: UpdateSetup;
  } & NativeFeatures,
): Promise<Desk> {
  const keyfile = `${options.dataDir}.key`;
  await mkdir(path.dirname(keyfile), { recursive: true });
  // Keep an existing key file, which opens the data of an earlier run.
  await writeFile(keyfile, randomBytes(32), { mode: 0o600, flag: 'wx' }).catch(leaveIfThere);
  const desk = createDesk({
    dataDir: options.dataDir,
    stateDir: `${options.dataDir}.state`,
    vault: options.vault ?? { keyfile },
    version: '0.0.0-test',
    locale: options.locale ?? 'en-GB',
    language: options.language ?? null,
    platform: platformName(process.platform),
    documentsFolder: path.join(options.folder, 'documents'),
    features: favoursOf(options),
    examineHost,
    interactive: true,
    phraseWork: LITTLE_PHRASE_WORK,
    updates: options.updates ?? { way: 'checkout' },
    demo: options.demo,
  });
  await desk.open();
  return desk;
}

/** Features of a browser window, and the desktop features if the test listens to them. */
function favoursOf({
  onDragged,
  onDesktop,
  native,
  schedule,
}: NativeFeatures): HostFeatures & Pick<ReturnType<typeof createHostFeatures>, 'describe'> {
  const features = createHostFeatures(schedule);
  const describe = {
    ...features.describe,
    dragFile: onDragged !== undefined,
    notify: onDesktop !== undefined,
    progress: onDesktop !== undefined,
    menu: native !== undefined,
    tray: native !== undefined,
    loginStart: native !== undefined,
  };
  return {
    ...features,
    ...native,
    describe,
    dragFile: async (file: string) => onDragged?.(file),
    notify: (title: string, body: string) => onDesktop?.({ said: `${title}: ${body}` }),
    progress: (fraction: number | null) => onDesktop?.({ fraction }),
  };
}

function listenTo(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
}

function installedBrowser(): string {
  const found = findBrowser();
  if (found === undefined) throw new Error('No Chromium is installed: npm run prepare-machine');
  return found;
}

function leaveIfThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
