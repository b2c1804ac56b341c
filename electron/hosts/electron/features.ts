import { app, type BrowserWindow, dialog, nativeImage, Notification, shell } from 'electron';
import type { HostMenu, HostStatus, HostConfirmation } from '../../../shared/contract/host.ts';
import { AppError } from '../../../shared/errors.ts';
import type { HostSetup } from '../../compose/compose.ts';
import { ICON } from './icon.ts';
import type { LoginStart } from './login.ts';
import type { HostScheduler } from '../schedule/system-schedule.ts';
import type { HostWords } from './words.ts';
import { withoutUnsafeCharacters } from '../../../shared/rules/text/visible.ts';

/** Index of the button that allows the action; the other button is the default. */
const ALLOW_BUTTON = 1;
const CANCEL_BUTTON = 0;

interface FeatureParts {
  readonly window: BrowserWindow;
  readonly words: () => HostWords;
  /** Brings the window to the front. */
  readonly show: () => void;
  readonly showMenu: (menu: HostMenu) => void;
  readonly showStatus: (status: HostStatus) => void;
  /** Login start of this program; null if the program's path is not permanent. */
  readonly login: LoginStart | null;
  readonly schedule: HostScheduler;
}

export function createHostFeatures({
  window,
  words,
  show,
  showMenu,
  showStatus,
  login,
  schedule,
}: FeatureParts): HostSetup['features'] {
  /**
   * A notification without a reference is garbage-collected together with its click
   * (electron#16922).
   */
  const notices = new Set<Notification>();
  return {
    describe: {
      chooseFolder: true,
      openPath: true,
      dragFile: true,
      notify: true,
      progress: true,
      badge: true,
      menu: true,
      tray: true,
      loginStart: login !== null,
    },
    async chooseFolder() {
      const properties: ('openDirectory' | 'createDirectory')[] = [
        'openDirectory',
        'createDirectory',
      ];
      const { filePaths } = await dialog.showOpenDialog(window, { properties });
      return filePaths[0] ?? null;
    },
    async openPath(file: string) {
      const problem = await shell.openPath(file);
      if (problem !== '') throw new AppError('storage', problem);
    },
    async dragFile(file: string) {
      const own = await app.getFileIcon(file);
      // Some systems have no icon for a file, and a drag without a picture throws (electron#48233).
      const icon = own.isEmpty() ? nativeImage.createFromBuffer(Buffer.from(ICON, 'base64')) : own;
      window.webContents.startDrag({ file, icon });
    },
    notify(title: string, body: string) {
      const notice = new Notification({ title, body });
      const forget = () => void notices.delete(notice);
      notices.add(notice);
      notice.on('click', show).on('close', forget).on('failed', forget);
      notice.show();
    },
    // A negative number removes the progress bar (Electron).
    progress: (fraction: number | null) => window.setProgressBar(fraction ?? -1),
    badge: (count: number) => void app.setBadgeCount(count),
    menu: showMenu,
    status: showStatus,
    // The page shows text by other people, so the page must not answer instead of the user.
    async confirm(question: HostConfirmation) {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: words().ask[question.kind],
        detail: confirmationDetailOf(question, words()),
        buttons: [words().cancel, words().allow],
        defaultId: CANCEL_BUTTON,
        cancelId: CANCEL_BUTTON,
        noLink: true,
      });
      return response === ALLOW_BUTTON;
    },
    startsAtLogin: () => login?.isOn() ?? false,
    async startAtLogin(isOn: boolean) {
      if (login === null)
        throw new AppError(
          'invalid',
          'Only the installed program can be started with the computer',
        );
      login.set(isOn);
    },
    readSchedule: () => schedule.readSchedule(),
    setSchedule: (isOn: boolean) => schedule.setSchedule(isOn),
  };
}

function confirmationDetailOf(
  { kind, what, fingerprint, connection }: HostConfirmation,
  words: HostWords,
): string {
  const lines = what === null && kind !== 'recipients' ? [] : [what ?? words.everybody];
  if (connection !== null) {
    const { name, environment } = connection;
    lines.unshift(`“${name}” (${words.environment[environment]})`);
  }
  if (fingerprint !== null) lines.push(`${words.fingerprint} ${fingerprint}`);
  return lines.map(withoutUnsafeCharacters).join('\n');
}
