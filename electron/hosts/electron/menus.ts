import { app, type BrowserWindow, Menu, type MenuItemConstructorOptions } from 'electron';
import type { HostMenu } from '../../../shared/contract/host.ts';
import type { Language } from '../../../shared/model/languages.ts';
import { type HostWords, hostWords } from './words.ts';

type MenuItems = MenuItemConstructorOptions[];
const MENU_SEPARATOR = { type: 'separator' } as const;

interface MenuPorts {
  readonly window: BrowserWindow;
  /** Language until the page reports its own. */
  readonly language: Language;
  /** Runs a command in the page, as the command palette does. */
  readonly run: (commandId: string) => void;
}

/**
 * Menus of the program: commands that the page sends with their texts, and Electron's own. macOS
 * shows the menus at the top of the screen, and uses them for copy and paste. On other systems the
 * menu bar is hidden until Alt is pressed, because the window offers every command itself. On these
 * systems no key closes the window.
 */
export class Menus {
  readonly #ports: MenuPorts;
  #offered: HostMenu;

  constructor(ports: MenuPorts) {
    this.#ports = ports;
    this.#offered = { language: ports.language, groups: [] };
    this.#draw();
    ports.window.webContents.on('context-menu', (_event, place) => this.#popUp(place));
  }

  /** Texts of the main process, in the language of the window. */
  get words(): HostWords {
    return hostWords[this.#offered.language];
  }

  show(menu: HostMenu): void {
    this.#offered = menu;
    this.#draw();
  }

  #draw(): void {
    const isMac = process.platform === 'darwin';
    const { words } = this;
    const [first, ...others] = this.#offered.groups.map((group) => this.#submenu(group));
    const quit: MenuItems = [MENU_SEPARATOR, { label: words.quit, click: () => app.quit() }];
    const program = {
      label: 'Signing Desk',
      submenu: isMac ? macProgramMenu(words) : quit.slice(1),
    };
    // On macOS the first menu is the program's; on other systems its items are at the end of the
    // first menu.
    const head: MenuItems = isMac || first === undefined ? [program] : [];
    const commands: MenuItems =
      first === undefined
        ? []
        : [{ label: first.label, submenu: [...first.submenu, ...(isMac ? [] : quit)] }];
    const tail: MenuItems = isMac ? [{ label: words.window, submenu: macWindowMenu(words) }] : [];
    const edit = { label: words.edit, submenu: editMenuItems(words) };
    const view = { label: words.view, submenu: viewMenuItems(words) };
    Menu.setApplicationMenu(
      Menu.buildFromTemplate([...head, ...commands, edit, view, ...others, ...tail]),
    );
  }

  #submenu({ title, commands }: HostMenu['groups'][number]) {
    const submenu = commands.map(({ id, label, accelerator }): MenuItemConstructorOptions => {
      const item = { label, click: () => this.#ports.run(id) };
      if (accelerator === null) return item;
      // The page handles its own keys, and detects when they belong to a text.
      return { ...item, accelerator, registerAccelerator: false };
    });
    return { label: title, submenu };
  }

  /** Shows a context menu for the text under the pointer, since Electron shows none itself. */
  #popUp({ isEditable, editFlags, selectionText }: Electron.ContextMenuParams): void {
    if (!isEditable && selectionText === '') return;
    const { cut, copy, paste, selectAll } = this.words;
    const copying = { role: 'copy', label: copy, enabled: editFlags.canCopy } as const;
    const items: MenuItems = isEditable
      ? [
          { role: 'cut', label: cut, enabled: editFlags.canCut },
          copying,
          { role: 'paste', label: paste, enabled: editFlags.canPaste },
          MENU_SEPARATOR,
          { role: 'selectAll', label: selectAll, enabled: editFlags.canSelectAll },
        ]
      : [copying];
    Menu.buildFromTemplate(items).popup({ window: this.#ports.window });
  }
}

const editMenuItems = (words: HostWords): MenuItems => [
  { role: 'undo', label: words.undo },
  { role: 'redo', label: words.redo },
  MENU_SEPARATOR,
  { role: 'cut', label: words.cut },
  { role: 'copy', label: words.copy },
  { role: 'paste', label: words.paste },
  { role: 'selectAll', label: words.selectAll },
];

const viewMenuItems = (words: HostWords): MenuItems => [
  { role: 'resetZoom', label: words.actualSize },
  { role: 'zoomIn', label: words.zoomIn },
  // Plus is Shift+equals on many keyboards.
  { role: 'zoomIn', label: words.zoomIn, accelerator: 'CommandOrControl+=', visible: false },
  { role: 'zoomOut', label: words.zoomOut },
  { role: 'togglefullscreen', label: words.fullScreen },
];

const macProgramMenu = (words: HostWords): MenuItems => [
  { role: 'about', label: words.about },
  MENU_SEPARATOR,
  { role: 'services', label: words.services },
  MENU_SEPARATOR,
  { role: 'hide', label: words.hide },
  { role: 'hideOthers', label: words.hideOthers },
  { role: 'unhide', label: words.showAll },
  MENU_SEPARATOR,
  { role: 'quit', label: words.quit },
];

const macWindowMenu = (words: HostWords): MenuItems => [
  { role: 'minimize', label: words.minimise },
  { role: 'zoom', label: words.zoom },
  MENU_SEPARATOR,
  { role: 'front', label: words.front },
];
