import { existsSync } from 'node:fs';
import path from 'node:path';
import { app, type BrowserWindow, dialog } from 'electron';
import type { UpdateWay } from '../../../shared/contract/updates.ts';
import type { Language } from '../../../shared/model/languages.ts';
import type { UpdateSetup } from '../../compose/compose.ts';

/** The question, where the version comes from, the two buttons. */
const words: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  da: ['Installér Signing Desk {version}, når programmet lukkes?', 'Fra', 'Installér', 'Annuller'],
  de: [
    'Signing Desk {version} beim Schließen des Programms installieren?',
    ...(['Von', 'Installieren', 'Abbrechen'] as const),
  ],
  en: ['Install Signing Desk {version} when the program is closed?', 'From', 'Install', 'Cancel'],
  es: ['¿Instalar Signing Desk {version} al cerrar el programa?', 'De', 'Instalar', 'Cancelar'],
  fr: [
    'Installer Signing Desk {version} à la fermeture du programme ?',
    ...(['Depuis', 'Installer', 'Annuler'] as const),
  ],
  it: ['Installare Signing Desk {version} alla chiusura?', 'Da', 'Installa', 'Annulla'],
  nl: [
    'Signing Desk {version} installeren wanneer het programma wordt gesloten?',
    ...(['Van', 'Installeren', 'Annuleren'] as const),
  ],
  nb: ['Installere Signing Desk {version} når programmet lukkes?', 'Fra', 'Installer', 'Avbryt'],
  pl: [
    'Zainstalować Signing Desk {version} po zamknięciu programu?',
    ...(['Z', 'Zainstaluj', 'Anuluj'] as const),
  ],
  fi: [
    'Asennetaanko Signing Desk {version}, kun ohjelma suljetaan?',
    ...(['Lähde:', 'Asenna', 'Peruuta'] as const),
  ],
  sv: [
    'Installera Signing Desk {version} när programmet stängs?',
    ...(['Från', 'Installera', 'Avbryt'] as const),
  ],
};

/** Position of the button that installs; the other one is chosen unless somebody chooses. */
const INSTALL = 1;
const CANCEL = 0;

/** How this installation gets newer versions, for a command: only the window installs any. */
export function updateWayOfCommands(): Exclude<UpdateWay, 'here'> {
  const way = ownWay();
  return way === 'here' ? 'window' : way;
}

/** The same for the window, in which a person can be asked. */
export function updateSetup(window: BrowserWindow, language: Language): UpdateSetup {
  const way = ownWay();
  if (way !== 'here') return { way };
  const [question, from, install, cancel] = words[language];
  return {
    way,
    configFile: configFile(),
    // The page shows what others wrote: it can't answer for the person who is asked here.
    async confirm({ version, address }) {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: question.replace('{version}', version),
        detail: `${from} ${address}`,
        buttons: [cancel, install],
        defaultId: CANCEL,
        cancelId: CANCEL,
        noLink: true,
      });
      return response === INSTALL;
    },
  };
}

/** Written by electron-builder into everything that can be updated. */
const configFile = (): string => path.join(process.resourcesPath, 'app-update.yml');

function ownWay(): UpdateWay {
  if (!app.isPackaged) return 'checkout';
  // What was unpacked from a .zip has nothing that an installer could install over.
  const uninstaller = path.join(path.dirname(process.execPath), 'Uninstall Signing Desk.exe');
  const isOfPackage = existsSync(path.join(process.resourcesPath, 'package-type'));
  switch (process.platform) {
    case 'darwin':
      return 'here';
    case 'win32':
      return existsSync(uninstaller) ? 'here' : 'by-hand';
    default:
      // Both are packed of one folder: only the variable tells an AppImage.
      if (process.env['APPIMAGE'] !== undefined) return 'here';
      return isOfPackage ? 'package-manager' : 'by-hand';
  }
}
