import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  type IpcMainEvent,
  nativeImage,
  protocol,
  type RelaunchOptions,
  screen,
  session,
  type WebContents,
} from 'electron';
import type { Emit } from '../../../shared/contract/index.ts';
import { type Channel, serve } from '../../../shared/wire.ts';
import { createDesk, type Desk, type HostSetup, type UpdateSetup } from '../../compose/compose.ts';
import { createAssets } from '../page/assets.ts';
import { dataDir, documentsFolder, stateDir } from '../data-dir.ts';
import { launchCommandOf, supportsAutostartFile } from './called-by.ts';
import { recoverFromCrashes } from './crashes.ts';
import { createHostFeatures } from './features.ts';
import { guardEverything } from './guard.ts';
import { WINDOW_ICON } from './icon.ts';
import { autostartFile, type LoginStart, systemLoginStart } from './login.ts';
import { Menus } from './menus.ts';
import { watchPower } from './power.ts';
import { QuitDecider } from './quitting.ts';
import { TrayIcon } from './tray.ts';
import { answerPage, type Origin } from '../page/answer.ts';
import { isOurPage } from '../page/policy.ts';
import { examineHost } from '../examine.ts';
import { platformName } from '../platform.ts';
import { SystemSchedule } from '../schedule/system-schedule.ts';
import { readVaultChoice, type VaultChoice } from '../vault-choice.ts';
import { VERSION } from '../version.ts';
import { listenForLinks } from './links.ts';
import { windowUpdateSetup, commandLineUpdateMethod } from './updates.ts';
import { WINDOW_CHANNEL } from './window-channel.ts';
import type { HostWords } from './words.ts';
import { isVisible, readPlace, writeWindowPlace } from './window-place.ts';
import { languageOf } from '../../../shared/rules/text/languages.ts';
import { FIRST_WINDOW_SIZE, firstWindowSize } from '../window-size.ts';
import {
  countBrowserSwitches,
  commandSwitches,
  NO_SANDBOX_SWITCH,
  readStart,
} from '../window-start.ts';

const PAGE_SCHEME = 'desk';
const PAGE_ADDRESS = `${PAGE_SCHEME}://app`;
const PRELOAD_FILE = path.join(import.meta.dirname, 'electron-preload.cjs');
const PAGE_FOLDER = path.join(import.meta.dirname, '../renderer');
/**
 * Name of the session. Without `persist:`, the browser keeps everything in memory, so no cache of
 * documents is on the disk.
 */
const SESSION_PARTITION = 'desk';
/** ID by which Windows connects notifications and the taskbar to the installer's shortcut. */
const APP_ID = 'org.signingdesk.app';
/** Minimum size that the page supports: that of a small screen at 200 %. */
const MIN_WINDOW_SIZE = { width: 640, height: 400 };
/** Room for the frame on Linux, where the desktop adds it around the size that a program requests. */
const LINUX_FRAME = { width: 16, height: 48 };

// `process.argv` has the program before the arguments; before packaging, the program's folder
// follows it.
const args = process.argv.slice(app.isPackaged ? 1 : 2);
const start = readStart(args);
// Chromium reads the switch `--lang` too, and accepts languages that this program does not have.
const language = start.kind === 'window' ? languageOf(start.lang ?? '') : null;
if (start.kind === 'command') {
  runCommand().catch((error: unknown) => {
    // Without this handler, Electron would only warn and never end, but a scheduler waits for the
    // end.
    process.stderr.write(`signing-desk: ${messageOf(error)}\n`);
    app.exit(1);
  });
} else {
  try {
    startWindow(dataDir(process.env, process.platform, start.data), start.open);
  } catch (error) {
    reportStartError(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Reports an error and ends the program. Before Electron is ready, Linux prints the sentence on the
 * error stream.
 */
function reportStartError(error: unknown): void {
  dialog.showErrorBox('Signing Desk', messageOf(error));
  app.exit(1);
}

async function runCommand(): Promise<void> {
  // macOS shows a program in its dock, where the icon would bounce until a window opens.
  app.dock?.hide();
  // Chromium writes its own files from the start, so a command needs a folder that no open window
  // uses.
  const browserFolder = makeTemporaryFolder();
  app.setPath('userData', browserFolder);
  const { runCli } = await import('../cli/run.ts');
  const { processIo } = await import('../cli/output/io.ts');
  const exit = await runCli(
    args.slice(countBrowserSwitches(args)),
    processIo(programWords(), commandLineUpdateMethod(), process.platform !== 'win32'),
  );
  await Promise.all([process.stdout, process.stderr].map(flushStream));
  rmSync(browserFolder, { recursive: true, force: true });
  app.exit(exit);
}

function makeTemporaryFolder(): string {
  const parent = os.tmpdir();
  try {
    return mkdtempSync(path.join(parent, 'signing-desk-command-'));
  } catch (cause) {
    const next = 'set TMPDIR to a folder that you can write to';
    throw new Error(`No temporary folder can be made in ${parent}; ${next}`, { cause });
  }
}

/**
 * Resolves once all output is written. A pipe on Windows receives the output later, and an exit
 * would truncate it.
 */
const flushStream = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));

function programWords(): readonly string[] {
  const { env, execPath, argv } = process;
  return [
    ...(app.isPackaged ? launchCommandOf(env, execPath) : [execPath, path.resolve(argv[1] ?? '')]),
    ...commandSwitches(process.platform, process.getuid?.()),
  ];
}

function startWindow(folder: string, open: readonly string[]): void {
  // `enableSandbox` would remove the switch, and processes that start later would end without a
  // sandbox.
  if (!app.commandLine.hasSwitch(NO_SANDBOX_SWITCH.slice('--'.length))) app.enableSandbox();
  app.setAppUserModelId(APP_ID);
  protocol.registerSchemesAsPrivileged([
    { scheme: PAGE_SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true } },
  ]);
  // The lock is in this folder, so there is one window for each data folder. Electron requires the
  // folder to exist.
  const browserFolder = path.join(folder, 'window');
  mkdirSync(browserFolder, { recursive: true, mode: 0o700 });
  app.setPath('userData', browserFolder);
  if (!app.requestSingleInstanceLock({ open })) {
    app.quit();
    return;
  }
  const hearing = listenForLinks(app, open);
  guardEverything(app, { origin: PAGE_ADDRESS, hasDevTools: !app.isPackaged });
  app.on('window-all-closed', () => app.quit());
  app
    .whenReady()
    .then(() => openWindow(folder, hearing))
    .catch(reportStartError);
}

async function openWindow(
  folder: string,
  hearing: ReturnType<typeof listenForLinks>,
): Promise<void> {
  const pages = session.fromPartition(SESSION_PARTITION);
  const window = createWindow(path.join(folder, 'window.json'));
  let emit: Emit = () => {};
  const show = (): void => {
    if (window.isDestroyed()) hearing.keep();
    else showWindow(window);
  };
  const menus = new Menus({
    window,
    language: language ?? languageOf(systemLanguage()) ?? 'en',
    run(id) {
      show();
      emit('host.command', { id });
    },
  });
  const words = (): HostWords => menus.words;
  const quitting = new QuitDecider({ window, words });
  const tray = new TrayIcon({ words, open: show, take: hearing.takeFiles });
  const desk = openDesk(
    folder,
    windowUpdateSetup(window, words),
    createHostFeatures({
      window,
      words,
      show,
      showMenu: (menu) => menus.show(menu),
      showStatus(status) {
        quitting.update(status);
        tray.update(status);
      },
      login: loginStart(),
      schedule: systemSchedule(folder),
    }),
    (url) => pages.resolveProxy(url),
  );
  recoverFromCrashes({
    window,
    words,
    note: (what) => void desk.toFailure(new Error(what), 'host.window'),
    tell: () => emit('host.processEnded', {}),
  });
  watchPower({ desk, onShutdown: () => quitting.agree() });
  const origin = { address: PAGE_ADDRESS, assets: createAssets(PAGE_FOLDER), bytes: desk };
  pages.protocol.handle(PAGE_SCHEME, (request) => answerRequest(request, origin));
  ({ emit } = serve(desk.handlers, openChannel(window.webContents), desk.toFailure));
  desk.setEmit(emit);
  app.on('second-instance', show);
  // The window is shown for files and links that the system opens, even if it is hidden in the
  // tray.
  app.on('open-url', show);
  app.on('open-file', show);
  // On macOS, this event is a click on the program's icon.
  app.on('activate', show);
  app.once('will-quit', (event) => {
    event.preventDefault();
    hearing.close();
    void desk
      .close()
      .then(() => {
        // A Windows installer ends running programs, so a requested start comes before a new
        // version.
        if (hearing.kept() === null) desk.installUpdate();
      })
      .finally(() => {
        const kept = hearing.kept();
        if (kept !== null) app.relaunch(relaunchOptionsFor(kept));
        app.exit();
      });
  });
  hearing.giveTo(desk);
  // A locked keychain asks the user first; until then the page shows that it waits for the
  // keychain.
  await Promise.all([desk.open(), window.loadURL(`${PAGE_ADDRESS}/index.html`)]);
}

function showWindow(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Starts the program again for links and files that were requested while it was ending. */
function relaunchOptionsFor(open: readonly string[]): RelaunchOptions {
  const { data, lang } = start.kind === 'window' ? start : {};
  const appImage = process.env['APPIMAGE'];
  return {
    ...(appImage === undefined ? {} : { execPath: appImage }),
    args: [
      ...(app.isPackaged ? [] : [process.argv[1] ?? '']),
      ...(data === undefined ? [] : ['--data', data]),
      ...(lang === undefined ? [] : ['--lang', lang]),
      ...open,
    ],
  };
}

const systemLanguage = (): string => app.getPreferredSystemLanguages()[0] ?? app.getLocale();

/**
 * Returns the login start; null before packaging, since the entry would start Electron, from a
 * folder that may move.
 */
function loginStart(): LoginStart | null {
  if (!app.isPackaged || !supportsAutostartFile(process.env)) return null;
  const program = process.env['APPIMAGE'] ?? process.execPath;
  const args = start.kind === 'window' && start.data !== undefined ? ['--data', start.data] : [];
  return process.platform === 'linux'
    ? autostartFile(process.env, { program, args })
    : systemLoginStart(app, { program, args });
}

function systemSchedule(dataFolder: string): SystemSchedule {
  const isIsolated = !supportsAutostartFile(process.env);
  return new SystemSchedule({
    program: programWords(),
    dataDir: dataFolder,
    vault: chosenVault(),
    isIsolated,
  });
}

function chosenVault(): VaultChoice {
  const vault = readVaultChoice(process.env['SIGNING_DESK_VAULT']);
  if (vault === null) throw new Error('SIGNING_DESK_VAULT must be keychain or keyfile:PATH');
  return vault;
}

function openDesk(
  folder: string,
  updates: UpdateSetup,
  features: HostSetup['features'],
  resolveProxy: (url: string) => Promise<string>,
): Desk {
  return createDesk({
    dataDir: folder,
    vault: chosenVault(),
    version: VERSION,
    language,
    locale: systemLanguage(),
    platform: platformName(process.platform),
    documentsFolder: documentsFolder(process.env, process.platform, folder),
    stateDir: stateDir(process.env, process.platform),
    features,
    updates,
    resolveProxy,
    examineHost,
    interactive: true,
  });
}

function createWindow(placeFile: string): BrowserWindow {
  const place = readPlace(placeFile);
  const screens = screen.getAllDisplays().map((display) => display.workArea);
  const { width, height } = screen.getPrimaryDisplay().workArea;
  const frame = process.platform === 'linux' ? LINUX_FRAME : { width: 0, height: 0 };
  const room = { width: width - frame.width, height: height - frame.height };
  const first = firstWindowSize(room, FIRST_WINDOW_SIZE);
  const window = new BrowserWindow({
    ...first,
    minWidth: Math.min(MIN_WINDOW_SIZE.width, first.width),
    minHeight: Math.min(MIN_WINDOW_SIZE.height, first.height),
    ...(place !== undefined && isVisible(place, screens) ? place : {}),
    title: 'Signing Desk',
    show: false,
    autoHideMenuBar: true,
    // On other systems, the window has the icon of the program's own file.
    ...(process.platform === 'linux'
      ? { icon: nativeImage.createFromBuffer(Buffer.from(WINDOW_ICON, 'base64')) }
      : {}),
    webPreferences: {
      preload: PRELOAD_FILE,
      partition: SESSION_PARTITION,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      disableBlinkFeatures: 'Auxclick',
      devTools: !app.isPackaged,
      // macOS has its own spell checker; on other systems Chromium would download dictionaries
      // without being asked.
      spellcheck: process.platform === 'darwin',
    },
  });
  window.once('ready-to-show', () => window.show());
  window.on('close', () => writeWindowPlace(placeFile, window.getNormalBounds()));
  return window;
}

async function answerRequest(request: Request, origin: Origin): Promise<Response> {
  const { status, headers, body } = await answerPage(
    {
      method: request.method,
      url: request.url,
      body: async () => new Uint8Array(await request.arrayBuffer()),
    },
    origin,
  );
  return new Response(new Uint8Array(body), { status, headers });
}

function openChannel(contents: WebContents): Channel {
  return {
    post(message) {
      if (!contents.isDestroyed()) contents.send(WINDOW_CHANNEL, message);
    },
    onMessage(listener) {
      ipcMain.on(WINDOW_CHANNEL, (event, message: unknown) => {
        if (isFromOurPage(event, contents) && typeof message === 'string') listener(message);
      });
    },
  };
}

/** Whether a message comes from the main frame of our own page in our own window. */
function isFromOurPage({ senderFrame }: IpcMainEvent, contents: WebContents): boolean {
  return (
    senderFrame !== null &&
    senderFrame === contents.mainFrame &&
    senderFrame.parent === null &&
    isOurPage(senderFrame.url, PAGE_ADDRESS)
  );
}
