// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { leaseForm } from '../support/pdfs.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectSeen, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

describe('the trial of a template with a question for a day', () => {
  let app: DeskApp;
  let page: Page;

  beforeAll(async () => {
    app = await startDeskApp({ seed: 'none' });
    ({ page } = app);
    await tryDemo(page);
    const calls = apiOf(app);
    const { name: fileName, buffer } = await leaseForm();
    const bytes = app.desk.acceptBytes(new Uint8Array(buffer));
    const about = { name: 'Lease', api: 'v1', fileName, bytes } as const;
    const { id, revision, name, content } = await calls['templates.add'](about);
    const asked = { id: 'moving', label: 'Moving in', help: '' };
    content.questions = [{ ...asked, kind: 'day', options: [], required: true }];
    await calls['templates.save']({ id, revision, name, content });
    await show(app, `#/templates/${id}`);
    await page.getByTestId('templates.tab.try').click();
  });

  afterAll(() => app.close());

  it('accepts a day in words, and shows the day in the format of the language', async () => {
    const day = page.getByLabel('Moving in', { exact: true });
    await day.fill('6 december 2026');
    await day.press('Enter');
    await expect.poll(() => day.inputValue()).toBe('6 Dec 2026');
  });

  it('keeps a text that is not a day, and reports the text', async () => {
    const day = page.getByLabel('Moving in', { exact: true });
    await day.fill('after Easter');
    await page.getByTestId('templates.try').click();
    await expectSeen(page.getByText(words.templates_problem_not_a_day()).first());
    expect(await day.inputValue()).toBe('after Easter');
  });
});
