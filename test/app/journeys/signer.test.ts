// tier: all
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  addIdentity,
  expectFocus,
  expectSeen,
  fill,
  goTo,
  moveToRow,
  press,
  questionOf,
  rowOf,
} from '../support/steps.ts';
import { reviewCurrent, signedOn, titleOf, waitForUs } from '../support/waiting.ts';
import { BESIDE, windows } from '../support/windows.ts';
import { readIn, words } from '../support/words.ts';

/** Number of agreements of each API that wait for our company's signature. */
const EACH = 3;
/**
 * Number of signed agreements. These are the first to expire: two of v2, whose documents are read
 * outside the program, and one of v1 between them.
 */
const SIGNED = 3;
const WAITING = 2 * EACH - SIGNED;
/** Number of evidence entries: for each signed agreement the review, the intent and the outcome. */
const ENTRIES = 3 * SIGNED;
/** Number of anchors: the end of the evidence is anchored after each signature. */
const ANCHORS = SIGNED;

let app: DeskApp;
let page: Page;

// Each test continues from the state of the previous one. No test uses a pointer.
describe.each(windows)('signing for a company, by keyboard alone, in $language', (window) => {
  const { language, size } = window;
  const picture = (name: string): Promise<void> =>
    takePicture(page, `journey-signer-${language}-${name}`);

  beforeAll(async () => {
    await readIn(language);
    app = await startDeskApp({ seed: 'none', language, size });
    ({ page } = app);
    await waitForUs(app, EACH);
  });

  afterAll(async () => {
    await app.close();
    await readIn('en');
  });

  it('starts with the signing person and the queue of both connections', async () => {
    await goTo(page, 'Control+Digit6', words.screen_signing());
    await rowOf(page, titleOf.v1(1)).waitFor();
    await picture('nobody');
    await addIdentity(page);
    await picture('identity');
    await goTo(page, 'Control+Digit6', words.screen_signing());
    const count = page.getByRole('grid').getByRole('row');
    await expect.poll(() => count.count()).toBe(2 * EACH + 1);
    await picture('queue');
  });

  it('moves from one agreement to the next while the user reads them', async () => {
    await moveToRow(page, titleOf.v2(1));
    for (let read = 0; read < SIGNED; read += 1) {
      await picture(`before-${read}`);
      await reviewCurrent(page);
    }
    await picture('reviewed');
    expect((await apiOf(app)['evidence.list']({})).total).toBe(SIGNED);
    expect(signedOn(app.demo)).toBe(0);
  });

  it('signs the reviewed agreements after a question that first focuses Cancel (AP-20)', async () => {
    if (await page.getByTestId('signing.back').isVisible()) await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    await picture('question');
    const sign = words.signing_sign({ count: SIGNED });
    await press(page, questionOf(page).getByRole('button', { name: sign }));
    const outcome = page.getByTestId('signing.outcome');
    await outcome.getByText(words.signing_done({ signed: SIGNED })).waitFor();
    await picture('signed');
    expect(signedOn(app.demo)).toBe(SIGNED);
    expect(await page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(WAITING + 1));
    const waiting = page.getByTestId('shell.nav.signing').locator('.count');
    await expect.poll(() => waiting.textContent(), { timeout: 20_000 }).toBe(String(WAITING));
  });

  it('creates evidence that is read, verified and exported', async () => {
    await press(page, page.getByRole('link', { name: words.evidence_title() }));
    await rowOf(page, words.evidence_signed()).first().waitFor();
    await picture('evidence');
    await moveToRow(page, words.evidence_reviewed());
    if (size.width < BESIDE) await page.keyboard.press('Enter');
    await picture('entry');
    if (size.width < BESIDE) await page.keyboard.press('Escape');
    await press(page, page.getByRole('button', { name: words.evidence_verify() }));
    const whole = words.evidence_whole({ entries: ENTRIES, anchors: ANCHORS });
    await expectSeen(page.getByTestId('evidence.verdict').getByText(whole));
    await picture('verified');
    const file = path.join(app.folder, 'evidence.json');
    await press(page, page.getByRole('button', { name: words.evidence_export() }));
    await fill(page, page.getByTestId('evidence.file'), file);
    await picture('export');
    const confirm = questionOf(page).getByRole('button', { name: words.evidence_export_confirm() });
    await press(page, confirm);
    await page.getByTestId('activity.message').getByText(file).waitFor();
    expect(JSON.parse(await readFile(file, 'utf8'))).toHaveProperty('entries.length', ENTRIES);
    expect(app.complaints).toEqual([]);
  });
});
