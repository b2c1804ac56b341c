import { type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import type { Language } from '../../../shared/model/languages.ts';

/** Electron names its items in English alone: cut, copy, paste, select all. */
const words: Readonly<Record<Language, readonly [string, string, string, string]>> = {
  da: ['Klip', 'Kopiér', 'Sæt ind', 'Markér alt'],
  de: ['Ausschneiden', 'Kopieren', 'Einfügen', 'Alles auswählen'],
  en: ['Cut', 'Copy', 'Paste', 'Select all'],
  es: ['Cortar', 'Copiar', 'Pegar', 'Seleccionar todo'],
  fr: ['Couper', 'Copier', 'Coller', 'Tout sélectionner'],
  it: ['Taglia', 'Copia', 'Incolla', 'Seleziona tutto'],
  nl: ['Knippen', 'Kopiëren', 'Plakken', 'Alles selecteren'],
  nb: ['Klipp ut', 'Kopier', 'Lim inn', 'Merk alt'],
  pl: ['Wytnij', 'Kopiuj', 'Wklej', 'Zaznacz wszystko'],
  fi: ['Leikkaa', 'Kopioi', 'Liitä', 'Valitse kaikki'],
  sv: ['Klipp ut', 'Kopiera', 'Klistra in', 'Markera allt'],
};

/**
 * The menu of the program. A Mac shows it, and copies and pastes through it. Elsewhere it is out of
 * sight and has the keys that a browser has for free: zoom and the whole screen. No key closes the
 * window there, in which something may wait to be sent.
 */
export function setMenu(window: BrowserWindow): void {
  const view: MenuItemConstructorOptions = {
    role: 'viewMenu',
    submenu: [
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      // Plus stands above equals on many keyboards.
      { role: 'zoomIn', accelerator: 'CommandOrControl+=', visible: false },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
    ],
  };
  const isMac = process.platform === 'darwin';
  const others = isMac ? (['appMenu', 'editMenu', 'windowMenu'] as const) : [];
  Menu.setApplicationMenu(Menu.buildFromTemplate([...others.map((role) => ({ role })), view]));
  if (!isMac) window.setMenuBarVisibility(false);
}

/** Offers what can be done with the text under the pointer; Electron draws no such menu itself. */
export function offerContextMenu(window: BrowserWindow, language: Language): void {
  const [cut, copy, paste, selectAll] = words[language];
  window.webContents.on('context-menu', (_event, { isEditable, editFlags, selectionText }) => {
    if (!isEditable && selectionText === '') return;
    const copying = { role: 'copy', label: copy, enabled: editFlags.canCopy } as const;
    const items: MenuItemConstructorOptions[] = isEditable
      ? [
          { role: 'cut', label: cut, enabled: editFlags.canCut },
          copying,
          { role: 'paste', label: paste, enabled: editFlags.canPaste },
          { type: 'separator' },
          { role: 'selectAll', label: selectAll, enabled: editFlags.canSelectAll },
        ]
      : [copying];
    Menu.buildFromTemplate(items).popup({ window });
  });
}
