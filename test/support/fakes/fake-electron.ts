import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';

/** A frame as the main process sees it; a top frame has no parent (null). */
export interface FakeFrame {
  url: string;
  parent: FakeFrame | null;
}

type Handler = (...args: unknown[]) => unknown;

/** Records the handler set under each name. */
class Handlers {
  readonly set = new Map<string, Handler>();

  setter(name: string) {
    return (handler: Handler) => {
      this.set.set(name, handler);
    };
  }

  call(name: string, ...args: unknown[]): unknown {
    const handler = this.set.get(name);
    if (handler === undefined) throw new Error(`nobody set ${name}`);
    return handler(...args);
  }
}

export class FakeWebContents extends EventEmitter {
  readonly mainFrame: FakeFrame = { url: 'desk://app/index.html', parent: null };
  readonly handlers = new Handlers();
  readonly sent: [channel: string, message: unknown][] = [];
  readonly setWindowOpenHandler = this.handlers.setter('windowOpen');
  webRtcPolicy: string | undefined;

  setWebRTCIPHandlingPolicy(policy: string): void {
    this.webRtcPolicy = policy;
  }
  isGone = false;

  readonly dragged: unknown[] = [];
  startDrag(item: unknown): void {
    this.dragged.push(item);
  }

  send(channel: string, message: unknown): void {
    this.sent.push([channel, message]);
  }

  reloads = 0;
  reload(): void {
    this.reloads += 1;
  }

  forcefullyCrashRenderer(): void {
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }

  repaints = 0;
  invalidate(): void {
    this.repaints += 1;
  }

  isDestroyed(): boolean {
    return this.isGone;
  }
}

export class FakeSession extends EventEmitter {
  readonly handlers = new Handlers();
  readonly setPermissionRequestHandler = this.handlers.setter('permissionRequest');
  readonly setPermissionCheckHandler = this.handlers.setter('permissionCheck');
  readonly setDevicePermissionHandler = this.handlers.setter('devicePermission');
  readonly setBluetoothPairingHandler = this.handlers.setter('bluetoothPairing');
  readonly protocol = {
    handle: (scheme: string, handler: Handler) => {
      this.handlers.set.set(`protocol:${scheme}`, handler);
    },
  };
  /** Chromium's answer to a proxy query. */
  proxies = 'DIRECT';
  readonly proxiesAskedFor: string[] = [];
  readonly resolveProxy = async (url: string): Promise<string> => {
    this.proxiesAskedFor.push(url);
    return this.proxies;
  };
  readonly webRequest = {
    onBeforeRequest: this.handlers.setter('beforeRequest'),
  };
}

/** A menu item, with the fields that tests read. */
export interface FakeItem {
  readonly label?: string;
  readonly role?: string;
  readonly type?: string;
  readonly enabled?: boolean;
  readonly accelerator?: string;
  readonly submenu?: readonly FakeItem[];
  readonly click?: () => void;
}

/** A tray icon. */
export class FakeTray extends EventEmitter {
  menu: readonly FakeItem[] = [];
  tip = '';
  isGone = false;

  setContextMenu({ items }: { readonly items: readonly FakeItem[] }): void {
    this.menu = items;
  }

  setToolTip(tip: string): void {
    this.tip = tip;
  }

  destroy(): void {
    this.isGone = true;
  }
}

interface Question {
  readonly message: string;
  readonly buttons: readonly string[];
  readonly signal?: AbortSignal;
}

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A fake `electron` module that records its calls. */
export function createFakeElectron({
  isFirst = true,
  isPackaged = true,
  workArea = { width: 1440, height: 900 },
} = {}) {
  const windows: FakeWindow[] = [];
  const sessions = new Map<string, FakeSession>();
  const asked: unknown[][] = [];
  const trays: FakeTray[] = [];
  const notices: EventEmitter[] = [];
  const questions: Question[] = [];
  /** Answers to the next questions, in order; the last button by default. */
  const answers: (number | Promise<number>)[] = [];
  let opensAtLogin = false;
  const displays = [{ workArea: { x: 0, y: 0, ...workArea } }];
  let becomeReady = () => {};
  const ready = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  const record =
    (name: string, answer?: unknown) =>
    (...args: unknown[]) => {
      asked.push([name, ...args]);
      return answer;
    };

  class FakeWindow extends EventEmitter {
    readonly webContents = new FakeWebContents();
    readonly options: Record<string, unknown>;
    readonly loaded: string[] = [];
    readonly calls: string[] = [];
    bounds: Rectangle = { x: 10, y: 20, width: 1000, height: 700 };
    progress: number | undefined;

    constructor(options: Record<string, unknown>) {
      super();
      this.options = options;
      windows.push(this);
      app.emit('web-contents-created', {}, this.webContents);
    }

    loadURL(url: string): Promise<void> {
      this.loaded.push(url);
      return Promise.resolve();
    }

    isShown = true;
    isGone = false;
    isDestroyed = () => this.isGone;
    isMinimized = () => this.#there(true);
    isVisible = () => this.#there(this.isShown);
    hide = () => this.#there(this.calls.push('hide'));
    restore = () => this.#there(this.calls.push('restore'));
    focus = () => this.#there(this.calls.push('focus'));
    show = () => this.#there(this.calls.push('show'));
    getNormalBounds = () => this.#there(this.bounds);
    setProgressBar = (fraction: number) => {
      this.progress = this.#there(fraction);
    };

    /** Returns `answer`. As in Electron, a closed window answers only whether it is closed. */
    #there<Answer>(answer: Answer): Answer {
      if (this.isGone) throw new TypeError('Object has been destroyed');
      return answer;
    }
  }

  const app = Object.assign(new EventEmitter(), {
    isPackaged,
    commandLine: {
      appendSwitch: record('appendSwitch'),
      hasSwitch: (name: string) => process.argv.includes(`--${name}`),
    },
    relaunch: record('relaunch'),
    enableSandbox: record('enableSandbox'),
    requestSingleInstanceLock: record('requestSingleInstanceLock', isFirst),
    setPath(name: string, folder: string) {
      if (!existsSync(folder)) throw new Error(`Failed to set path: ${folder} does not exist`);
      record('setPath')(name, folder);
    },
    quit: record('quit'),
    setBadgeCount: record('setBadgeCount', true),
    exit: record('exit'),
    whenReady: () => ready,
    getFileIcon: (file: string) => Promise.resolve({ of: file, isEmpty: (): boolean => false }),
    getLocale: () => 'sv-SE',
    getPreferredSystemLanguages: () => ['sv-SE'],
    getVersion: () => '0.1.0',
    getPath: (name: string) => `/home/ada/${name}`,
    getLoginItemSettings: (what: unknown) => {
      asked.push(['getLoginItemSettings', what]);
      return { openAtLogin: opensAtLogin };
    },
    setLoginItemSettings: (what: { readonly openAtLogin: boolean }) => {
      asked.push(['setLoginItemSettings', what]);
      opensAtLogin = what.openAtLogin;
    },
    setAppUserModelId: record('setAppUserModelId'),
    setAsDefaultProtocolClient: record('setAsDefaultProtocolClient', true),
    disableHardwareAcceleration: record('disableHardwareAcceleration'),
  });

  /** Creates a session and, as in Electron, sends an event about it. */
  const createSession = (name: string): FakeSession => {
    const made = new FakeSession();
    sessions.set(name, made);
    app.emit('session-created', made);
    return made;
  };

  return {
    app,
    BrowserWindow: FakeWindow,
    protocol: { registerSchemesAsPrivileged: record('registerSchemesAsPrivileged') },
    session: {
      fromPartition(name: string, options?: unknown) {
        asked.push(['fromPartition', name, options]);
        return sessions.get(name) ?? createSession(name);
      },
    },
    ipcMain: new EventEmitter(),
    dialog: {
      showOpenDialog: () => Promise.resolve({ canceled: false, filePaths: ['/home/ada/chosen'] }),
      showErrorBox: record('showErrorBox'),
      /** Shows a question, with or without a parent window. */
      async showMessageBox(...args: [Question] | [object, Question]) {
        const question = args.length === 1 ? args[0] : args[1];
        asked.push(['showMessageBox', question.message, args.length === 2]);
        questions.push(question);
        return { response: (await answers.shift()) ?? question.buttons.length - 1 };
      },
    },
    shell: {
      openExternal: (url: string) => Promise.resolve(record('openExternal')(url)),
      openPath: (path: string) => Promise.resolve(record('openPath', '')(path)),
    },
    Menu: {
      setApplicationMenu: record('setApplicationMenu'),
      buildFromTemplate: (items: unknown) => ({
        items,
        popup: () => asked.push(['popup', items]),
      }),
    },
    nativeImage: {
      createFromBuffer: (data: Uint8Array, options: unknown) => ({
        data,
        options,
        isTemplate: false,
        setTemplateImage(isTemplate: boolean) {
          this.isTemplate = isTemplate;
        },
      }),
    },
    powerMonitor: new EventEmitter(),
    Tray: class extends FakeTray {
      constructor(icon: unknown) {
        super();
        asked.push(['tray', icon]);
        trays.push(this);
      }
    },
    Notification: class extends EventEmitter {
      constructor(options: unknown) {
        super();
        asked.push(['notification', options]);
        notices.push(this);
      }
      show = record('notification.show');
    },
    screen: { getAllDisplays: () => displays, getPrimaryDisplay: () => displays[0] },
    /** State that tests read. */
    seen: {
      asked,
      windows,
      sessions,
      displays,
      trays,
      notices,
      questions,
      answers,
      becomeReady,
      createSession,
    },
  };
}

export type FakeElectron = ReturnType<typeof createFakeElectron>;
