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
  return {
    display,
    width,
    height,
    isManaged: () => read('xprop', ['-root', '_NET_SUPPORTING_WM_CHECK'], env).includes('#'),
    iconColours() {
      const [id = ''] = /0x[\da-f]+/.exec(read('xprop', ['-root', '_NET_CLIENT_LIST'], env)) ?? [];
      const icon = ['-notype', '-len', '4000000', '32c', '_NET_WM_ICON'];
      const [, list = ''] = read('xprop', ['-id', id, ...icon], env).split('=');
      return new Set(list.split(',').map(Number));
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
