// tier: all
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseArchiveFolder } from '../support/archive-folder.ts';
import { archivedFiles } from '../support/archived-files.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { expectSeen, fill, goTo, moveToRow, press, questionOf, tryDemo } from '../support/steps.ts';
import { BESIDE, windows } from '../support/windows.ts';
import { readIn, words } from '../support/words.ts';

let app: DeskApp;
let page: Page;
let folder: string;

const count = async (): Promise<number> => (await archivedFiles(folder)).pdf.length;
const card = () => page.getByTestId('archive.card');
const verdict = () => page.getByTestId('archive.verdict');
/** Returns the title in a file name, which consists of the day, the title and the ID. */
const titleOf = (file: string): string => path.basename(file).split('_')[1] ?? '';
/** Details of the selected entry, next to the list or over it. */
const details = () => page.getByRole('complementary');

// Each test continues from the state of the previous one. No test uses a pointer.
describe.each(windows)('archiving, by keyboard alone, in $language', ({ language, size }) => {
  const picture = (name: string): Promise<void> =>
    takePicture(page, `journey-archivist-${language}-${name}`);

  beforeAll(async () => {
    await readIn(language);
    app = await startDeskApp({ seed: 'full', language, size });
    ({ page } = app);
    folder = path.join(app.folder, 'archive');
    await mkdir(folder);
    await tryDemo(page);
  });

  afterAll(async () => {
    await app.close();
    await readIn('en');
  });

  it('saves every signed agreement into the named folder (TX-41)', async () => {
    await goTo(page, 'Control+Digit7', words.screen_archive());
    await page.getByRole('grid').waitFor();
    await picture('waiting');
    await chooseArchiveFolder(page, folder);
    await page.keyboard.press('Control+Shift+S');
    await page.getByTestId('archive.outcome').waitFor();
    await picture('saved');
    const { pdf, part } = await archivedFiles(folder);
    expect(part).toEqual([]);
    expect(pdf.length).toBeGreaterThan(10);
  });

  it('reads every archived file again, and reports that all are unchanged', async () => {
    await press(page, page.getByRole('button', { name: words.archive_verify() }));
    await verdict().waitFor();
    await picture('verified');
    const files = await count();
    const agreements = { listed: files, saved: files };
    const said = words.archive_verified({ ok: files, files, ...agreements });
    await expectSeen(verdict().getByText(said, { exact: true }));
    const counted = { safe: String(files), total: String(files) };
    await expectSeen(card().getByRole('heading', { name: words.archive_safe(counted) }));
    await press(page, verdict().getByRole('button', { name: words.close() }));
  });

  it('reports a file that changed after it was saved, also at its agreement', async () => {
    const { pdf } = await archivedFiles(folder);
    const isAlone = (file: string) => pdf.filter((one) => one.includes(titleOf(file))).length === 1;
    const file = pdf.find(isAlone) ?? '';
    await appendFile(path.join(folder, file), ' ');
    await press(page, page.getByRole('button', { name: words.archive_verify() }));
    await verdict().getByText(file).waitFor();
    await verdict().getByText(words.archive_changed_file()).waitFor();
    await picture('changed');
    await press(page, page.getByTestId('archive.problems'));
    const changed = { name: words.archive_word_changed(), exact: true };
    await expect.poll(() => page.getByRole('gridcell', changed).count()).toBe(1);
    await moveToRow(page, titleOf(file));
    const [before = ''] = words.archive_check_changed({ day: '\n' }).split('\n');
    if (size.width < BESIDE) await page.keyboard.press('Enter');
    await details().getByText(file).waitFor();
    await picture('details');
    await expectSeen(details().getByText(new RegExp(before)));
  });

  it('exports all files except the changed one as a bag', async () => {
    if (size.width < BESIDE) await page.keyboard.press('Escape');
    await press(page, page.getByTestId('archive.more'));
    await page.getByTestId('archive.more.bag').waitFor();
    await page.keyboard.press('Enter');
    const bag = path.join(app.folder, 'bag');
    await fill(page, page.getByTestId('archive.bag.folder'), bag);
    await picture('bag');
    const confirm = { name: words.archive_bag_confirm(), exact: true };
    await press(page, questionOf(page).getByRole('button', confirm));
    await page.getByTestId('archive.bag').getByText(words.archive_bag_left_out()).waitFor();
    expect((await archivedFiles(bag)).pdf).toHaveLength((await count()) - 1);
    expect(app.complaints).toEqual([]);
  });
});
