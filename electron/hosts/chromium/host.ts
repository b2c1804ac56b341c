import type { BrowserContext, Page } from 'playwright';
import type { Assets } from '../page/assets.ts';
import type { WindowDesk } from './connect.ts';
import { launchBrowser, ORIGIN, type WindowOptions } from './launch.ts';
import { placeWindow } from './placement.ts';
import { createProfile } from './profile.ts';

/** Timeout (ms) of the page's last messages, after which the browser is ended. */
const CLOSE_TIMEOUT_MS = 3000;

export interface ChromiumWindow {
  readonly page: Page;
  show(): Promise<void>;
  /**
   * Promise that resolves once the window is closed and no process or file of the browser is left,
   * also if the user closed the window.
   */
  readonly closed: Promise<void>;
  /** Closes the window as its close button does: the page first sends the text typed last. */
  close(): Promise<void>;
}

/**
 * Opens a browser window for the desk, and answers its page until the window closes.
 * @param load Returns the desk; called once the browser is starting, so that both start at the same
 * time.
 */
export async function openChromium(
  load: () => Promise<WindowDesk>,
  assets: Assets,
  options: WindowOptions,
): Promise<ChromiumWindow> {
  const profile = await createProfile(options.profilesDir);
  const launching = launchBrowser(profile, options).then(
    // The listener is added immediately: the browser may end while the desk is still loading.
    (context) => ({ context, closed: contextClosed(context).then(() => profile.remove()) }),
    async (error: unknown) => {
      await profile.remove();
      throw error;
    },
  );
  // While the browser starts, everything is loaded that its start does not need.
  const [launched, loaded, connecting] = await Promise.allSettled([
    launching,
    load(),
    import('./connect.ts'),
  ]);
  if (launched.status === 'rejected') throw launched.reason;
  const { context, closed } = launched.value;
  try {
    if (loaded.status === 'rejected') throw loaded.reason;
    if (connecting.status === 'rejected') throw connecting.reason;
    const desk = loaded.value;
    const page = context.pages()[0] ?? (await context.newPage());
    // The guards are installed before the page's first request.
    const { connect, keepToOurPage } = connecting.value;
    await connect(context, page, { assets, desk });
    const isPlaced = !options.headless && options.size !== null;
    const fit = isPlaced ? await placeWindow(context, page, options.size) : null;
    // After a page crash or a closed window, the browser shows nothing.
    const end = (): void => void closeBrowser(context);
    page.once('close', end);
    page.once('crash', end);
    const show = async (): Promise<void> => {
      await page.goto(`${ORIGIN}/`);
      keepToOurPage(context, page);
      await fit?.();
    };
    return { page, show, closed, close: () => closeWindow(context, page) };
  } catch (error) {
    await context.close();
    await closed;
    throw error;
  }
}

async function closeWindow(context: BrowserContext, page: Page): Promise<void> {
  if (!page.isClosed()) {
    const isClosed = page.waitForEvent('close', { timeout: CLOSE_TIMEOUT_MS });
    // A crashed or hanging page does not answer, and is closed with its browser.
    await Promise.all([isClosed, page.close({ runBeforeUnload: true })]).catch(() => undefined);
  }
  await closeBrowser(context);
}

/** The browser may end with its last window; then the request to close it is not answered. */
const closeBrowser = (context: BrowserContext): Promise<void> =>
  context.close().catch(() => undefined);

const contextClosed = (context: BrowserContext): Promise<void> =>
  new Promise((resolve) => context.once('close', () => resolve()));
