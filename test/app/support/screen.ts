import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { findProgram } from '../../../electron/hosts/find-browser.ts';

const PROGRAMS = ['Xvfb', 'xfwm4', 'xprop', 'import', 'dbus-run-session'] as const;
export const canBeSeen = PROGRAMS.every((name) => findProgram(name) !== undefined);

export interface Screen {
  /** Value for `DISPLAY`. */
  readonly display: string;
  readonly width: number;
  readonly height: number;
  /** Whether a window manager announces itself. */
  isManaged(): boolean;
  /** Colours of the icon of the only window, as ARGB numbers; empty without an icon. */
  iconColours(): ReadonlySet<number>;
  /** Thickness of the frame around the only window (px); 0 on all sides without a frame. */
  frame(): {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** Takes a picture of the screen, including the browser's own parts, as PNG. */
  photograph(file: string): void;
  close(): void;
}

/** An X server that draws into memory, with a window manager as on desktops. */
export async function openScreen(width: number, height: number): Promise<Screen> {
  const server = spawn(
    'Xvfb',
    ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const display = `:${await firstLine(server)}`;
  const env = Object.assign({}, process.env, { DISPLAY: display });
  // The window manager gets its own D-Bus session, because its settings are a service that the
  // tests' bus may lack.
  const manager = spawn('dbus-run-session', ['--', 'xfwm4', '--compositor=off'], {
    env,
    stdio: 'ignore',
  });
  const onlyWindow = (): string =>
    /0x[\da-f]+/.exec(read('xprop', ['-root', '_NET_CLIENT_LIST'], env))?.[0] ?? '';
  return {
    display,
    width,
    height,
    isManaged: () => read('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], env).includes('#'),
    iconColours() {
      const icon = ['-notype', '-len', '4000000', '32c', '_NET_WM_ICON'];
      const [, list = ''] = read('xprop', ['-id', onlyWindow(), ...icon], env).split('=');
      return new Set(list.split(',').map(Number));
    },
    frame() {
      const id = onlyWindow();
      const question = ['-id', id, '-notype', '_NET_FRAME_EXTENTS'];
      const answer = id === '' ? '' : read('xprop', question, env);
      const sides = answer.includes('=') ? answer.split('=')[1]?.split(',').map(Number) : [];
      const [left = 0, right = 0, top = 0, bottom = 0] = sides ?? [];
      return { left, right, top, bottom };
    },
    photograph: (file) => void read('import', ['-window', 'root', file], env),
    close() {
      manager.kill();
      server.kill();
    },
  };
}

const read = (program: string, args: readonly string[], env: NodeJS.ProcessEnv): string =>
  execFileSync(program, args, { env, encoding: 'utf8', timeout: 10_000 });

/** Returns the first line that the server prints: the free display number that it found. */
function firstLine(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error('The X server ended')));
    server.stdio[3]?.once('data', (data: Buffer) => resolve(data.toString().trim()));
  });
}
