import { existsSync } from 'node:fs';
import path from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { UpdateMethod } from '../../../shared/contract/updates.ts';
import type { UpdateSetup } from '../../compose/compose.ts';
import type { HostWords } from './words.ts';

/** Index of the button that installs; the other button is the default. */
const INSTALL_BUTTON = 1;
const UPDATE_CANCEL_BUTTON = 0;

/**
 * Returns the way in which this installation gets newer versions, for a command: only the window
 * installs updates.
 */
export function commandLineUpdateMethod(): Exclude<UpdateMethod, 'here'> {
  const way = ownUpdateMethod();
  return way === 'here' ? 'window' : way;
}

/**
 * Returns the way in which this installation gets newer versions, for the window, in which the user
 * can be asked.
 */
export function windowUpdateSetup(window: BrowserWindow, words: () => HostWords): UpdateSetup {
  const way = ownUpdateMethod();
  if (way !== 'here') return { way };
  return {
    way,
    configFile: packagedConfigFile(),
    // The page shows text by other people, so the page must not answer instead of the user.
    async confirm({ version, address, fingerprint }) {
      const { update, updateFrom, fingerprint: named, install, cancel } = words();
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: update.replace('{version}', version),
        detail: `${updateFrom} ${address}\n${named} ${fingerprint}`,
        buttons: [cancel, install],
        defaultId: UPDATE_CANCEL_BUTTON,
        cancelId: UPDATE_CANCEL_BUTTON,
        noLink: true,
      });
      return response === INSTALL_BUTTON;
    },
  };
}

/**
 * Returns the path of a file that electron-builder writes into every package that can be updated.
 */
const packagedConfigFile = (): string => path.join(process.resourcesPath, 'app-update.yml');

function ownUpdateMethod(): UpdateMethod {
  if (!app.isPackaged) return 'checkout';
  // Files unpacked from a .zip have no installation that an installer could replace.
  const uninstaller = path.join(path.dirname(process.execPath), 'Uninstall Signing Desk.exe');
  const isOfPackage = existsSync(path.join(process.resourcesPath, 'package-type'));
  switch (process.platform) {
    case 'darwin':
      return 'here';
    case 'win32':
      return existsSync(uninstaller) ? 'here' : 'by-hand';
    default:
      // An AppImage and a package of a package manager are packed from the same folder: only the
      // variable identifies an AppImage.
      if (process.env['APPIMAGE'] !== undefined) return 'here';
      return isOfPackage ? 'package-manager' : 'by-hand';
  }
}
