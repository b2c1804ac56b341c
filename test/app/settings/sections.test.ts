// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { expectFocus, expectGone, expectSeen } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});
afterAll(() => app.close());

const sections = () => page.getByRole('navigation', { name: words.settings_sections() });
const search = () => page.getByRole('searchbox', { name: words.settings_search() });
const linkTo = (title: string) => sections().getByRole('link', { name: title, exact: true });
const heading = (title: string) => page.getByRole('heading', { name: title, level: 2 });

it('lists the sections of the settings in groups, backups under this computer', async () => {
  await show(app, '#/settings');
  const computer = sections().getByRole('list', { name: words.settings_group_computer() });
  await expectSeen(computer.getByRole('link', { name: words.backup_title(), exact: true }));
  expect(await sections().getByRole('list').count()).toBe(5);
});

it('finds a section of the settings by a label in it, with the keyboard only', async () => {
  await show(app, '#/settings');
  await heading(words.settings_connections()).waitFor();
  await page.keyboard.press('Control+f');
  await expectFocus(search());
  await page.keyboard.type('proxy');
  await expectGone(linkTo(words.settings_appearance()));
  await expectSeen(sections().getByText(words.network_address()));
  await audit(page);
  await page.keyboard.press('Enter');
  await expectFocus(linkTo(words.network_title()));
  await page.keyboard.press('Enter');
  await expectSeen(heading(words.network_title()));
  expect(await search().inputValue()).toBe('proxy');
});

it('reports that no section contains the text, and lists all after Escape', async () => {
  await show(app, '#/settings/network');
  await search().fill('zzzz');
  await expectSeen(sections().getByText(words.settings_found_none()).first());
  await expectSeen(heading(words.network_title()));
  await search().press('Escape');
  await expectSeen(linkTo(words.settings_appearance()));
});

it('shows the section of a link, also if a search excludes this section', async () => {
  await show(app, '#/settings/network');
  await search().fill('proxy');
  await expectGone(linkTo(words.backup_title()));
  await show(app, '#/settings/backups');
  await expectSeen(heading(words.backup_title()));
  await expectSeen(linkTo(words.backup_title()).and(page.locator('[aria-current=page]')));
  expect(await search().inputValue()).toBe('');
});

it('keeps the shown section in the field of a narrow window while a search excludes it', async () => {
  await show(app, '#/settings/network');
  await page.setViewportSize({ width: 640, height: 400 });
  await search().fill(words.settings_theme());
  const field = page.getByTestId('settings.section');
  expect(await field.inputValue()).toBe('network');
  await search().press('ArrowDown');
  await expectFocus(field);
  await field.selectOption({ label: words.settings_appearance() });
  await expectSeen(heading(words.settings_appearance()));
  await search().fill('');
  await page.setViewportSize({ width: 1280, height: 800 });
});

/** Labels, legends and headings of the shown section, besides names that the user entered. */
const labelsOf = (title: string): Promise<string[]> =>
  page
    .getByRole('region', { name: title, exact: true })
    .locator('h3, legend')
    .evaluateAll((all) => all.map((one) => (one.textContent ?? '').trim()));

const GROUPED = [
  ['appearance', () => words.settings_appearance()],
  ['notifications', () => words.settings_notifications()],
  ['sending', () => words.settings_sending()],
  ['archive', () => words.settings_archive()],
  ['network', () => words.network_title()],
  ['privacy', () => words.settings_privacy()],
  ['takeout', () => words.takeout_title()],
  ['data', () => words.settings_data()],
] as const;

it.each(GROUPED)('finds the section "%s" by each of its headings', async (name, title) => {
  await show(app, `#/settings/${name}`);
  await heading(title()).waitFor();
  for (const label of await labelsOf(title())) {
    await search().fill(label);
    await expectSeen(linkTo(title()));
  }
  await search().fill('');
});
