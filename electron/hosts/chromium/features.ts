import { spawn } from 'node:child_process';
import { AppError } from '../../../shared/errors.ts';
import { findProgram, type HostMachine, thisMachine } from '../find-browser.ts';
import type { HostScheduler } from '../schedule/system-schedule.ts';

/** Starts a program without waiting for its end; rejects when it cannot be started. */
export type Start = (program: string, args: readonly string[]) => Promise<void>;

const noScheduler: HostScheduler = {
  readSchedule: async () => ({ isOn: false, obstacle: 'no-scheduler', command: '' }),
  setSchedule: () =>
    Promise.reject(new AppError('invalid', 'This window cannot create a scheduled task')),
};

/**
 * Creates the host features of a browser window: the system's own programs open files and show
 * notifications.
 */
export function createHostFeatures(
  schedule: HostScheduler = noScheduler,
  machine: HostMachine = thisMachine,
  start: Start = startDetached,
) {
  const opener = findOpenerProgram(machine);
  const notifier = machine.platform === 'linux' ? findProgram('notify-send', machine) : undefined;
  const open = async (target: string): Promise<void> => {
    if (opener === undefined) {
      throw new AppError('invalid', 'This computer has no program to open a file with');
    }
    await start(opener, [target]);
  };
  return {
    describe: {
      chooseFolder: false,
      openPath: opener !== undefined,
      dragFile: false,
      notify: notifier !== undefined,
      progress: false,
      badge: false,
      // The browser window has no menu, and the program ends with the window.
      menu: false,
      tray: false,
      loginStart: false,
    },
    chooseFolder: () =>
      Promise.reject(
        new AppError('invalid', 'A browser window cannot choose a folder. Enter the path instead'),
      ),
    openPath: open,
    dragFile: () =>
      Promise.reject(new AppError('invalid', 'Files cannot be dragged out of a browser window')),
    // A desktop without a notification service reports the error itself; the window shows the same
    // text.
    notify: (title: string, body: string) => {
      if (notifier !== undefined)
        start(notifier, notificationArguments(title, body)).catch(() => undefined);
    },
    progress: () => undefined,
    badge: () => undefined,
    menu: () => undefined,
    status: () => undefined,
    // A browser has no dialog outside its page.
    confirm: null,
    startsAtLogin: () => false,
    startAtLogin: () =>
      Promise.reject(
        new AppError('invalid', 'The browser window cannot be started with the computer'),
      ),
    readSchedule: () => schedule.readSchedule(),
    setSchedule: (isOn: boolean) => schedule.setSchedule(isOn),
  };
}

/** Returns the program that opens a file or an address with the system's default application. */
function findOpenerProgram(machine: HostMachine): string | undefined {
  if (machine.platform === 'darwin') return findProgram('open', machine);
  if (machine.platform === 'win32') return findProgram('explorer.exe', machine);
  return findProgram('xdg-open', machine);
}

/**
 * Returns the arguments of a notification. The text is never read as an option, even if it
 * begins with a hyphen. Desktops interpret markup (Pango) in the body, but not in the title.
 */
const notificationArguments = (title: string, body: string): readonly string[] => [
  '--app-name=Signing Desk',
  '--',
  title,
  body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

function startDetached(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
