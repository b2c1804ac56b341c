// tier: quick, 35 s, because a signature cannot be undone
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EvidenceEntry } from '../../../shared/contract/evidence.ts';
import { AgreementId, type ConnectionId } from '../../../shared/model/ids.ts';
import { canonicalJson } from '../../../shared/rules/evidence/canonical-json.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  addIdentity,
  expectFocus,
  expectGone,
  expectSeen,
  fill,
  goTo,
  moveToRow,
  press,
  questionOf,
  rowOf,
} from '../support/steps.ts';
import { fileOf, idOf, reviewCurrent, signedOn, titleOf, waitForUs } from '../support/waiting.ts';
import { words } from '../support/words.ts';

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

const grid = (): Locator => page.getByRole('grid');

/** Presses Ctrl+Enter, and confirms the question that it opens. */
async function confirmSigning(count: number): Promise<void> {
  await page.keyboard.press('Control+Enter');
  await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
  await press(page, questionOf(page).getByRole('button', { name: words.signing_sign({ count }) }));
}

describe('thirty agreements from two connections', () => {
  it('wait in one queue, the earliest to expire first', async () => {
    await addIdentity(page);
    await goTo(page, 'Control+Digit6', words.screen_signing());
    await expect.poll(() => grid().getAttribute('aria-rowcount')).toBe(String(ALL + 1));
    const rows = await grid().getByRole('row').allTextContents();
    expect(rows.slice(1, 4).map((text) => /\w{1,9} \d\d/.exec(text)?.[0])).toEqual([
      ...[titleOf.v2(1), titleOf.v1(1), titleOf.v2(2)],
    ]);
  });

  it('cannot be signed before they are reviewed (AP-20)', async () => {
    await moveToRow(page, titleOf.v1(1));
    await page.keyboard.press('Space');
    await page.keyboard.press('Control+Enter');
    await page
      .getByTestId('activity.message')
      .getByText(words.signing_why_lacking({ count: 1 }))
      .waitFor();
    expect(await questionOf(page).count()).toBe(0);
    await page.keyboard.press('Space');
  });

  it('keep a ticked statement while the list is read again', async () => {
    await moveToRow(page, titleOf.v2(1));
    await page.keyboard.press('Enter');
    await expectFocus(page.getByTestId('signing.stated'));
    await page.keyboard.press('Space');
    const title = `${titleOf.v1(1)}, read again`;
    app.demo.fault({ method: 'GET', path: /\/v1\/agreements\?/, times: 9, do: renaming(title) });
    await apiOf(app)['agreements.sync']({ full: true });
    await rowOf(page, title).waitFor();
    expect(await page.getByTestId('signing.stated').isChecked()).toBe(true);
    await page.keyboard.press('Space');
  });

  it('are reviewed one by one, without a mouse', async () => {
    await moveToRow(page, titleOf.v2(1));
    for (let read = 0; read < ALL; read += 1) await reviewCurrent(page);
    const sign = words.signing_sign({ count: ALL });
    await page.getByRole('button', { name: sign }).waitFor();
    expect((await apiOf(app)['evidence.list']({})).total).toBe(ALL);
  });

  it('are signed after a question, except a rejected and a changed one, which are named (AP-20)', async () => {
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
    // Thirty agreements are read again and signed, which takes long on a busy machine.
    await outcome.waitFor({ timeout: 120_000 });
    expect(signedOn(app.demo)).toBe(ALL - 2);
    await outcome.getByText(words.signing_done({ signed: ALL - 2 })).waitFor();
    const why = (title: string): Locator =>
      outcome.getByRole('listitem').filter({ hasText: title });
    await why(REFUSED).getByText(words.failure_forbidden()).waitFor();
    // The reason is also shown in the service's own words (SC-10).
    await why(REFUSED)
      .getByText(words.service_said({ said: REFUSAL }))
      .waitFor();
    await why(CHANGED).getByText(words.reason_documents_changed()).waitFor();
    await takePicture(page, 'signing-outcome');
    await audit(page);
  });

  it('are reviewed again if they changed, and then signed', async () => {
    await moveToRow(page, CHANGED);
    await rowOf(page, CHANGED).getByText(words.signing_review_changed()).waitFor();
    await reviewCurrent(page);
    // The agreement whose signing was rejected is still selected; Space removes the selection.
    await moveToRow(page, REFUSED);
    await page.keyboard.press('Space');
    await confirmSigning(1);
    await page
      .getByTestId('signing.outcome')
      .getByText(words.signing_done({ signed: 1 }))
      .waitFor();
    expect(signedOn(app.demo)).toBe(ALL - 1);
  });

  it('are rejected for the company after a question that requires a personal number (T2-62)', async () => {
    await moveToRow(page, REFUSED);
    await press(page, page.getByTestId('signing.reject'));
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    await fill(page, page.getByTestId('agreements.reject.number'), '19850709-9805');
    await press(page, questionOf(page).getByRole('button', { name: words.reject_confirm() }));
    await page.getByText(words.signing_empty()).waitFor();
  });

  it('produce complete evidence that can be read and handed over', async () => {
    await press(page, page.getByRole('link', { name: words.evidence_title() }));
    await rowOf(page, words.evidence_rejected()).waitFor();
    await moveToRow(page, words.evidence_about_to_reject());
    await audit(page);
    await press(page, page.getByRole('button', { name: words.evidence_verify() }));
    const all = await apiOf(app)['evidence.list']({ limit: 500 });
    // The evidence contains one review of each agreement, and an intent and an outcome for each
    // attempt, except that of the changed agreement. Three entries follow for its second review and
    // attempt, and two for the rejection.
    expect(all.total).toBe(ALL + 2 * (ALL - 1) + 3 + 2);
    const whole = words.evidence_whole({ entries: all.total, anchors: 3 });
    await page.getByTestId('evidence.verdict').getByText(whole).waitFor();
    const { entries, folder } = await apiOf(app)['evidence.lastAnchor']({});
    expect({ entries, folder }).toEqual({
      entries: all.total,
      folder: path.join(app.folder, 'anchors'),
    });
  });

  it('are exported with exactly the bytes that were hashed (AP-20)', async () => {
    const file = path.join(app.folder, 'evidence.json');
    await press(page, page.getByRole('button', { name: words.evidence_export() }));
    await fill(page, page.getByTestId('evidence.file'), file);
    await press(
      page,
      questionOf(page).getByRole('button', { name: words.evidence_export_confirm() }),
    );
    await page.getByTestId('activity.message').getByText(file).waitFor();
    const Exported = z.object({ entries: z.array(EvidenceEntry) });
    const { entries } = Exported.parse(JSON.parse(await readFile(file, 'utf8')));
    for (const { hash, ...entry } of entries) {
      const text = canonicalJson(JSON.parse(JSON.stringify(entry)));
      expect(createHash('sha256').update(text).digest('hex')).toBe(hash);
    }
    const signed = entries.flatMap(({ fact }) => (fact.kind === 'intended' ? [fact] : []));
    expect(signed).toHaveLength(ALL + 1);
  });

  it('produce a statement with all outcomes, including failures and rejections, and the hashes', async () => {
    const file = path.join(app.folder, 'statement.pdf');
    await press(page, page.getByRole('button', { name: words.evidence_statement() }));
    await fill(page, page.getByTestId('evidence.file'), file);
    await press(page, questionOf(page).getByRole('button', { name: words.evidence_statement() }));
    await page.getByTestId('activity.message').getByText(file).waitFor();
    const text = await textOf(file);
    const key = {
      connectionId: await connectionOf('v2'),
      id: AgreementId.parse(idOf(app.demo, REFUSED)),
    };
    const { items } = await apiOf(app)['evidence.list']({ key });
    expect(items).toHaveLength(5);
    for (const { hash } of items) expect(text).toContain(hash);
    for (const part of [REFUSED, REFUSAL, 'About to reject', '19850709••••', 'REJECTED']) {
      expect(text).toContain(part);
    }
  });
});

describe('a signature that the service refused', () => {
  it('is shown as refused in the Outbox, with the reason and the way back to the signing queue', async () => {
    // The service still shows the party as not signed, which adds nothing to the refusal.
    await apiOf(app)['outbox.run']({});
    const items = await apiOf(app)['outbox.list']({});
    const refused = items.find(({ title, state }) => title === REFUSED && state === 'rejected');
    await show(app, `#/outbox/${String(refused?.ref)}`);
    const details = page.getByTestId('outbox.details');
    await expectSeen(details.getByText(words.outbox_state_rejected(), { exact: true }));
    await expectSeen(details.getByText(words.outbox_explain_rejected_sign()));
    await expectSeen(details.getByText(words.refused_by_service_because({ said: REFUSAL })));
    await expectGone(details.getByRole('button', { name: words.outbox_take_back() }));
    await expectSeen(details.getByRole('button', { name: words.outbox_do_not_sign() }));
    await takePicture(page, 'outbox-signature-refused');
    await audit(page);
    await page.getByTestId('outbox.signing').click();
    await expectSeen(page.getByRole('heading', { name: words.screen_signing(), level: 1 }));
  });
});

it('the page logs no error during signing', () => {
  expect(app.complaints).toEqual([]);
});

async function connectionOf(api: 'v1' | 'v2'): Promise<ConnectionId> {
  const list = await apiOf(app)['connections.list']({});
  const id = list.find((one) => one.api === api)?.id;
  if (id === undefined) throw new Error(`There is no connection for ${api}`);
  return id;
}

/** Returns the text of a PDF, page by page. */
async function textOf(file: string): Promise<string> {
  const data = new Uint8Array(await readFile(file));
  const task = getDocument({ data, useSystemFonts: false, verbosity: 0 });
  const pdf = await task.promise;
  const words: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    words.push(...items.map((item) => ('str' in item ? item.str : '')));
  }
  await task.destroy();
  return words.join(' ');
}

/** Returns a fault that changes the title of the first agreement in the service's list. */
function renaming(title: string) {
  const change = (json: unknown): unknown =>
    JSON.parse(JSON.stringify(json).replaceAll(`"${titleOf.v1(1)}"`, `"${title}"`));
  return { kind: 'mutate', change } as const;
}

/** Changes the file name of one agreement's document in the service's answer. */
function rename(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json).replaceAll(fileOf(5), 'ny lydelse.pdf'));
}
