import type { BrowserContext, Page } from 'playwright';
import { ORIGIN } from './launch.ts';
import { mayDownload, mayGo, mayOpenWindow } from '../page/policy.ts';

/** Keeps the one window to the one page: popups close, downloads stop, strange addresses go back. */
export function keepToOurPage(context: BrowserContext, page: Page): void {
  context.on('page', (other) => {
    if (other !== page && !mayOpenWindow(other.url())) other.close().catch(alreadyGone);
  });
  page.on('download', (download) => {
    if (!mayDownload(download.url(), ORIGIN)) download.cancel().catch(alreadyGone);
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(alreadyGone));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || mayGo(frame.url(), ORIGIN)) return;
    // `about:blank` and the like ask for nothing that could be refused on the way.
    page.goto(`${ORIGIN}/`).catch(() => page.close().catch(alreadyGone));
  });
}

/** What is told to close as the window closes may be gone before it hears of it. */
function alreadyGone(): void {}
