import type { BrowserContext, Page } from 'playwright';
import type { Assets } from '../page/assets.ts';
import type { ShownDesk } from './connect.ts';
import { launch, ORIGIN, type WindowOptions } from './launch.ts';
import { placeWindow } from './placement.ts';
import { createProfile } from './profile.ts';

export interface ChromiumWindow {
  readonly page: Page;
  /** Loads the page. */
  show(): Promise<void>;
  /** Resolves once the window is closed, by whomever, and nothing of the browser is left. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens a browser window for the desk, and answers its page until the window closes.
 * @param load gives the desk; called once the browser is on its way, so that both start together
 */
export async function openChromium(
  load: () => Promise<ShownDesk>,
  assets: Assets,
  options: WindowOptions,
): Promise<ChromiumWindow> {
  const profile = await createProfile(options.profilesDir);
  const launching = launch(profile, options).then(
    // Listened for at once: the browser may end while the desk is still being read.
    (context) => ({ context, closed: closing(context).then(() => profile.remove()) }),
    async (error: unknown) => {
      await profile.remove();
      throw error;
    },
  );
  // All that the browser does not need to start is read while it does.
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
    // Everything stands before the page's first request.
    const { connect, keepToOurPage } = connecting.value;
    await connect(context, page, { assets, desk });
    if (!options.headless && options.size !== null) {
      await placeWindow(context, page, options.size);
    }
    // A page that crashed, or a window closed, leaves a browser that shows nothing.
    const end = (): void => void context.close();
    page.once('close', end);
    page.once('crash', end);
    const show = async (): Promise<void> => {
      await page.goto(`${ORIGIN}/`);
      keepToOurPage(context, page);
    };
    return { page, show, closed, close: () => context.close() };
  } catch (error) {
    await context.close();
    await closed;
    throw error;
  }
}

const closing = (context: BrowserContext): Promise<void> =>
  new Promise((resolve) => context.once('close', () => resolve()));
