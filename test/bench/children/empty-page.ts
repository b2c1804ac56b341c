import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import { findBrowser } from '../../../electron/hosts/find-browser.ts';

/*
 * The peer of the window: the same browser, started in the same way, with an empty page. Prints
 * `ready` once the page is drawn.
 */

const profile = await mkdtemp(path.join(tmpdir(), 'desk-bench-'));
const executablePath = findBrowser();
if (executablePath === undefined) throw new Error('No Chromium is installed');
const context = await chromium.launchPersistentContext(profile, {
  executablePath,
  headless: true,
  viewport: { width: 1280, height: 800 },
  chromiumSandbox: process.getuid?.() !== 0,
  args: ['--app=about:blank'],
});
const page = context.pages()[0] ?? (await context.newPage());
await page.evaluate(
  'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
);
process.stdout.write('ready\n');
await context.close();
