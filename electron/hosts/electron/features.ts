import { app, type BrowserWindow, dialog, Notification, shell } from 'electron';
import type { HostMenu, HostStatus } from '../../../shared/contract/host.ts';
import { AppError } from '../../../shared/errors.ts';
import type { HostSetup } from '../../compose/compose.ts';
import type { LoginStart } from './login.ts';

interface FeatureParts {
  readonly window: BrowserWindow;
  readonly showMenu: (menu: HostMenu) => void;
  readonly showStatus: (status: HostStatus) => void;
  /** Null where the program is not at a place that lasts. */
  readonly login: LoginStart | null;
}

/** What Electron's window lends the desk. */
export function createHostFeatures({
  window,
  showMenu,
  showStatus,
  login,
}: FeatureParts): HostSetup['features'] {
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
      const icon = await app.getFileIcon(file);
      window.webContents.startDrag({ file, icon });
    },
    notify: (title: string, body: string) => new Notification({ title, body }).show(),
    // Electron takes the bar away for any negative number.
    progress: (fraction: number | null) => window.setProgressBar(fraction ?? -1),
    badge: (count: number) => void app.setBadgeCount(count),
    menu: showMenu,
    status: showStatus,
    startsAtLogin: () => login?.isOn() ?? false,
    async startAtLogin(isOn: boolean) {
      if (login === null)
        throw new AppError('invalid', 'Only a packaged program can be started so');
      login.set(isOn);
    },
  };
}
