import { afterEach, expect, it } from 'vitest';
import { apiOf } from './support/prepared-draft.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { wordsIn } from './support/words.ts';

let app: DeskApp;

afterEach(() => app.close());

it('the real program starts in the window, and its page logs no error', async () => {
  app = await startDeskApp({ seed: 'full' });
  await app.page.locator('main, [role=main]').first().waitFor();
  expect(app.complaints).toEqual([]);
});

it('a language given when the program starts is used until the user chooses another language', async () => {
  app = await startDeskApp({ language: 'fi' });
  const { page } = app;
  await page.locator('html[lang=fi]').waitFor();
  const finnish = await wordsIn('fi');
  await page.getByRole('heading', { name: finnish.onboarding_welcome() }).waitFor();
  expect((await apiOf(app)['settings.read']({})).language).toBe(null);
  await apiOf(app)['settings.write']({ theme: 'dark' });
  await page.locator('html[data-theme=dark][lang=fi]').waitFor();
  await apiOf(app)['settings.write']({ language: 'sv' });
  await page.locator('html[lang=sv]').waitFor();
});
