import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether a window can be shown. Only Linux regularly runs without a display, and the environment
 * variables there show whether it has one.
 */
export function hasScreen(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform,
): boolean {
  if (platform !== 'linux') return true;
  return Boolean(env['DISPLAY']) || Boolean(env['WAYLAND_DISPLAY']);
}

export const NO_SCREEN_MESSAGE =
  'There is no screen here (DISPLAY is not set). The command line works without a screen.';

/** File with all listening sockets, including those without a file (unix(7), proc(5)). */
const SOCKET_LIST_FILE = '/proc/net/unix';

/**
 * Returns the first display of the environment that a program listens for; null if there is none. A
 * display of another computer is assumed to answer, because only opening it would show whether it
 * does.
 */
export function findAvailableDisplay(
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const { WAYLAND_DISPLAY: wayland, DISPLAY: display, XDG_RUNTIME_DIR: runtime } = env;
  if (wayland && existsSync(path.resolve(runtime ?? '/', wayland))) return wayland;
  if (!display) return null;
  const number = /^(?:unix)?:(\d+)/.exec(display)?.[1];
  if (number === undefined) return display;
  const socket = `/tmp/.X11-unix/X${number}`;
  return existsSync(socket) || hasListeningSocket(`@${socket}`) ? display : null;
}

function hasListeningSocket(name: string): boolean {
  try {
    return readFileSync(SOCKET_LIST_FILE, 'utf8')
      .split('\n')
      .some((line) => line.endsWith(` ${name}`));
  } catch {
    return false;
  }
}
