/* Takes the pictures of `npm run screenshots`; `screenshots.ts` describes its options. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { languages, type Language } from '../../shared/model/languages.ts';
import { startDeskApp } from '../../test/app/support/desk.ts';
import { furnish, type FurnishedDesk } from '../../test/app/support/furnished-desk.ts';
import { overlays, screenViews, type View } from '../../test/app/support/views.ts';
import { readIn } from '../../test/app/support/words.ts';
import { bundleStale, page as bundledPage } from '../bundle/bundle.ts';
import { place } from '../places.ts';
import { shootGuide } from './guide.ts';
import { compareKept, keep, type Picture } from './kept.ts';

/**
 * Picture in the README. The other pictures are only for looking at, and are not in the repository.
 */
const README_PICTURE = {
  name: 'agreements, a row chosen',
  theme: 'light',
  file: 'agreements-light.png',
};
const SCREENSHOTS_FOLDER = 'dist/screenshots';
const DEFAULT_SIZE = '1280x800';
const themes = ['light', 'dark'] as const;
const DEFAULT_PICTURE_LANGUAGES: readonly Language[] = ['en', 'sv', 'pl'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    compare: { type: 'boolean' },
    size: { type: 'string', default: DEFAULT_SIZE },
    guide: { type: 'boolean' },
    keep: { type: 'boolean' },
  },
});
const isComparedOrKept = values.compare === true || values.keep === true;
const size = parseSize(values.size);
const isDefaultSize = values.size === DEFAULT_SIZE;
const requestedLanguages = languages.filter((language) => positionals.includes(language));

await bundleStale([bundledPage]);
const pictures: Picture[] = [];
const picturedLanguages = isComparedOrKept
  ? ['en' as const]
  : requestedLanguages.length > 0
    ? requestedLanguages
    : DEFAULT_PICTURE_LANGUAGES;
for (const language of values.guide === true ? [] : picturedLanguages) {
  await readIn(language);
  pictures.push(...(await shootAll(language)));
}
if (values.guide === true) await shootGuide();
if (values.keep === true) await keep(pictures);
if (values.compare === true) process.exitCode = await compareKept(pictures);

/** Throws if `text` is not of the form `1280x800`. */
function parseSize(text: string): { readonly width: number; readonly height: number } {
  const [, width, height] = /^(\d+)x(\d+)$/u.exec(text) ?? [];
  if (width === undefined || height === undefined)
    throw new Error(`--size takes a width and a height in pixels, for example 1024x700: ${text}`);
  return { width: Number(width), height: Number(height) };
}

async function shootAll(language: Language): Promise<readonly Picture[]> {
  const taken = [...(await shootFirstStart(language))];
  const app = await furnish({ language });
  try {
    for (const { name, open, leave } of [...screenViews, ...overlays] satisfies readonly View[]) {
      await open(app);
      taken.push(...(await shoot(app, language, name)));
      await leave?.(app);
    }
  } finally {
    await app.close();
  }
  return taken;
}

/** Takes the pictures of a new user's first screens, before there is any data. */
async function shootFirstStart(language: Language): Promise<readonly Picture[]> {
  const app = await startDeskApp({ language });
  try {
    await app.page.getByTestId('choice.demo').waitFor();
    return await shoot(app, language, 'first start');
  } finally {
    await app.close();
  }
}

async function shoot(
  { page }: Pick<FurnishedDesk, 'page'>,
  language: Language,
  name: string,
): Promise<readonly Picture[]> {
  const folder = place(SCREENSHOTS_FOLDER, ...(isDefaultSize ? [] : [values.size]), language);
  await mkdir(folder, { recursive: true });
  const taken: Picture[] = [];
  // A view is opened in a window of the default size, in which panes are next to their list.
  if (!isDefaultSize) await page.setViewportSize(size);
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    const file = path.join(folder, `${name.replaceAll(/\W+/g, '-')}-${theme}.png`);
    const png = await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
    taken.push({ name: path.basename(file), png });
    if (
      isComparedOrKept ||
      !isDefaultSize ||
      language !== 'en' ||
      name !== README_PICTURE.name ||
      theme !== README_PICTURE.theme
    )
      continue;
    await page.screenshot({
      path: place('build/screenshots', README_PICTURE.file),
      animations: 'disabled',
    });
  }
  await page.emulateMedia({ colorScheme: null });
  if (!isDefaultSize) await page.setViewportSize(parseSize(DEFAULT_SIZE));
  return taken;
}
