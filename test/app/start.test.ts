import { afterEach, expect, it } from 'vitest';
import { apiOf } from './support/prepared-draft.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { audit } from './support/audit.ts';
import { expectSeen, fill, press } from './support/steps.ts';
import { words, wordsIn } from './support/words.ts';

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

it('the language can be chosen on the first page', async () => {
  app = await startDeskApp();
  const { page } = app;
  await page.getByTestId('choice.connect').waitFor();
  await page.getByLabel(words.settings_language(), { exact: true }).selectOption('fi');
  await page.locator('html[lang=fi]').waitFor();
  const finnish = await wordsIn('fi');
  await expectSeen(page.getByRole('heading', { name: finnish.onboarding_welcome() }));
  expect((await apiOf(app)['settings.read']({})).language).toBe('fi');
});

it('the first start finds out which API a key is for, and shows why a wrong key fails with each', async () => {
  app = await startDeskApp({ seed: 'full' });
  const { page, demo } = app;
  await press(page, page.getByTestId('choice.connect'));
  const address = page.getByLabel(words.connection_address());
  const key = page.getByLabel(words.connection_secret_v1(), { exact: true });
  await fill(page, address, demo.v2Url);
  await fill(page, key, 'not-the-key');
  const check = page.getByRole('button', { name: words.connection_detect() });
  await press(page, check);
  const tries = page.getByTestId('connection.tries').getByRole('listitem');
  await expect.poll(() => tries.count()).toBe(2);
  await expectSeen(tries.filter({ hasText: words.api_v2() }).getByText(words.test_note_refused()));
  await expectSeen(tries.filter({ hasText: words.api_v1() }));
  await audit(page);
  await fill(page, key, demo.credentials.accessKey);
  await press(page, check);
  await expectSeen(page.getByText(words.connection_detected({ api: words.api_v2() })));
  await audit(page);
  expect(await address.inputValue()).toBe(demo.v2Url);
  await fill(page, page.getByLabel(words.connection_user()), demo.credentials.accountId);
  await press(page, page.getByRole('button', { name: words.connection_save() }));
  await expectSeen(page.getByTestId('choice.look'));
  const [saved] = await apiOf(app)['connections.list']({});
  expect(saved).toMatchObject({ api: 'v2', url: demo.v2Url });
});
