// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '../../../shared/model/languages.ts';
import { leaseV1, people } from '../../support/desks/batch-desk.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { addLeaseTemplate } from '../support/prepared-draft.ts';
import {
  choose,
  chosenColumns,
  expectSeen,
  fill,
  goTo,
  moveToRow,
  press,
  tryDemo,
} from '../support/steps.ts';
import { windows } from '../support/windows.ts';
import { readIn, words } from '../support/words.ts';

const FILE = 'hyror.csv';
const ROWS = 5;
/** Index of the row whose email address has no @. */
const WRONG = 2;
/**
 * Column names as an office in a country of this language writes them; the last one is the
 * template's own question.
 */
const headers: Partial<Record<Language, string>> = {
  en: 'First name;Last name;Personal number;E-mail;Monthly rent',
  pl: 'Imię;Nazwisko;Numer osobowy;Adres e-mail;Monthly rent',
};

let app: DeskApp;
let page: Page;

const picture = (language: Language, name: string): Promise<void> =>
  takePicture(page, `journey-batch-${language}-${name}`);
const summary = (ready: number) =>
  page
    .getByTestId('batch.summary')
    .getByText(words.batch_summary({ rows: ROWS, ready, errors: ROWS - ready, excluded: 0 }));
const created = () =>
  app.demo.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/agreements'));

// Each test continues from the state of the previous one. No test uses a pointer.
describe.each(windows)('a batch of one CSV, by keyboard alone, in $language', (window) => {
  const { language, size } = window;
  const header = headers[language] ?? '';

  beforeAll(async () => {
    await readIn(language);
    app = await startDeskApp({ seed: 'full', language, size });
    ({ page } = app);
    await tryDemo(page);
    await addLeaseTemplate(app, leaseV1);
  });

  afterAll(async () => {
    await app.close();
    await readIn('en');
  });

  it('starts with the choice of the file, the template and the connection', async () => {
    await goTo(page, 'Control+5', words.screen_batch());
    await picture(language, 'empty');
    const rows = people(ROWS).map((row, at) => (at === WRONG ? row.replace('@', '') : row));
    const buffer = Buffer.from(`\uFEFF${[header, ...rows].join('\r\n')}`);
    const file = { name: FILE, mimeType: 'text/csv', buffer };
    // The file dialog belongs to the system; everything else is done with the keyboard.
    await page.getByTestId('batch.pick').setInputFiles(file);
    await choose(page, page.getByTestId('batch.template'), 'Hyres');
    await choose(page, page.getByTestId('batch.connection'), 'Head office');
    await picture(language, 'file');
    await expectSeen(page.getByRole('cell', { name: 'Åsa 0', exact: true }));
  });

  it('recognises its columns by their names in this language (AP-17)', async () => {
    await press(page, page.getByTestId('batch.next'));
    await page.getByRole('heading', { name: words.batch_columns_title() }).waitFor();
    await picture(language, 'columns');
    expect(await chosenColumns(page)).toEqual(header.split(';').toSorted());
  });

  it('is corrected in the cells to which F8 leads', async () => {
    await press(page, page.getByTestId('batch.next'));
    await summary(ROWS - 1).waitFor();
    await page.keyboard.press('F8');
    await page.getByTestId('batch.cell-pane').getByText('asa2example.com').waitFor();
    await picture(language, 'check');
    await page.keyboard.press('F2');
    await page.getByTestId('batch.cell').waitFor();
    await page.keyboard.type('asa2@example.com');
    await page.keyboard.press('Enter');
    await expectSeen(summary(ROWS));
  });

  it('is sent after its count is typed, each row once (TX-15)', async () => {
    await press(page, page.getByTestId('batch.next'));
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await picture(language, 'review');
    await fill(page, page.getByTestId('batch.count'), String(ROWS));
    expect(created()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByTestId('batch.held').waitFor();
    await picture(language, 'held');
    await press(page, page.getByRole('button', { name: words.activity_send_now() }));
    const done = words.batch_progress({ done: ROWS, total: ROWS });
    await page.getByTestId('batch.progress').getByText(done).waitFor();
    await picture(language, 'sent');
    expect(created()).toHaveLength(ROWS);
  });

  it('is listed as complete, and opens with the keyboard', async () => {
    await goTo(page, 'Control+5', words.screen_batch());
    await page.getByTestId('batch.list').getByText(words.batch_gate_done()).waitFor();
    await picture(language, 'list');
    await moveToRow(page, FILE);
    await page.keyboard.press('Enter');
    await expectSeen(page.getByTestId('batch.progress'));
    expect(app.complaints).toEqual([]);
  });
});
