import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from './support/audit.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { tryDemo } from './support/steps.ts';
import { words } from './support/words.ts';

let app: DeskApp;
let page: Page;
const left: string[] = [];

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full' });
  ({ page } = app);
  page.on('request', (request) => left.push(request.url()));
});

afterAll(() => app.close());

describe('before the desk', () => {
  it('onboarding can be used by everybody', async () => {
    await page.getByTestId('choice.demo').waitFor();
    await audit(page);
  });
  it('the demo', async () => {
    await tryDemo(page);
    await audit(page);
  });
});
it('x', () => {
  expect(app.complaints).toEqual([]);
  expect(left).toEqual([]);
  void words;
});
