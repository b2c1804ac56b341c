import { PDFDocument } from 'pdf-lib';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { show } from './support/furnished-desk.ts';
import { pagesPdf } from './support/pdfs.ts';
import { prepareDraft } from './support/prepared-draft.ts';
import { expectGone, expectSeen, tryDemo } from './support/steps.ts';
import { words } from './support/words.ts';

const A4 = [595, 842] as const;
const A4_WIDE = [842, 595] as const;

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp();
  ({ page } = app);
  await tryDemo(page);
});
afterAll(() => app.close());

/** Prints with Ctrl+P; returns the printed pages as a PDF. */
async function print(testid: string): Promise<PDFDocument> {
  await page.evaluate(() => {
    // The system's print dialog would wait for the user, so the printed elements are recorded
    // instead.
    URL.revokeObjectURL = () => undefined;
    window.print = () => {
      const printed = document.querySelector('.printed');
      if (printed !== null) Object.assign(window, { kept: printed.cloneNode(true) });
    };
  });
  await page.keyboard.press('Control+p');
  await page.waitForFunction(() => 'kept' in window);
  await expectGone(page.getByTestId(testid));
  await page.evaluate(async () => {
    const kept: unknown = Reflect.get(window, 'kept');
    if (kept instanceof Element) document.querySelector('#overlays')?.append(kept);
    await Promise.all(
      [...document.querySelectorAll<HTMLImageElement>('.printed img')].map((one) => one.decode()),
    );
  });
  const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true });
  await page.evaluate(() => {
    document.querySelector('.printed')?.remove();
    Reflect.deleteProperty(window, 'kept');
  });
  return PDFDocument.load(pdf);
}

it('printing a document prints every page in its own orientation', async () => {
  const picked = await pagesPdf('Bilagor.pdf', [A4, A4_WIDE, A4]);
  const id = await prepareDraft(app, 'v1', 'Att skriva ut', picked);
  await show(app, `#/drafts/${id}`);
  await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
  const printed = await print('pdf.printed');
  const isWide = printed.getPages().map((one) => one.getWidth() > one.getHeight());
  expect(isWide).toEqual([false, true, false]);
  await expectGone(page.getByTestId('pdf.printing'));
});

it('printing the guide prints the page without the window around it', async () => {
  await show(app, '#/help/prepare-and-send');
  await page.getByTestId('help.article').waitFor();
  await page.emulateMedia({ media: 'print' });
  const printed = await print('help.printed');
  await page.emulateMedia({ media: null });
  expect(printed.getPageCount()).toBeGreaterThan(1);
  await expectSeen(page.getByTestId('help.article'));
});

it('the print key reports when nothing can be printed', async () => {
  await show(app, '#/settings');
  await page.getByRole('heading', { name: words.screen_settings(), level: 1 }).waitFor();
  await page.keyboard.press('Control+p');
  await expectSeen(page.getByText(words.print_none()));
});
