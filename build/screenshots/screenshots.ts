import { mkdir } from 'node:fs/promises';
import { type DeskApp, startDeskApp } from '../../test/app/support/desk.ts';
import { bundleStale, page as bundledPage } from '../bundle/bundle.ts';
import { compileMessages } from '../messages.ts';
import { place } from '../places.ts';

/** The picture the README shows; the others are for looking at, and stay out of the repository. */
const SHOWN = 'agreements-light';
const themes = ['light', 'dark'] as const;

/** A screen, how to come there, and what stands there once it is drawn. */
interface Shot {
  readonly name: string;
  readonly go: (app: DeskApp) => Promise<void>;
}

const openScreen = async ({ page }: DeskApp, hash: string): Promise<void> => {
  await page.evaluate(`window.location.hash = ${JSON.stringify(hash)}`);
  await page.locator('h1').first().waitFor();
};

const shots: readonly Shot[] = [
  {
    name: 'agreements',
    go: async (app) => {
      await openScreen(app, '#/agreements');
      await app.page.getByRole('grid').focus();
      await app.page.keyboard.press('ArrowDown');
      await app.page.keyboard.press('ArrowDown');
      await app.page.getByRole('complementary').locator('h2').first().waitFor();
    },
  },
  {
    name: 'agreement-actions',
    go: async ({ page }) => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'draft',
    go: async (app) => {
      await app.page.keyboard.press('Escape');
      await openScreen(app, '#/drafts/new');
      await app.page.getByRole('button', { name: 'Pro API v1' }).click();
      await app.page.getByTestId('draft.editor').waitFor();
    },
  },
  { name: 'drafts', go: (app) => openScreen(app, '#/drafts') },
  { name: 'outbox', go: (app) => openScreen(app, '#/outbox') },
  { name: 'signing', go: (app) => openScreen(app, '#/signing') },
  { name: 'archive', go: (app) => openScreen(app, '#/archive') },
  { name: 'settings', go: (app) => openScreen(app, '#/settings') },
  {
    name: 'palette',
    go: async ({ page }) => {
      await page.keyboard.press('Control+k');
      await page.getByRole('dialog').waitFor();
    },
  },
];

await compileMessages();
await bundleStale([bundledPage]);
await mkdir(place('build/screenshots'), { recursive: true });
await mkdir(place('dist/screenshots'), { recursive: true });
const app = await startDeskApp({ seed: 'full' });
try {
  await shoot(app, 'onboarding');
  await app.page.getByRole('button', { name: 'Try the demo' }).click();
  await app.page.getByRole('grid').waitFor();
  for (const { name, go } of shots) {
    await go(app);
    await shoot(app, name);
  }
} finally {
  await app.close();
}

async function shoot({ page }: DeskApp, name: string): Promise<void> {
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme });
    const file = `${name}-${theme}`;
    const folder = file === SHOWN ? 'build/screenshots' : 'dist/screenshots';
    await page.screenshot({ path: place(folder, `${file}.png`), animations: 'disabled' });
    console.log(`${folder}/${file}.png`);
  }
}
