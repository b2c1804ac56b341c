import path from 'node:path';
import type { Desk } from '../../compose/compose.ts';
import { FIRST_WINDOW_SIZE } from '../window-size.ts';
import { type Language, languages } from '../../../shared/model/languages.ts';
import { languageOf } from '../../../shared/rules/text/languages.ts';
import { createAssets } from '../page/assets.ts';
import { openChromium } from './host.ts';
import { dataDir, documentsFolder, stateDir } from '../data-dir.ts';
import { isUnsandboxed } from './launch.ts';
import { windowFailureText } from './failure.ts';
import { findBrowser, profilesFolder } from '../find-browser.ts';
import { noBrowserMessage } from '../system-packages.ts';
import { examineHost } from '../examine.ts';
import { platformName, systemLocale } from '../platform.ts';
import { passToDesk } from '../open-arguments.ts';
import { hasScreen, NO_SCREEN_MESSAGE } from '../screen.ts';
import { readVaultChoice, type VaultChoice } from '../vault-choice.ts';
import { VERSION } from '../version.ts';
import { readStart } from '../window-start.ts';

const START_FAILED_EXIT = 1;
const START_USAGE_EXIT = 2;
const { env, platform } = process;

/** Shows the desk in a browser window until the window is closed. Returns the exit code. */
export async function startChromium(): Promise<number> {
  const start = readStart(process.argv.slice(2));
  const vault = readVaultChoice(env['SIGNING_DESK_VAULT']);
  const browserPath = findBrowser();
  if (start.kind === 'command')
    return reportStartRefusal(
      'This command opens the window. It accepts --data DIR and --lang LANG, and a link or files to open.',
    );
  if (start.lang !== undefined && languageOf(start.lang) === null) {
    return reportStartRefusal(`--lang must be one of ${languages.join(', ')}.`);
  }
  if (vault === null)
    return reportStartRefusal('SIGNING_DESK_VAULT must be keychain or keyfile:PATH.');
  if (browserPath === undefined) return reportStartRefusal(noBrowserMessage());
  if (!isHeadless() && !hasScreen(env, platform)) return reportStartRefusal(NO_SCREEN_MESSAGE);
  if (isUnsandboxed()) {
    process.stderr.write(
      'signing-desk: Warning: run as root, the browser has no sandbox. Use an ordinary account.\n',
    );
  }
  try {
    const language = languageOf(start.lang ?? '');
    const folder = dataDir(env, platform, start.data);
    const choices = { folder, vault, language, open: start.open };
    await showWindow(choices, browserPath);
    return 0;
  } catch (error) {
    const screen = env['WAYLAND_DISPLAY'] || env['DISPLAY'] || '';
    const why = windowFailureText(error, browserPath, screen);
    return reportStartRefusal(`The window cannot be opened. ${why}`, START_FAILED_EXIT);
  }
}

interface StartChoices {
  readonly folder: string;
  readonly vault: VaultChoice;
  readonly language: Language | null;
  /**
   * Links and files to open. This window shows them, even when another window has the same data
   * open.
   */
  readonly open: readonly string[];
}

async function showWindow(choices: StartChoices, browserPath: string): Promise<void> {
  const { folder, language } = choices;
  let desk: Promise<Desk> | undefined;
  const load = (): Promise<Desk> => (desk = loadDesk(choices));
  try {
    const window = await openChromium(load, createAssets(pageFolder()), {
      headless: isHeadless(),
      browserPath,
      profilesDir: profilesFolder(browserPath, folder),
      locale: language ?? systemLocale(),
      size: FIRST_WINDOW_SIZE,
    });
    const close = (): void => void window.close();
    process.once('SIGINT', close).once('SIGTERM', close);
    await window.show();
    await window.closed;
  } finally {
    await (await desk)?.close();
  }
}

function isHeadless(): boolean {
  return env['SIGNING_DESK_HEADLESS'] === '1';
}

/** Loads the desk while the browser starts: neither of them waits for the other. */
async function loadDesk({ folder, vault, language, open }: StartChoices): Promise<Desk> {
  const [{ createDesk }, { createHostFeatures }, { SystemSchedule }] = await Promise.all([
    import('../../compose/compose.ts'),
    import('./features.ts'),
    import('../schedule/system-schedule.ts'),
  ]);
  const program = [process.execPath, path.join(import.meta.dirname, '../cli/main.ts')];
  const schedule = new SystemSchedule({ program, dataDir: folder, vault, isIsolated: false });
  const desk = createDesk({
    dataDir: folder,
    vault,
    version: VERSION,
    locale: systemLocale(),
    language,
    examineHost,
    interactive: true,
    platform: platformName(platform),
    documentsFolder: documentsFolder(env, platform, folder),
    stateDir: stateDir(env, platform),
    features: createHostFeatures(schedule),
  });
  await Promise.all([desk.open(), passToDesk(desk, open)]);
  return desk;
}

/** Returns `dist/renderer`, which is found both from the sources and from `dist/electron`. */
function pageFolder(): string {
  return path.join(import.meta.dirname, '../../../dist/renderer');
}

function reportStartRefusal(sentence: string, exit = START_USAGE_EXIT): number {
  process.stderr.write(`signing-desk: ${sentence}\n`);
  return exit;
}
