import { enableCompileCache } from 'node:module';
import path from 'node:path';
import type { Desk } from '../../../electron/compose/compose.ts';

/*
 * The program's window on the data folder in the first argument, started as the Chromium host
 * starts it. Prints `ready` once its list is drawn. With `used` as second argument, it first
 * searches and scrolls through the list, and prints after the word the memory of this process and
 * its threads in megabytes.
 */

enableCompileCache();
const { createAssets } = await import('../../../electron/hosts/page/assets.ts');
const { openChromium } = await import('../../../electron/hosts/chromium/host.ts');
const { findBrowser } = await import('../../../electron/hosts/find-browser.ts');

const [, , dataDir, use] = process.argv;
const browserPath = findBrowser();
if (dataDir === undefined || browserPath === undefined) throw new Error('usage: desk-window DATA');

let desk: Desk | undefined;
const load = async (): Promise<Desk> => {
  const [{ createDesk }, { createHostFeatures }] = await Promise.all([
    import('../../../electron/compose/compose.ts'),
    import('../../../electron/hosts/chromium/features.ts'),
  ]);
  desk = createDesk({
    dataDir,
    stateDir: `${dataDir}.state`,
    vault: { keyfile: `${dataDir}.key` },
    version: '0.0.0-bench',
    locale: 'en-GB',
    platform: 'linux',
    documentsFolder: dataDir,
    interactive: true,
    features: createHostFeatures(),
  });
  await desk.open();
  return desk;
};
const assets = createAssets(path.resolve(import.meta.dirname, '../../../dist/renderer'));
const window = await openChromium(load, assets, {
  headless: true,
  browserPath,
  locale: 'en-GB',
  size: { width: 1280, height: 800 },
  profilesDir: path.join(dataDir, 'chromium'),
});
await window.show();
await window.page.locator('[role=row][data-id]').first().waitFor();
await window.page.evaluate(
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
);
if (use === 'used') await useList();
const megabytes = Math.round(process.memoryUsage.rss() / 1024 / 1024);
process.stdout.write(`ready ${String(megabytes)}\n`);
await window.close();
await window.closed;
await desk?.close();

/**
 * Searches a word that half of the agreements contain, and goes to the end of the list and back.
 */
async function useList(): Promise<void> {
  const { page } = window;
  const search = page.getByRole('searchbox').first();
  await search.fill('Åsa');
  await page.locator('[role=row][data-id]').first().waitFor();
  await search.fill('');
  const list = page.getByRole('grid');
  for (const share of [1, 0.5, 0]) {
    await list.evaluate((grid, part) => (grid.scrollTop = grid.scrollHeight * part), share);
    await page.locator('[role=row][data-id]').first().waitFor();
  }
}
