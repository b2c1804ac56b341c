/** A frame of a page, as the main process sees it. */
export interface Frame {
  readonly url: string;
  readonly parent: Frame | null;
}

/** What is known of the place that was clicked with the other button. */
export interface MenuPlace {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: Readonly<Record<`can${'Cut' | 'Copy' | 'Paste' | 'SelectAll'}`, boolean>>;
}

/** How a page is to be made, and what it asks of the main process. */
export interface PageSetup {
  /** The address of the private scheme that stands for the page, such as `desk://app`. */
  readonly origin: string;
  /** The text of the preload script. */
  readonly preload: string;
  readonly width: number;
  readonly height: number;
  /** Answers a request of the page; null when the session does not let it through. */
  answer(request: Request): Promise<Response | null>;
  receive(channel: string, frame: Frame | null, args: readonly unknown[]): void;
  openMenu(place: MenuPlace): void;
}

/** A page in a real browser. */
export interface Page {
  readonly mainFrame: Frame;
  load(url: string): Promise<void>;
  send(channel: string, args: readonly unknown[]): void;
  close(): Promise<void>;
}

/** What a test lends, since a stand-in draws nothing: a module with `openPage`. */
export interface Browser {
  openPage(setup: PageSetup): Promise<Page>;
}

/** The browser that was lent for this run. */
export async function takeBrowser(): Promise<Browser> {
  const module = process.env['STAND_IN_BROWSER'];
  if (module === undefined) throw new Error('This is a stand-in for Electron, and has no window');
  const browser: Browser = await import(module);
  return browser;
}
