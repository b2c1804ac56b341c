export interface Frame {
  readonly url: string;
  readonly parent: Frame | null;
}

/** Properties of the element that the user right-clicked. */
export interface MenuPlace {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: Readonly<Record<`can${'Cut' | 'Copy' | 'Paste' | 'SelectAll'}`, boolean>>;
}

/** Settings of a page, and its requests to the main process. */
export interface PageSetup {
  /** Origin of the page, in the private scheme, such as `desk://app`. */
  readonly origin: string;
  readonly preload: string;
  readonly width: number;
  readonly height: number;
  /** Answers a request of the page; null if the session blocks it. */
  answer(request: Request): Promise<Response | null>;
  receive(channel: string, frame: Frame | null, args: readonly unknown[]): void;
  openMenu(place: MenuPlace): void;
}

export interface Page {
  readonly mainFrame: Frame;
  load(url: string): Promise<void>;
  send(channel: string, args: readonly unknown[]): void;
  close(): Promise<void>;
}

/** Browser that a test provides as a module with `openPage`, because the stand-in draws nothing. */
export interface Browser {
  openPage(setup: PageSetup): Promise<Page>;
}

/** Loads the browser that the test provides for this run. Throws if the test provides none. */
export async function takeBrowser(): Promise<Browser> {
  const module = process.env['STAND_IN_BROWSER'];
  if (module === undefined) throw new Error('This is a stand-in for Electron, and has no window');
  const browser: Browser = await import(module);
  return browser;
}
