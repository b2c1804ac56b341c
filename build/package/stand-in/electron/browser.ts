export interface Frame {
  readonly url: string;
  readonly parent: Frame | null;
}

/** Properties of the place that was right-clicked. */
export interface MenuPlace {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: Readonly<Record<`can${'Cut' | 'Copy' | 'Paste' | 'SelectAll'}`, boolean>>;
}

/** Settings of a page, and its requests to the main process. */
export interface PageSetup {
  /** The address of the private scheme that stands for the page, such as `desk://app`. */
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

/** Provided by a test, because a stand-in draws nothing: a module with `openPage`. */
export interface Browser {
  openPage(setup: PageSetup): Promise<Page>;
}

/** The browser that the test provides for this run. */
export async function takeBrowser(): Promise<Browser> {
  const module = process.env['STAND_IN_BROWSER'];
  if (module === undefined) throw new Error('This is a stand-in for Electron, and has no window');
  const browser: Browser = await import(module);
  return browser;
}
