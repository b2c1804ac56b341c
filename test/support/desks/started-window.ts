import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { HostSetup } from '../../../electron/compose/compose.ts';
import type { Emit, Handlers } from '../../../shared/contract/index.ts';
import type { Channel } from '../../../shared/wire.ts';
import { createFakeElectron, type FakeFrame } from '../fakes/fake-electron.ts';

type Calls = Partial<Handlers>;

/** Interval of checks (ms); a start on the fake Electron takes a few milliseconds. */
const POLL = 2;
/** Timeout of a start that hangs (ms). */
const TIMEOUT_MS = 120_000;

export interface StartOptions {
  /** Arguments after the program's name; `--data` with a test folder by default. */
  readonly args?: readonly string[];
  readonly isFirst?: boolean;
  readonly isPackaged?: boolean;
  /** Free area of the only screen (device-independent pixels). */
  readonly workArea?: { readonly width: number; readonly height: number };
  /** Simulated platform; for the host, Windows differs from Linux only in the login item. */
  readonly platform?: 'linux' | 'darwin';
  /** Answers of the core behind the window. */
  readonly calls?: Calls;
  /** Hook before the main process starts. */
  readonly before?: (folder: string) => void;
}

/** A core that answers only `calls`, and records the host's requests. */
function createDeskBehind(calls: Calls) {
  const state = {
    emit: (() => {}) as Emit,
    setup: undefined as HostSetup | undefined,
    did: [] as string[],
    taken: [] as Uint8Array[],
    arrived: [] as unknown[],
    /** Promise that the core's shutdown waits for. */
    closing: Promise.resolve(undefined) as Promise<undefined>,
  };
  const desk = {
    handlers: calls as Handlers,
    toFailure: (error: unknown) => {
      state.did.push(`noted ${error instanceof Error ? error.message : String(error)}`);
      return { code: 'unexpected' as const, message: 'not in this test' };
    },
    sleepSoon: () => void state.did.push('sleepSoon'),
    wokeUp: () => void state.did.push('wokeUp'),
    setEmit: (emit: Emit) => {
      state.emit = emit;
    },
    open: () => Promise.resolve(void state.did.push('open')),
    async close() {
      await state.closing;
      state.did.push('close');
    },
    installUpdate: () => void state.did.push('install update'),
    arrive: (given: unknown) => void state.arrived.push(given),
    serveBytes: (asked: string) =>
      Promise.resolve(
        asked === '/bytes/out/1' ? { type: 'application/pdf', data: Buffer.from('%PDF-') } : null,
      ),
    acceptBytes: (data: Uint8Array) => {
      state.taken.push(data);
      return 'id-of-bytes';
    },
  };
  return { state, desk };
}

function setPlatform(value: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { value });
}

/** Runs the Electron host on a fake Electron that is not ready yet. */
export async function startHost(options: StartOptions = {}) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'signing-desk-window-'));
  const { argv, platform } = process;
  onTestFinished(() => {
    process.argv = argv;
    setPlatform(platform);
    rmSync(folder, { recursive: true });
  });
  // As in Electron, this is the folder next to the program's archive; a test may have created it.
  if (!('resourcesPath' in process) || process.resourcesPath === undefined) {
    Object.defineProperty(process, 'resourcesPath', { value: folder, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(process, 'resourcesPath'));
  }
  options.before?.(folder);
  const electron = createFakeElectron(options);
  const { desk, state } = createDeskBehind(options.calls ?? {});
  const command = vi.fn(() => Promise.resolve(7));
  const program = options.isPackaged === false ? ['electron', '/srv/signing-desk'] : ['desk'];
  process.argv = [...program, ...(options.args ?? ['--data', folder])];
  vi.resetModules();
  vi.doMock('electron', () => electron);
  vi.doMock('../../../electron/hosts/cli/run.ts', () => ({ runCli: command }));
  vi.doMock('../../../electron/compose/compose.ts', () => ({
    createDesk: (setup: typeof state.setup) => {
      state.setup = setup;
      return desk;
    },
  }));
  await import('../../../electron/hosts/electron/main.ts');
  // Set the platform last, because files are found by the rules of the real platform.
  if (options.platform !== undefined) setPlatform(options.platform);
  return { electron, folder, state, command };
}

/** Starts the Electron host and waits until its window loads something. */
export async function startWindow(options: StartOptions = {}) {
  const host = await startHost(options);
  const { seen } = host.electron;
  seen.becomeReady();
  await vi.waitUntil(() => seen.windows.some((window) => window.loaded.length > 0), {
    interval: POLL,
    timeout: TIMEOUT_MS,
  });
  const window = seen.windows[0];
  const session = seen.sessions.get('desk');
  if (window === undefined || session === undefined) throw new Error('no window was opened');
  return { ...host, window, session };
}

export type StartedWindow = Awaited<ReturnType<typeof startWindow>>;

/** The page's side of the channel from `frame`, as the preload script provides it. */
export function channelFrom(
  { electron, window }: StartedWindow,
  frame: FakeFrame | null = window.webContents.mainFrame,
): Channel & { readonly replies: string[] } {
  const replies: string[] = [];
  const listeners: ((message: string) => void)[] = [];
  window.webContents.send = (_channel: string, message: unknown) => {
    replies.push(String(message));
    for (const listener of listeners) listener(String(message));
  };
  return {
    replies,
    post: (message) => void electron.ipcMain.emit('desk', { senderFrame: frame }, message),
    onMessage: (listener) => void listeners.push(listener),
  };
}
