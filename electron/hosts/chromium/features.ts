import { spawn } from 'node:child_process';
import { AppError } from '../../../shared/errors.ts';
import { findProgram, type Machine, thisMachine } from '../find-browser.ts';

/** Starts a program and lets it go; rejects when it cannot be started. */
export type Start = (program: string, args: readonly string[]) => Promise<void>;

/** What a browser window can lend: opening things, and notifying, by the system's own programs. */
export function createHostFeatures(machine: Machine = thisMachine, start: Start = startAlone) {
  const opener = openerOf(machine);
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
      // The browser's window has none, and its program ends with it.
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
    // A desktop without a notification service says so on its own; the same stands in the window.
    notify: (title: string, body: string) => {
      if (notifier !== undefined) start(notifier, notice(title, body)).catch(() => undefined);
    },
    progress: () => undefined,
    badge: () => undefined,
    menu: () => undefined,
    status: () => undefined,
    // Its page is all that a browser has.
    confirm: null,
    startsAtLogin: () => false,
    startAtLogin: () =>
      Promise.reject(
        new AppError('invalid', 'The browser window cannot be started with the computer'),
      ),
  };
}

/** The program that opens a file or an address as the person's system would. */
function openerOf(machine: Machine): string | undefined {
  if (machine.platform === 'darwin') return findProgram('open', machine);
  if (machine.platform === 'win32') return findProgram('explorer.exe', machine);
  return findProgram('xdg-open', machine);
}

/** Whatever a text begins with, it is no option; desktops read marks (Pango's) in the text, not in the title. */
const notice = (title: string, body: string): readonly string[] => [
  '--app-name=Signing Desk',
  '--',
  title,
  body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

function startAlone(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { detached: true, stdio: 'ignore' });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve();
    });
  });
}
