import type { BrowserContext, Page } from 'playwright-core';
import { ORIGIN } from './chromium-launch.ts';
import { isOurPage } from './page-policy.ts';

/** Keeps the one window to the one page: popups close, downloads stop, strange addresses go back. */
export function keepToOurPage(context: BrowserContext, page: Page): void {
  context.on('page', (other) => {
    if (other !== page) void other.close();
  });
  page.on('download', (download) => void download.cancel());
  page.on('dialog', (dialog) => void dialog.dismiss());
  page.on('framenavigated', (frame) => {
    if (frame !== page.mainFrame() || isOurPage(frame.url(), ORIGIN)) return;
    // `about:blank` and the like ask for nothing that could be refused on the way.
    page.goto(`${ORIGIN}/`).catch(() => page.close());
  });
}
