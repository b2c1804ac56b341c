import type { BrowserContext, Page } from 'playwright';
import { firstWindowSize, type Size } from '../window-size.ts';

/**
 * Space for the sides and the lower edge of a frame (px), whose thickness the browser cannot read.
 * Title bars are measured.
 */
const FRAME_BORDER = 8;

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
  const { width, height } = firstWindowSize(room, least);
  const left = room.left + Math.round((room.width - width) / 2);
  const top = room.top + Math.round((room.height - height) / 2);
  return { left, top, width, height };
}

/**
 * Makes the window smaller if its frame extends past an edge of `room`. The browser does not know
 * the thickness of the frame before the window is on the screen.
 * @param asked The place that the browser requested.
 * @param seen The place that the desktop gave the window.
 * @returns The place to request instead; null if the window fits.
 * @internal
 */
export function fitFrame(
  room: WindowPlacement,
  asked: WindowPlacement,
  seen: WindowPlacement,
): WindowPlacement | null {
  const right = room.left + room.width;
  const bottom = room.top + room.height;
  if (seen.left + seen.width <= right && seen.top + seen.height <= bottom) return null;
  // The desktop moves or enlarges the next window in the same way.
  const beyondLeft = seen.left - asked.left + seen.width - asked.width;
  const beyondTop = seen.top - asked.top + seen.height - asked.height;
  const left = Math.max(asked.left, room.left + FRAME_BORDER);
  const width = Math.min(asked.width, right - FRAME_BORDER - left - beyondLeft);
  const height = Math.min(asked.height, bottom - FRAME_BORDER - asked.top - beyondTop);
  return { left, top: asked.top, width, height };
}

/**
 * Centres the desk's window. A browser would open it at the position of its last window, or in a
 * corner.
 * @returns Function that makes the window smaller if its frame does not fit. Call it after the page
 * is loaded: the desktop frames the window some time after the browser placed it.
 */
export async function placeWindow(
  context: BrowserContext,
  page: Page,
  least: Size,
): Promise<() => Promise<void>> {
  const room = await read(context, page, AVAILABLE);
  const asked = placeIn(room, least);
  await request(context, page, asked);
  return async () => {
    const fitting = fitFrame(room, asked, await read(context, page, WINDOW));
    if (fitting !== null) await request(context, page, fitting);
  };
}

/** The part of the screen without the desktop's bars, and the window, as the page knows them. */
const AVAILABLE = '[screen.availLeft, screen.availTop, screen.availWidth, screen.availHeight]';
const WINDOW = '[screenX, screenY, outerWidth, outerHeight]';

async function read(
  context: BrowserContext,
  page: Page,
  expression: string,
): Promise<WindowPlacement> {
  const browser = await context.newCDPSession(page);
  const { result } = await browser.send('Runtime.evaluate', { expression, returnByValue: true });
  await browser.detach();
  const sides: unknown = result.value;
  const [left = 0, top = 0, width = 0, height = 0] = Array.isArray(sides) ? sides.map(Number) : [];
  return { left, top, width, height };
}

async function request(
  context: BrowserContext,
  page: Page,
  bounds: WindowPlacement,
): Promise<void> {
  const browser = await context.newCDPSession(page);
  const { windowId } = await browser.send('Browser.getWindowForTarget');
  await browser.send('Browser.setWindowBounds', { windowId, bounds });
  await browser.detach();
}
