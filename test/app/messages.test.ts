// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { expectFocus, expectGone, expectSeen, fill, press } from './support/steps.ts';
import { words } from './support/words.ts';

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
});
afterAll(() => app.close());

const message = () => page.getByTestId('activity.message');

/** Creates a batch from a CSV file with these lines. */
const chooseSheet = (...lines: readonly string[]) =>
  page.getByTestId('batch.pick').setInputFiles({
    name: 'hyror.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(lines.join('\r\n'), 'utf8'),
  });

/** Fills a form with the keyboard, and saves it. */
async function save(form: Locator, values: Readonly<Record<string, string>>, button: string) {
  for (const [label, value] of Object.entries(values)) {
    await fill(page, form.getByLabel(label, { exact: true }), value);
  }
  await press(page, form.getByRole('button', { name: button }));
}

describe('in the settings, the focus goes to the new row', () => {
  it.each([
    {
      of: 'a person who signs',
      section: 'identities',
      add: () => page.getByTestId('settings.identity.add'),
      form: 'settings.identity.form',
      values: () => ({
        [words.settings_identity_name()]: 'Bo',
        [words.settings_identity_first_name()]: 'Bo',
        [words.settings_identity_last_name()]: 'Ek',
      }),
      button: words.settings_save(),
      said: words.settings_added({ name: 'Bo' }),
      row: 'Bo Ek',
    },
    {
      of: 'a connection',
      section: 'connections',
      add: () => page.getByRole('button', { name: words.settings_add_v1() }),
      form: 'connection.form',
      values: () => ({
        [words.connection_name()]: 'Lager',
        [words.connection_address()]: app.demo.v1Url,
        [words.connection_secret_v1()]: app.demo.credentials.token,
      }),
      button: words.connection_save(),
      said: words.settings_added({ name: 'Lager' }),
      row: 'Lager',
    },
  ])('after $of is saved, and the bar says so', async ({ row, section, ...one }) => {
    await show(app, `#/settings/${section}`);
    await press(page, one.add());
    await save(page.getByTestId(one.form), one.values(), one.button);
    await expectSeen(message().getByText(one.said, { exact: true }));
    await expectFocus(page.getByRole('listitem').filter({ hasText: row }));
  });
});

describe('selected agreements', () => {
  it('are mentioned when the user returns to their list, and can be deselected there', async () => {
    await show(app, '#/agreements');
    await page.getByRole('grid').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expectSeen(page.getByTestId('agreements.selection'));
    await show(app, '#/help');
    await page.getByTestId('help.article').waitFor();
    await show(app, '#/agreements');
    await expectSeen(message().getByText(words.marked_kept({ count: '1' })));
    await page.getByRole('button', { name: words.marked_clear(), exact: true }).click();
    await expectGone(page.getByTestId('agreements.selection'));
  });
});

describe('a warning about a spreadsheet', () => {
  it('leaves the bar when the next spreadsheet can be read', async () => {
    await show(app, '#/batch');
    await chooseSheet('Förnamn;Efternamn');
    await expectSeen(message().getByText(words.reason_sheet_empty()));
    await chooseSheet('Förnamn;Efternamn', 'Åsa;Öberg', 'Bo;Ek');
    await page.getByTestId('batch.template').waitFor();
    await expect.poll(() => message().textContent()).toBe('');
  });

  it('is one of the earlier messages, which open from the empty bar', async () => {
    const earlier = page.getByRole('button', { name: words.said_open() });
    await earlier.click();
    await expectSeen(page.getByTestId('messages').getByText(words.reason_sheet_empty()));
    await page.keyboard.press('Escape');
    await expectFocus(earlier);
  });
});
