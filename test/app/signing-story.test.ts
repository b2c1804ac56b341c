import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from './support/audit.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { apiOf } from './support/prepared-draft.ts';
import {
  addIdentity,
  expectFocus,
  fill,
  goTo,
  moveToRow,
  press,
  questionOf,
  rowOf,
} from './support/steps.ts';
import { fileOf, idOf, reviewCurrent, signedOn, titleOf, waitForUs } from './support/waiting.ts';
import { words } from './support/words.ts';

const EACH = 15;
const ALL = 2 * EACH;
const REFUSED = titleOf.v2(3);
const CHANGED = titleOf.v1(5);
const REFUSAL = 'The person may not sign for the company.';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await waitForUs(app, EACH);
});

afterAll(() => app.close());

async function shot(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `/tmp/story/${name}-${colorScheme}.png` });
  }
  await page.emulateMedia({ colorScheme: null });
}

const grid = (): Locator => page.getByRole('grid');

/** Confirms what Ctrl+Enter asks. */
async function confirmSigning(count: number): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
  await press(page, questionOf(page).getByRole('button', { name: words.signing_sign({ count }) }));
}

describe('thirty agreements from two connections', () => {
  it('wait in one queue, those that expire first on top', async () => {
    await addIdentity(page);
    await goTo(page, 'Control+Digit6', words.screen_signing());
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(ALL + 1));
    const rows = await grid().getByRole('row').allTextContents();
    expect(rows.slice(1, 4).map((text) => /\w+ \d\d/.exec(text)?.[0])).toEqual([
      ...[titleOf.v2(1), titleOf.v1(1), titleOf.v2(2)],
    ]);
    await audit(page);
  });

  it('are reviewed one after the other, without a mouse', async () => {
    await moveToRow(page, titleOf.v2(1));
    for (let read = 0; read < ALL; read += 1) {
      await reviewCurrent(page);
      if (read === 1) await shot('2-next');
    }
    await shot('3-reviewed');
    const sign = words.signing_sign({ count: ALL });
    await page.getByRole('button', { name: sign }).waitFor();
    expect((await apiOf(app)['evidence.list']({})).total).toBe(ALL);
  });

  it('are signed after a question; what was refused or changed meanwhile is told apart', async () => {
    const refusal = {
      kind: 'status',
      status: 403,
      body: JSON.stringify({ message: REFUSAL }),
    } as const;
    app.demo.fault({
      method: 'POST',
      path: new RegExp(`${idOf(app.demo, REFUSED)}/sign`),
      do: refusal,
    });
    const path = /\/v1\/agreements[/?]/;
    app.demo.fault({ method: 'GET', path, times: 999, do: { kind: 'mutate', change: rename } });
    await confirmSigning(ALL);
    const outcome = page.getByTestId('signing.outcome');
    await outcome.waitFor({ timeout: 60_000 });
    await shot('6-outcome');
    expect(signedOn(app.demo)).toBe(ALL - 2);
    await outcome.getByText(words.signing_done({ signed: ALL - 2 })).waitFor();
    await outcome.getByRole('listitem').filter({ hasText: REFUSED }).waitFor();
    await outcome.getByRole('listitem').filter({ hasText: CHANGED }).waitFor();
    await audit(page);
  });

  it('what changed is reviewed anew, and then signed', async () => {
    await moveToRow(page, CHANGED);
    await rowOf(page, CHANGED).getByText(words.signing_review_changed()).waitFor();
    await shot('7-changed');
    await reviewCurrent(page);
    // What the service refused is still marked.
    await moveToRow(page, REFUSED);
    await page.keyboard.press('Space');
    await confirmSigning(1);
    await page
      .getByTestId('signing.outcome')
      .getByText(words.signing_done({ signed: 1 }))
      .waitFor();
    expect(signedOn(app.demo)).toBe(ALL - 1);
  });

  it('what nobody wants is rejected for the company, with the same care (T2-62)', async () => {
    await moveToRow(page, REFUSED);
    await press(page, page.getByTestId('signing.reject'));
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    await fill(page, page.getByTestId('agreements.reject.number'), '19850709-9805');
    await shot('8-reject');
    await press(page, questionOf(page).getByRole('button', { name: words.reject_confirm() }));
    await page.getByText(words.signing_empty()).waitFor();
    await shot('9-empty');
  });

  it('left evidence that is whole, and can be read and handed over', async () => {
    await press(page, page.getByRole('link', { name: words.evidence_title() }));
    await rowOf(page, words.evidence_rejected()).waitFor();
    await moveToRow(page, words.evidence_about_to_reject());
    await shot('10-evidence');
    await audit(page);
    await press(page, page.getByRole('button', { name: words.evidence_verify() }));
    await shot('11-verified');
    const file = path.join(app.folder, 'statement.pdf');
    await press(page, page.getByRole('button', { name: words.evidence_statement() }));
    await fill(page, page.getByTestId('evidence.file'), file);
    await shot('12-statement');
    await press(page, questionOf(page).getByRole('button', { name: words.evidence_statement() }));
    await expect.poll(() => readFile(file, 'latin1').catch(() => '')).toMatch(/^%PDF/);
    await (await import('node:fs/promises')).copyFile(file, '/tmp/story/statement.pdf');
    process.stderr.write(JSON.stringify(await apiOf(app)['evidence.lastAnchor']({})));
  });
});

/** From now on the service tells another name of this document. */
function rename(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json).replaceAll(fileOf(5), 'ny lydelse.pdf'));
}
