import type { BrowserContext, Page } from 'playwright';
import { ORIGIN } from './launch.ts';
import { mayDownload, mayNavigate, mayOpenWindow } from '../page/policy.ts';

/**
 * Keeps the window on our page: closes popups, cancels downloads, and goes back from other
 * addresses.
 */
export function keepToOurPage(context: BrowserContext, page: Page): void {
  context.on('page', (other) => {
    if (other !== page && !mayOpenWindow(other.url())) other.close().catch(ignoreClosedPage);
  });
  page.on('download', (download) => {
    if (!mayDownload(download.url(), ORIGIN)) download.cancel().catch(ignoreClosedPage);
  });
  page.on('dialog', (dialog) => void dialog.dismiss().catch(ignoreClosedPage));
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || mayNavigate(frame.url(), ORIGIN)) return;
    // `about:blank` and similar addresses make no request that could be refused.
    page.goto(`${ORIGIN}/`).catch(() => page.close().catch(ignoreClosedPage));
  });
}

/** Ignores an error: a page that closes together with the window may already be gone. */
function ignoreClosedPage(): void {}
