import { afterEach, expect, it } from 'vitest';
import { type DeskApp, startDeskApp } from './support/desk.ts';

let app: DeskApp;

afterEach(() => app.close());

it('the real program starts in the window, and its page has nothing to complain of', async () => {
  app = await startDeskApp({ seed: 'full' });
  await app.page.locator('main, [role=main]').first().waitFor();
  expect(app.complaints).toEqual([]);
});
