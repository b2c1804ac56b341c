import { app, Menu, nativeImage, Tray } from 'electron';
import type { HostStatus } from '../../../shared/contract/host.ts';
import { TRAY_ICON } from './icon.ts';
import type { HostWords } from './words.ts';

interface TrayPorts {
  readonly words: () => HostWords;
  readonly open: () => void;
  /** Opens files that were dropped on the icon, by absolute path; only macOS reports them. */
  readonly take: (files: readonly string[]) => void;
}

/** The tray icon, shown while a closed window leaves the program running. */
export class TrayIcon {
  readonly #ports: TrayPorts;
  #tray: Tray | null = null;

  constructor(ports: TrayPorts) {
    this.#ports = ports;
  }

  update({ staysInTray, underWay }: HostStatus): void {
    if (!staysInTray) {
      this.#tray?.destroy();
      this.#tray = null;
      return;
    }
    this.#tray ??= this.#create();
    const { open, idle, quit } = this.#ports.words();
    const lines = underWay.length === 0 ? [idle] : underWay;
    this.#tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: open, click: this.#ports.open },
        { type: 'separator' },
        ...lines.map((label) => ({ label, enabled: false })),
        { type: 'separator' },
        { label: quit, click: () => app.quit() },
      ]),
    );
  }

  #create(): Tray {
    // The macOS menu bar is half as high as the picture, on screens with twice as many pixels.
    const scaleFactor = process.platform === 'darwin' ? 2 : 1;
    const picture = nativeImage.createFromBuffer(Buffer.from(TRAY_ICON, 'base64'), { scaleFactor });
    // The macOS menu bar draws a template in its own colour, which depends on the wallpaper.
    if (process.platform === 'darwin') picture.setTemplateImage(true);
    const tray = new Tray(picture);
    tray.setToolTip('Signing Desk');
    tray.on('click', this.#ports.open);
    tray.on('drop-files', (_event, files) => {
      this.#ports.take(files);
      this.#ports.open();
    });
    return tray;
  }
}
