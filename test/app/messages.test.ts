// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { expectFocus, expectSeen } from './support/steps.ts';
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
