// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  addIdentity,
  expectFocus,
  expectGone,
  expectSeen,
  goTo,
  moveToRow,
  press,
  questionOf,
} from '../support/steps.ts';
import { EXTRA, titleOf, waitForUs } from '../support/waiting.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await waitForUs(app, 1, [EXTRA, EXTRA]);
});

afterAll(() => app.close());

const mark = (): Locator => page.getByTestId('signing.reviewed');

it('an agreement can be marked as reviewed only after each of its documents was viewed', async () => {
  await addIdentity(page);
  await goTo(page, 'Control+Digit6', words.screen_signing());
  await moveToRow(page, titleOf.v1(1));
  await page.keyboard.press('Enter');
  await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
  await page.getByText(words.signing_why_unseen()).first().waitFor();
  expect(await mark().getAttribute('aria-disabled')).toBe('true');
  await press(page, mark());
  expect((await apiOf(app)['evidence.list']({})).total).toBe(0);
  await audit(page);
  // The pages fill the width of the window, and after the last page of a document the next document
  // follows.
  const paper = page.getByTestId('pdf.page');
  const room = page.viewportSize()?.width ?? 0;
  expect((await paper.boundingBox())?.width).toBeGreaterThan(room / 2);
  await takePicture(page, 'signing-reading');
  const reader = page.getByRole('group').and(page.locator('[tabindex]'));
  await reader.focus();
  // A held key turns no page of a document that is not on the screen yet.
  await reader.evaluate((element) => {
    const key = { key: 'PageDown', bubbles: true };
    for (let press = 0; press < 4; press += 1) {
      element.dispatchEvent(new KeyboardEvent('keydown', key));
    }
  });
  const [second, third] = [0, 1].map((at) => page.getByRole('button', { name: EXTRA }).nth(at));
  await second?.and(page.locator('[aria-pressed=true]')).waitFor();
  await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
  expect(await mark().getAttribute('aria-disabled')).toBe('true');
  await reader.press('PageDown');
  await third?.and(page.locator('[aria-pressed=true]')).waitFor();
  await press(page, mark().and(page.locator(':not([aria-disabled])')));
  await expectFocus(page.getByRole('grid'));
  const { items } = await apiOf(app)['evidence.list']({});
  const names = items.flatMap(({ fact }) => ('documents' in fact ? fact.documents : []));
  expect(names.map(({ name }) => name)).toContain(EXTRA);
  expect(names).toHaveLength(3);
});

describe('open documents', () => {
  const back = (): Locator => page.getByTestId('signing.back');
  const open = async (): Promise<void> => {
    await moveToRow(page, titleOf.v1(1));
    await page.keyboard.press('Enter');
    await back().waitFor();
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
  };

  it('are closed with Escape from every part of the window, also after a visit to another screen', async () => {
    await open();
    for (const place of [page.getByTestId('signing.as'), page.getByTestId('shell.nav.people')]) {
      await place.focus();
      await page.keyboard.press('Escape');
      await expectFocus(page.getByRole('grid'));
      await open();
    }
    await goTo(page, 'Control+Digit1', words.screen_agreements());
    await goTo(page, 'Control+Digit6', words.screen_signing());
    await expectSeen(back());
    await page.keyboard.press('Escape');
    await expectFocus(page.getByRole('grid'));
  });

  it('stay open when Escape closes a dialog above them', async () => {
    await open();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await expectGone(page.getByRole('dialog'));
    await expectSeen(back());
  });

  it('are replaced by the queue when its entry in the side bar is clicked', async () => {
    const entry = page.getByTestId('shell.nav.signing');
    await entry.click();
    await expectGone(back());
    await open();
    await goTo(page, 'Control+Digit1', words.screen_agreements());
    await entry.click();
    await expectSeen(page.getByRole('grid', { name: words.screen_signing() }));
    await expectGone(back());
  });
});

it('a double click on the button that signs gives one signature, and reports it', async () => {
  const signatures = (): number =>
    app.demo.requests.filter(({ method, url }) => method === 'POST' && url.includes('/sign/'))
      .length;
  const before = signatures();
  await page.keyboard.press('Control+Enter');
  const sign = words.signing_sign({ count: 1 });
  await questionOf(page).getByRole('button', { name: sign }).dblclick();
  const outcome = page.getByTestId('signing.outcome');
  await expectSeen(outcome.getByText(words.signing_done({ signed: 1 })));
  expect(signatures() - before).toBe(1);
});
