/*
 * Replaces the module `electron` of a main process. It has the parts that this program uses, each
 * with Electron's rules on when it may be called; any other part throws.
 */
import { existsSync } from 'node:fs';
import type * as Electron from 'electron';
import { schemes, StandInSession } from './session.ts';
import { note, noted, strict, StrictEmitter } from './strict.ts';
import {
  BrowserWindow as StandInWindow,
  type MainProcessHooks,
  type WebContents,
} from './window.ts';

/**
 * Roles of our menu items. The stand-in accepts them without an effect: only Electron implements
 * what a role does.
 */
const MENU_ROLES = [
  ...(['cut', 'copy', 'paste', 'selectAll', 'resetZoom', 'zoomIn', 'zoomOut'] as const),
  ...(['togglefullscreen', 'undo', 'redo', 'about', 'services', 'hide', 'hideOthers'] as const),
  ...(['unhide', 'quit', 'minimize', 'zoom', 'front'] as const),
] satisfies readonly Electron.MenuItemConstructorOptions['role'][];
const MENU_ITEM_KEYS = [
  ...['role', 'label', 'enabled', 'visible', 'accelerator', 'submenu', 'type', 'click'],
  'registerAccelerator',
];
/** The keys and modifiers that our menus use. */
const ACCELERATOR_PATTERN =
  /^(?:CommandOrControl\+|Alt\+|Shift\+){0,3}(?:[A-Z0-9/=]|F1?\d|Up|Down|Left|Right)$/;
const SCHEME_PRIVILEGES = [
  ...['standard', 'secure', 'bypassCSP', 'allowServiceWorkers', 'supportFetchAPI'],
  ...['corsEnabled', 'stream', 'codeCache'],
];
const APP_EVENTS = [
  ...['session-created', 'web-contents-created', 'certificate-error', 'select-client-certificate'],
  ...['login', 'window-all-closed', 'second-instance', 'will-quit', 'before-quit', 'activate'],
  ...['child-process-gone', 'open-url', 'open-file'],
];

const windows = new Set<StandInWindow>();
const sessions = new Map<string, StandInSession>();
let isReady = false;
let isQuitting = false;

/** Resolves when the stand-in is ready: like Electron, once the program's own module has run. */
const readyPromise = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
  isReady = true;
});

function assertNotReady(name: string): void {
  if (isReady) throw new Error(`${name} must be called before app is ready`);
}

function assertReady(name: string): void {
  if (!isReady) throw new Error(`${name} can only be used when app is ready`);
}

class App extends StrictEmitter {
  readonly isPackaged = true;
  readonly commandLine = strict('app.commandLine', {
    appendSwitch: (...args: string[]) => note('appendSwitch', ...args),
    hasSwitch: (name: string) => process.argv.includes(`--${name}`),
  });
  readonly relaunch = noted('relaunch', undefined);
  /** Only macOS has a dock. */
  readonly dock = undefined;
  readonly setAppUserModelId = noted('setAppUserModelId', undefined);
  readonly requestSingleInstanceLock = noted('requestSingleInstanceLock', true);
  readonly setBadgeCount = noted('setBadgeCount', true);
  readonly getLoginItemSettings = noted('getLoginItemSettings', { openAtLogin: false });
  readonly setLoginItemSettings = noted('setLoginItemSettings', undefined);

  constructor() {
    super('app', APP_EVENTS);
  }

  /**
   * Removes the switch as Electron does (`App::EnableSandbox`, `RemoveNoSandboxSwitch`): processes
   * that start later end if no sandbox can be created.
   */
  enableSandbox(): void {
    assertNotReady('app.enableSandbox');
    if (process.argv.includes('--no-sandbox')) {
      throw new Error('app.enableSandbox takes --no-sandbox away');
    }
    note('enableSandbox');
  }

  setPath(name: string, folder: string): void {
    if (!existsSync(folder)) throw new Error(`Failed to set path: ${folder}`);
    note('setPath', name, folder);
  }

  getFileIcon(file: string): Promise<object> {
    note('getFileIcon', file);
    // Returns an empty icon, as on systems without file icons.
    return Promise.resolve({ isEmpty: () => true });
  }

  whenReady(): Promise<void> {
    return readyPromise;
  }

  getPreferredSystemLanguages(): string[] {
    assertReady('app.getPreferredSystemLanguages');
    return [process.env['STAND_IN_LANGUAGE'] ?? 'en-GB'];
  }

  getLocale(): string {
    assertReady('app.getLocale');
    return 'en-GB';
  }

  quit(): void {
    if (isQuitting || this.#isHeld('before-quit')) return;
    isQuitting = true;
    void Promise.all([...windows].map((window) => window.close())).then((closed) => {
      isQuitting = closed.every(Boolean);
      if (isQuitting && !this.#isHeld('will-quit')) this.exit();
    });
  }

  #isHeld(event: string): boolean {
    let isHeld = false;
    this.emit(event, { preventDefault: () => (isHeld = true) });
    return isHeld;
  }

  exit(code = 0): void {
    note('exit', code);
    process.exit(code);
  }
}

const unguardedApp = new App();
export const app = strict('app', unguardedApp);
// Quits the program as Electron does when the system ends it.
for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, () => unguardedApp.quit());

export const ipcMain = strict('ipcMain', new StrictEmitter('ipcMain', ['desk']));

const appHooks: MainProcessHooks = {
  isReady: () => isReady,
  sessionOf: (partition) => sessionOf(partition),
  created: (contents: WebContents) => void unguardedApp.emit('web-contents-created', {}, contents),
  received: (channel, event, args) => void ipcMain.emit(channel, event, ...args),
  closed(window) {
    windows.delete(window);
    if (windows.size === 0 && !isQuitting) unguardedApp.emit('window-all-closed');
  },
};

function sessionOf(partition: string): StandInSession {
  assertReady('session.fromPartition');
  const known = sessions.get(partition);
  if (known !== undefined) return known;
  const made = new StandInSession();
  sessions.set(partition, made);
  unguardedApp.emit('session-created', strict('session', made));
  return made;
}

export const session = strict('session', {
  fromPartition: (partition: string) => strict('session', sessionOf(partition)),
});

export class BrowserWindow {
  constructor(options: ConstructorParameters<typeof StandInWindow>[0]) {
    note('window', { ...options });
    const window = new StandInWindow(options, appHooks);
    windows.add(window);
    return strict('window', window);
  }
}

export const protocol = strict('protocol', {
  registerSchemesAsPrivileged(list: typeof schemes): void {
    assertNotReady('protocol.registerSchemesAsPrivileged');
    if (schemes.length > 0) throw new Error('registerSchemesAsPrivileged may be called once');
    for (const { scheme, privileges } of list) {
      const strange = Object.keys(privileges).find((name) => !SCHEME_PRIVILEGES.includes(name));
      if (strange !== undefined) throw new Error(`${scheme}: no privilege ${strange}`);
    }
    schemes.push(...list);
  },
});

type Item = Readonly<Record<string, unknown>>;

function checkItems(items: readonly Item[]): void {
  for (const item of items) {
    const strange = Object.keys(item).find((name) => !MENU_ITEM_KEYS.includes(name));
    if (strange !== undefined) throw new Error(`The stand-in knows no menu item with ${strange}`);
    const { role, submenu, accelerator } = item;
    if (accelerator !== undefined && !ACCELERATOR_PATTERN.test(String(accelerator))) {
      throw new Error(`The stand-in knows no key ${String(accelerator)}`);
    }
    if (role !== undefined && !MENU_ROLES.some((one) => one === role)) {
      throw new Error(`The stand-in knows no role ${String(role)}`);
    }
    if (Array.isArray(submenu)) checkItems(submenu);
  }
}

export const Menu = strict('Menu', {
  buildFromTemplate(items: readonly Item[]) {
    checkItems(items);
    return strict('menu', { items, popup: () => note('popup', items) });
  },
  setApplicationMenu: (menu: { readonly items: readonly Item[] } | null) =>
    note('setApplicationMenu', menu?.items ?? null),
});

export const dialog = strict('dialog', {
  showErrorBox(title: string, content: string): void {
    process.stderr.write(`${title}: ${content}\n`);
  },
  showOpenDialog: () => Promise.resolve({ canceled: true, filePaths: [] }),
  /** Returns the button that cancels, because no user is present to answer. */
  showMessageBox(...args: { readonly cancelId?: number }[]) {
    note('showMessageBox', args.at(-1));
    return Promise.resolve({ response: args.at(-1)?.cancelId ?? 0 });
  },
});

export const nativeImage = strict('nativeImage', {
  createFromBuffer(data: Uint8Array) {
    if (data.length === 0) throw new Error('the picture is empty');
    return {};
  },
});

/** Power monitor, which throws if it is used before Electron is ready. */
export const powerMonitor = new Proxy(
  new StrictEmitter('powerMonitor', ['suspend', 'resume', 'shutdown']),
  {
    get(target, key) {
      assertReady('powerMonitor');
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  },
);

export class Tray extends StrictEmitter {
  readonly setToolTip = noted('tray.setToolTip', undefined);
  readonly destroy = noted('tray.destroy', undefined);

  constructor() {
    super('tray', ['click', 'drop-files']);
    assertReady('Tray');
    note('tray');
  }

  setContextMenu(menu: { readonly items: readonly Item[] }): void {
    note('tray.setContextMenu', menu.items);
  }
}

const onlyDisplay = { workArea: { x: 0, y: 0, width: 1440, height: 900 } };

export const screen = strict('screen', {
  getAllDisplays() {
    assertReady('screen');
    return [onlyDisplay];
  },
  getPrimaryDisplay() {
    assertReady('screen');
    return onlyDisplay;
  },
});

export const shell = strict('shell', {
  openPath: (file: string) => Promise.resolve(noted('openPath', '')(file)),
});

export class Notification extends StrictEmitter {
  readonly show = noted('notification.show', undefined);

  constructor(options: object) {
    super('notification', ['click', 'close', 'failed']);
    note('notification', options);
  }
}
