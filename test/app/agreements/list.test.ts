// tier: all
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RemoteAgreement } from '../../../shared/model/agreement.ts';
import { audit } from '../support/audit.ts';
import { cacheAgreements } from '../support/cached-agreements.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectFocus, fill, goTo, press, rowOf } from '../support/steps.ts';
import { words } from '../support/words.ts';

const AGREEMENTS = 120;
const SCRIPT = '<img src=x onerror="document.title=1"><b>Avtal</b>';

/** Three unusual agreements, by their row. */
const special: Readonly<Record<number, Partial<RemoteAgreement>>> = {
  2: { title: SCRIPT },
  3: { title: 'Utan parter', parties: null },
  4: { title: 'Annat läge', state: 'unknown', nativeState: 'ON_HOLD' },
};

let folder: string;
let app: DeskApp;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'desk-list-'));
  const dataDir = path.join(folder, 'data');
  await cacheAgreements(dataDir, AGREEMENTS, (at) => special[at] ?? {});
  // The data has copies of agreements, but no service listens at the address of their connection.
  app = await startDeskApp({ dataDir });
  ({ page } = app);
  await page.getByRole('grid').waitFor();
});

afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const grid = (): Locator => page.getByRole('grid');
const rowCount = (): Promise<string | null> => grid().getAttribute('aria-rowcount');

describe('a row of the agreement list', () => {
  it('shows texts of the service as text, never as markup (TX-53)', async () => {
    await grid().getByText(SCRIPT, { exact: true }).waitFor();
    expect(await grid().locator('img, b').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });

  it('shows nothing about parties that the service did not send (T1-18)', async () => {
    const row = rowOf(page, 'Utan parter');
    expect(await row.textContent()).toContain(words.agreements_parties_unread());
  });

  it('shows an unknown status in the service’s own word (T1-26, TX-03)', async () => {
    const row = rowOf(page, 'Annat läge');
    expect(await row.textContent()).toContain('ON_HOLD');
  });
});

describe('switching to another screen', () => {
  it('succeeds even if the agreement list moves its selection at that moment', async () => {
    await grid().focus();
    // The key is dispatched in the same step as the new address: the browser reports a new address
    // only after the keys that are already queued.
    await grid().evaluate((list) => {
      window.location.hash = '#/outbox';
      list.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowDown', bubbles: true }));
    });
    await expectFocus(page.getByRole('heading', { name: words.screen_outbox(), level: 1 }));
    await goTo(page, 'Control+1', words.screen_agreements());
  });
});

describe('the agreement list without the service', () => {
  it('stays visible, and shows the time of its last update (TX-56)', async () => {
    await page.getByTestId('agreements.offline').waitFor();
    expect(await rowCount()).toBe(String(AGREEMENTS + 1));
  });
});

describe('the filters of the agreement list', () => {
  it('open with the keyboard, reduce the list to the matches, and are removed one by one (TX-60)', async () => {
    await press(page, page.getByTestId('agreements.filters'));
    const panel = page.getByTestId('agreements.filter-panel');
    await panel.getByRole('checkbox', { name: words.state_waiting() }).check();
    await panel.getByRole('checkbox', { name: words.state_signed(), exact: true }).check();
    await expect.poll(rowCount).not.toBe(String(AGREEMENTS + 1));
    await panel.press('Escape');
    const token = page.getByRole('list', { name: words.filter_active() }).getByRole('button');
    await press(page, token);
    await expect.poll(rowCount).toBe(String(AGREEMENTS + 1));
    await expectFocus(page.locator('[data-search]'));
  });
});

describe('a saved view', () => {
  it('shows the list as it was saved, and stays in the side bar until it is removed', async () => {
    await page.keyboard.press('Control+f');
    await page.keyboard.type('avtal 1');
    const { total } = await apiOf(app)['agreements.count']({ search: 'avtal 1' });
    const narrowed = String(total + 1);
    await expect.poll(rowCount).toBe(narrowed);
    await runCommand(words.views_save());
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('Mina ettor');
    await dialog.getByRole('button', { name: words.views_save_confirm() }).click();
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
    await expect.poll(rowCount).toBe(String(AGREEMENTS + 1));
    await page.getByTestId('shell.view').filter({ hasText: 'Mina ettor' }).click();
    await expect.poll(rowCount).toBe(narrowed);
    await page.keyboard.press('Control+f');
    await page.keyboard.press('Escape');
  });
});

describe('a report of selected agreements', () => {
  it('contains only the selected rows, with the columns of the list', async () => {
    const file = path.join(app.folder, 'marked.csv');
    await grid().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.keyboard.press('Shift+ArrowDown');
    await runCommand(words.report_open());
    const dialog = page.getByRole('alertdialog');
    await dialog.getByLabel('CSV').check();
    await fill(page, page.getByTestId('agreements.report.file'), file);
    await dialog.getByRole('button', { name: words.report_confirm() }).click();
    await expect.poll(() => readFile(file, 'utf8').catch(() => '')).toContain('Avtal 1');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain(words.agreements_column_title());
    await grid().focus();
    await page.keyboard.press('Escape');
  });

  it('is refused in its dialog if the file exists, which keeps the typed name', async () => {
    const file = path.join(app.folder, 'marked.csv');
    const before = await readFile(file);
    await runCommand(words.report_open());
    const dialog = page.getByRole('alertdialog');
    const field = page.getByTestId('agreements.report.file');
    await fill(page, field, file);
    // The format follows the ending of the typed name.
    expect(await dialog.getByLabel('CSV').isChecked()).toBe(true);
    await dialog.getByRole('button', { name: words.report_confirm() }).click();
    await dialog.getByText(words.reason_file_exists()).waitFor();
    expect(await field.inputValue()).toBe(file);
    await dialog.getByLabel('Excel').check();
    expect(await field.inputValue()).toBe(file.replace('.csv', '.xlsx'));
    await dialog.getByRole('button', { name: words.common_cancel() }).click();
    expect(await readFile(file)).toEqual(before);
  });
});

describe('an action on several agreements', () => {
  it('lists each agreement that failed, and keeps the selection', async () => {
    const [, second] = await markFirst(2);
    await press(page, page.getByTestId('agreements.selection.archive'));
    const outcome = page.getByTestId('agreements.outcome');
    await outcome.getByText(words.reason_connection_refused()).first().waitFor();
    expect(await outcome.getByRole('listitem').count()).toBe(1);
    await audit(page);
    const link = outcome.getByRole('link');
    expect(await link.textContent()).toContain(second);
    await press(page, outcome.getByRole('button', { name: words.close() }));
    await outcome.waitFor({ state: 'detached' });
    await grid().focus();
    await page.keyboard.press('Escape');
  });
});

describe('the printed list', () => {
  it('contains only the selected rows, with the columns of the list', async () => {
    const titles = await markFirst(2);
    const printed = await print();
    expect(printed.rows).toBe(2);
    for (const title of titles) expect(printed.text).toContain(title);
    expect(printed.text).toContain(words.print_marked());
    await page.keyboard.press('Escape');
  });

  it('contains all matches when no row is selected, and no other part of the window', async () => {
    await page.emulateMedia({ media: 'print' });
    const printed = await print();
    await page.emulateMedia({ media: null });
    expect(printed.rows).toBe(AGREEMENTS);
    expect(printed.text).toContain('Utan parter');
    expect(printed.text).toContain(SCRIPT);
    expect(printed.seesWindow).toBe(false);
    await page.getByTestId('agreements.printed').waitFor({ state: 'detached' });
  });
});

/** Selects `count` rows from the top of the list; returns their titles. */
async function markFirst(count: number): Promise<readonly string[]> {
  await grid().focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  for (let more = 1; more < count; more += 1) await page.keyboard.press('Shift+ArrowDown');
  await page
    .getByTestId('agreements.selection')
    .getByText(String(count), { exact: true })
    .waitFor();
  return Array.from({ length: count }, (_, at) => `Avtal ${String(at)}`);
}

interface Printed {
  readonly rows: number;
  readonly text: string;
  /** Whether anything except the list would be printed. */
  readonly seesWindow: boolean;
}

/** Presses Ctrl+P; returns what the page shows at the moment of printing. */
async function print(): Promise<Printed> {
  // `window.print` is replaced before the key press: keys and scripts reach the page through
  // different channels.
  const asked = await page.evaluateHandle(() => {
    const printed = new Promise<Printed>((resolve) => {
      window.print = () => {
        const list = document.querySelector('.printed');
        resolve({
          rows: list?.querySelectorAll('tbody tr').length ?? 0,
          text: list?.textContent ?? '',
          seesWindow: document.querySelector('main')?.checkVisibility() ?? true,
        });
      };
    });
    return { printed };
  });
  await page.keyboard.press('Control+p');
  return asked.evaluate(({ printed }) => printed);
}

/** Runs the palette command with this title. */
async function runCommand(title: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.keyboard.type(title);
  await page.getByRole('option', { name: title }).first().waitFor();
  await page.keyboard.press('Enter');
}
