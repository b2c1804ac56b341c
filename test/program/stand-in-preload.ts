import type { MenuPlace } from '../../build/package/stand-in/electron/browser.ts';

declare global {
  interface Window {
    __send(channel: string, args: readonly unknown[]): Promise<void>;
    __menu(place: MenuPlace): Promise<void>;
    __receive(channel: string, args: readonly unknown[]): void;
  }
}

type Preload = (
  require: (name: string) => unknown,
  module: { exports: object },
  exports: object,
  process: object,
  global: undefined,
  Buffer: undefined,
) => void;

type Listener = (event: object, ...args: readonly unknown[]) => void;

/**
 * Runs a preload script as a sandboxed window does: once, in the main frame, as CommonJS without
 * Node, before the scripts of the page. The function is sent to the browser as text, so it cannot
 * refer to variables outside of it.
 */
export function installPreload(preload: Preload): void {
  const { __send: send, __menu: openMenu } = window;
  for (const name of ['__send', '__menu']) Reflect.deleteProperty(window, name);
  if (window.top !== window) return;
  const listeners = new Map<string, Listener[]>();
  const clone = (value: unknown): unknown => {
    // A function stays callable from the other side, with copies of its arguments.
    if (typeof value === 'function') {
      return (...args: unknown[]) => clone(Reflect.apply(value, undefined, args.map(clone)));
    }
    if (value === null || typeof value !== 'object' || Array.isArray(value)) {
      return structuredClone(value);
    }
    return Object.freeze(
      Object.fromEntries(Object.entries(value).map(([name, one]) => [name, clone(one)])),
    );
  };
  const strict = <Of extends object>(name: string, object: Of): Of =>
    new Proxy(object, {
      get(target, key) {
        if (typeof key === 'symbol' || key in target) return Reflect.get(target, key);
        throw new Error(`A sandboxed preload script has no ${name}.${key}`);
      },
    });
  const electron = strict('electron', {
    contextBridge: strict('contextBridge', {
      exposeInMainWorld(name: string, api: unknown) {
        Object.defineProperty(window, name, { value: clone(api), enumerable: true });
      },
    }),
    ipcRenderer: strict('ipcRenderer', {
      send(channel: string, ...args: unknown[]) {
        void send(channel, structuredClone(args));
      },
      on(channel: string, listener: Listener) {
        listeners.set(channel, [...(listeners.get(channel) ?? []), listener]);
      },
    }),
  });
  Object.defineProperty(window, '__receive', {
    value: (channel: string, args: readonly unknown[]) => {
      for (const listen of listeners.get(channel) ?? []) listen({}, ...args);
    },
  });
  const require = (name: string): unknown => {
    if (name === 'electron') return electron;
    throw new Error(`module not found: ${name}`);
  };
  const exports = {};
  preload(require, { exports }, exports, strict('process', {}), undefined, undefined);
  window.addEventListener('contextmenu', (event) => {
    if (event.defaultPrevented || !(event.target instanceof Element)) return;
    const field = event.target.closest('input, textarea, [contenteditable]');
    const selectionText = getSelection()?.toString() ?? '';
    const hasText = field instanceof HTMLInputElement && field.value !== '';
    void openMenu({
      isEditable: field !== null,
      selectionText,
      editFlags: {
        canCut: field !== null && selectionText !== '',
        canCopy: selectionText !== '',
        canPaste: field !== null,
        canSelectAll: hasText,
      },
    });
  });
}
