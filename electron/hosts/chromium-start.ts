import path from 'node:path';
import type { Desk } from '../compose.ts';
import { createAssets } from './assets.ts';
import { createFavours } from './chromium-favours.ts';
import { openChromium } from './chromium-host.ts';
import { dataDir, documentsFolder } from './data-dir.ts';
import { findBrowser } from './find-browser.ts';
import { platformName, systemLocale } from './platform.ts';
import { readVaultChoice, type VaultChoice } from './vault-choice.ts';
import { VERSION } from './version.ts';
import { readStart } from './window-start.ts';

const USAGE = 2;
const { env, platform } = process;

/** Shows the desk in a browser window; ends when the window is closed. Gives the exit code. */
export async function startChromium(): Promise<number> {
  const start = readStart(process.argv.slice(2));
  const vault = readVaultChoice(env['SIGNING_DESK_VAULT']);
  const browserPath = findBrowser();
  if (start.kind === 'command') return refuse('This starts the window; it takes --data DIR only.');
  if (vault === null) return refuse('SIGNING_DESK_VAULT is keychain or keyfile:PATH.');
  if (browserPath === undefined) return refuse('No Chrome, Edge or Chromium was found here.');
  const folder = dataDir(env, platform, start.data);
  let desk: Promise<Desk> | undefined;
  const load = (): Promise<Desk> => (desk = loadDesk(folder, vault));
  try {
    const window = await openChromium(load, createAssets(pageFolder()), {
      headless: env['SIGNING_DESK_HEADLESS'] === '1',
      browserPath,
      profilesDir: path.join(folder, 'chromium'),
      locale: systemLocale(),
      size: null,
    });
    const close = (): void => void window.close();
    process.once('SIGINT', close).once('SIGTERM', close);
    await window.show();
    await window.closed;
  } finally {
    await (await desk)?.close();
  }
  return 0;
}

/** Loaded while the browser starts: neither waits for the other. */
async function loadDesk(folder: string, vault: VaultChoice): Promise<Desk> {
  const { createDesk } = await import('../compose.ts');
  const desk = createDesk({
    ...{ dataDir: folder, vault, version: VERSION, locale: systemLocale(), interactive: true },
    ...{ platform: platformName(platform), documentsFolder: documentsFolder(env, platform) },
    favours: createFavours(),
  });
  await desk.open();
  return desk;
}

/** `dist/renderer`, seen from the sources and from `dist/electron` alike. */
function pageFolder(): string {
  return path.join(import.meta.dirname, '../../dist/renderer');
}

function refuse(sentence: string): number {
  process.stderr.write(`signing-desk: ${sentence}\n`);
  return USAGE;
}
