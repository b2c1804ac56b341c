import { readFileSync } from 'node:fs';
import { type Frame, type MenuPlace, type Page, takeBrowser } from './browser.ts';
import type { StandInSession } from './session.ts';
import { note, noted, strict, StrictEmitter } from './strict.ts';

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface WindowOptions extends Rectangle {
  readonly webPreferences: Readonly<Record<string, unknown>>;
}

/**
 * Options for windows that the stand-in supports. The stand-in rejects unknown options, which
 * Electron would silently ignore.
 */
const SUPPORTED_WINDOW_OPTIONS = [
  ...['width', 'height', 'minWidth', 'minHeight', 'x', 'y', 'title', 'show', 'webPreferences'],
  ...['autoHideMenuBar', 'icon'],
];
const REQUIRED_PREFERENCES = {
  preload: 'string',
  partition: 'string',
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  webSecurity: true,
  webviewTag: false,
  disableBlinkFeatures: 'string',
  devTools: 'boolean',
  spellcheck: 'boolean',
} as const;

/** Sessions, state and callbacks that a new window gets from the stand-in's main process. */
export interface MainProcessHooks {
  sessionOf(partition: string): StandInSession;
  isReady(): boolean;
  created(contents: WebContents): void;
  received(channel: string, event: object, args: readonly unknown[]): void;
  closed(window: BrowserWindow): void;
}

export class WebContents extends StrictEmitter {
  page: Page | undefined;
  isGone = false;
  readonly setWebRTCIPHandlingPolicy = noted('setWebRTCIPHandlingPolicy', undefined);
  readonly setWindowOpenHandler = noted('setWindowOpenHandler', undefined);
  readonly startDrag = noted('startDrag', undefined);
  readonly reload = noted('reload', undefined);
  readonly forcefullyCrashRenderer = noted('forcefullyCrashRenderer', undefined);
  readonly invalidate = noted('invalidate', undefined);

  constructor() {
    super('webContents', [
      ...['render-process-gone', 'context-menu', 'will-navigate', 'will-frame-navigate'],
      ...['will-redirect', 'will-attach-webview', 'select-bluetooth-device'],
    ]);
  }

  get mainFrame(): Frame {
    if (this.page === undefined) throw new Error('Render frame was disposed');
    return this.page.mainFrame;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }

  send(channel: string, ...args: unknown[]): void {
    if (this.isGone) throw new Error('Object has been destroyed');
    this.page?.send(channel, structuredClone(args));
  }
}

/** A window of the stand-in: a page in the browser that a test provides. */
export class BrowserWindow extends StrictEmitter {
  readonly webContents: WebContents;
  readonly #contents = new WebContents();
  readonly #around: MainProcessHooks;
  readonly #options: WindowOptions;
  readonly show = this.#whileThere('show', undefined);
  readonly focus = this.#whileThere('focus', undefined);
  readonly restore = this.#whileThere('restore', undefined);
  readonly hide = this.#whileThere('hide', undefined);
  readonly setProgressBar = this.#whileThere('setProgressBar', undefined);
  readonly isMinimized = this.#whileThere('isMinimized', false);
  readonly isVisible = this.#whileThere('isVisible', true);
  readonly isDestroyed = (): boolean => this.#contents.isGone;

  constructor(options: WindowOptions, around: MainProcessHooks) {
    super('window', [
      ...['ready-to-show', 'close', 'closed', 'unresponsive', 'responsive', 'session-end'],
    ]);
    if (!around.isReady()) throw new Error('Cannot create BrowserWindow before app is ready');
    for (const name of Object.keys(options)) {
      if (!SUPPORTED_WINDOW_OPTIONS.includes(name))
        throw new Error(`The stand-in knows no option ${name}`);
    }
    checkPreferences(options.webPreferences);
    this.#options = options;
    this.#around = around;
    this.webContents = strict('webContents', this.#contents);
    around.created(this.webContents);
  }

  /**
   * Returns a method that throws once the window is closed. As in Electron, a closed window only
   * reports whether it is destroyed (gin, "Object has been destroyed").
   */
  #whileThere<Answer>(name: string, answer: Answer): (...args: unknown[]) => Answer {
    return (...args) => {
      if (this.#contents.isGone) throw new TypeError('Object has been destroyed');
      return noted(`window.${name}`, answer)(...args);
    };
  }

  getNormalBounds(): Rectangle {
    const { width, height } = this.#options;
    return { x: 0, y: 0, width, height };
  }

  async loadURL(url: string): Promise<void> {
    const { webPreferences, width, height } = this.#options;
    const session = this.#around.sessionOf(String(webPreferences['partition']));
    const { openPage } = await takeBrowser();
    const { origin } = session.addressOf(url);
    const page = await openPage({
      origin,
      preload: readFileSync(String(webPreferences['preload']), 'utf8'),
      width,
      height,
      answer: (request) => session.answer(request),
      receive: (channel, senderFrame, args) =>
        this.#around.received(channel, { senderFrame, sender: this.webContents }, args),
      openMenu: (place: MenuPlace) => this.#contents.emit('context-menu', {}, place),
    });
    this.#contents.page = page;
    await page.load(url);
    this.emit('ready-to-show');
  }

  /** Closes the window. Returns false if the program keeps the window open. */
  async close(): Promise<boolean> {
    let isHeld = false;
    this.emit('close', { preventDefault: () => (isHeld = true) });
    if (isHeld) return false;
    this.#contents.isGone = true;
    await this.#contents.page?.close();
    this.emit('closed');
    note('window.closed');
    this.#around.closed(this);
    return true;
  }
}

/** Accepts only the settings of a sandboxed page without Node, isolated from its preload script. */
function checkPreferences(preferences: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(preferences)) {
    const wanted: unknown = Reflect.get(REQUIRED_PREFERENCES, name);
    if (typeof value !== wanted && value !== wanted) {
      throw new Error(`The stand-in knows no preference ${name}: ${String(value)}`);
    }
  }
  for (const name of ['sandbox', 'contextIsolation']) {
    if (preferences[name] !== true) throw new Error(`The stand-in makes no page without ${name}`);
  }
}
