// tier: all
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { party } from '../../adapters/sqlite/samples.ts';
import { cacheAgreements } from '../support/cached-agreements.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { fill, press, rowOf, tabTo } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const AGREEMENTS = 60;

const special: Readonly<Record<number, Partial<RemoteAgreement>>> = {
  0: {
    tags: { case: 'K-17', office: 'Malmö' },
    sentAt: Date.now() - 3 * DAY,
    parties: [
      party({ name: 'Åsa Öberg', state: 'signed' }),
      party({ name: 'Ola', email: 'ola@example.com' }),
    ],
    access: { sharedWith: null, owner: { id: 'u', name: 'Maria Berg' }, rights: null },
  },
  2: { tags: null, parties: null, sentAt: null, title: 'Okänt' },
};

let folder: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-columns-'));
  const dataDir = path.join(folder, 'data');
  await cacheAgreements(dataDir, AGREEMENTS, (at) => special[at] ?? {});
  app = await startDeskApp({ dataDir });
  ({ page } = app);
  await page.getByRole('grid').waitFor();
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const options = (): Locator => page.getByTestId('agreements.list-options');
const panel = (): Locator => page.getByTestId('agreements.list-options-panel');
const headings = async (): Promise<readonly string[]> =>
  (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim());

async function chosen(): Promise<readonly string[]> {
  return (await apiOf(app)['settings.read']({})).agreementLayout.columns;
}

async function tick(name: string, isTicked: boolean): Promise<void> {
  const box = panel().getByRole('checkbox', { name, exact: true });
  await box.focus();
  if ((await box.isChecked()) !== isTicked) await page.keyboard.press('Space');
}

describe('the columns of the list', () => {
  it('are chosen and ordered with the keyboard, and then show their values', async () => {
    await tabTo(page, options());
    await page.keyboard.press('Enter');
    await panel().waitFor();
    for (const name of [
      words.agreements_column_tags(),
      words.agreements_column_waiting(),
      words.agreements_column_party_states(),
      words.agreements_column_addresses(),
      words.agreements_column_sent_by(),
    ])
      await tick(name, true);
    await takePicture(page, 'columns-choice');
    const left = words.list_left({ column: words.agreements_column_tags() });
    await press(page, panel().getByRole('button', { name: left }));
    await page.keyboard.press('Escape');
    const row = rowOf(page, 'Avtal 0');
    await row.getByText('case: K-17, office: Malmö').waitFor();
    const text = await row.textContent();
    expect(text).toContain('Maria Berg');
    expect(text).toContain('ola@example.com');
    expect(text).toContain(`Ola: ${words.party_turn()}`);
    const days = row
      .getByRole('gridcell')
      .nth((await headings()).indexOf(words.agreements_column_waiting()));
    expect(await days.textContent()).toBe('3');
    await expect
      .poll(chosen)
      .toEqual([
        ...['title', 'parties', 'state', 'tags', 'updated', 'daysWaiting'],
        ...['partyStates', 'addresses', 'sentBy'],
      ]);
    await takePicture(page, 'columns-list');
  });

  it('show no value if the service did not send it', async () => {
    const row = rowOf(page, 'Okänt');
    const at = (await headings()).indexOf(words.agreements_column_tags());
    expect(await row.getByRole('gridcell').nth(at).textContent()).toBe('');
    const waiting = (await headings()).indexOf(words.agreements_column_waiting());
    expect(await row.getByRole('gridcell').nth(waiting).textContent()).toBe('');
  });

  it('are saved with a view, and restored with it', async () => {
    await runCommand(words.views_save());
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('Ärenden');
    await dialog.getByRole('button', { name: words.views_save_confirm() }).click();
    const before = await headings();
    await press(page, options());
    await press(page, panel().getByRole('button', { name: words.list_reset() }));
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await headings()).length).toBeLessThan(before.length);
    await page.getByTestId('shell.view').filter({ hasText: 'Ärenden' }).click();
    await expect.poll(headings).toEqual(before);
    await rowOf(page, 'Avtal 0').getByText('case: K-17, office: Malmö').waitFor();
  });

  it('are the columns of the report, in the order of the list', async () => {
    const file = path.join(app.folder, 'columns.csv');
    await runCommand(words.report_open());
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('CSV').check();
    await fill(page, page.getByTestId('agreements.report.file'), file);
    await dialog.getByRole('button', { name: words.report_confirm() }).click();
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('K-17');
    const [head = '', first = ''] = (await readFile(file, 'utf8'))
      .replace('\uFEFF', '')
      .split('\r\n');
    const [, ...shown] = await headings();
    expect(head.split(/[;,]/)).toEqual(shown);
    expect(first).toContain('case: K-17, office: Malmö');
  });

  it('scroll sideways when they need more room than there is', async () => {
    const list = page.getByRole('grid');
    await page.setViewportSize({ width: 1024, height: 700 });
    await expect.poll(() => list.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
    const widths = await page
      .getByRole('columnheader')
      .evaluateAll((all) => all.slice(1).map((one) => one.getBoundingClientRect().width));
    expect(Math.min(...widths)).toBeGreaterThan(60);
    await takePicture(page, 'columns-narrow');
  });

  it('include the added ones when the details use half of the width', async () => {
    await page.setViewportSize({ width: 1100, height: 760 });
    await rowOf(page, 'Avtal 0').click();
    await expect.poll(headings).not.toContain(words.agreements_column_parties());
    expect(await headings()).toContain(words.agreements_column_tags());
    await takePicture(page, 'columns-beside');
  });
});

async function runCommand(name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(name);
  await page.getByRole('option', { name }).first().waitFor();
  await page.keyboard.press('Enter');
}
