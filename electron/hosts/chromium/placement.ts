import type { BrowserContext, Page } from 'playwright';

/** Share of the screen that the window takes, of the area that no bar of the desktop covers. */
const WINDOW_SHARE_OF_SCREEN = 0.85;

interface Size {
  readonly width: number;
  readonly height: number;
}

interface WindowPlacement extends Size {
  readonly left: number;
  readonly top: number;
}

/**
 * Centres a window in `room`. The window has at least the size `least`, is larger on a large
 * screen, and never extends past the edges.
 * @internal
 */
export function placeIn(room: WindowPlacement, least: Size): WindowPlacement {
  const fit = (asked: number, whole: number): number =>
    Math.min(whole, Math.max(asked, Math.round(whole * WINDOW_SHARE_OF_SCREEN)));
  const width = fit(least.width, room.width);
  const height = fit(least.height, room.height);
  const left = room.left + Math.round((room.width - width) / 2);
  const top = room.top + Math.round((room.height - height) / 2);
  return { left, top, width, height };
}

/**
 * Centres the desk's window. A browser would open it at the position of its last window, or in a
 * corner.
 */
export async function placeWindow(context: BrowserContext, page: Page, least: Size): Promise<void> {
  const browser = await context.newCDPSession(page);
  const { windowId } = await browser.send('Browser.getWindowForTarget');
  const { result } = await browser.send('Runtime.evaluate', {
    expression: '[screen.availLeft, screen.availTop, screen.availWidth, screen.availHeight]',
    returnByValue: true,
  });
  const sides: unknown = result.value;
  const [left = 0, top = 0, width = 0, height = 0] = Array.isArray(sides) ? sides.map(Number) : [];
  const bounds = placeIn({ left, top, width, height }, least);
  await browser.send('Browser.setWindowBounds', { windowId, bounds });
  await browser.detach();
}
