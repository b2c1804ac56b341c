// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { audit } from './support/audit.ts';
import { type DeskApp, startDeskApp } from './support/desk.ts';
import { show } from './support/furnished-desk.ts';
import { addLeaseTemplate, apiOf } from './support/prepared-draft.ts';
import { expectFocus, expectSeen, questionOf, rowOf, tryDemo } from './support/steps.ts';
import { signedOn, titleOf, waitForUs } from './support/waiting.ts';
import { words } from './support/words.ts';
import { leaseV1, people } from '../support/desks/batch-desk.ts';

let app: DeskApp;
let page: Page;
let clicks = 0;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full' });
  ({ page } = app);
  await tryDemo(page);
});
afterAll(() => app.close());
beforeEach(() => {
  clicks = 0;
});

async function click(target: Locator): Promise<void> {
  clicks += 1;
  await target.click();
}

/** Adds a person who signs, if there is none. */
async function setUpSigner(desk: DeskApp): Promise<void> {
  const api = apiOf(desk);
  if ((await api['identities.list']({})).length > 0) return;
  await api['identities.add']({ firstName: 'Karin', lastName: 'Lindqvist' });
}

const answer = (name: string): Locator => questionOf(page).getByRole('button', { name });

describe('the number of clicks', () => {
  it('is two, and three fields, to set up who signs', async () => {
    await show(app, '#/signing');
    await click(page.getByTestId('signing.add'));
    const dialog = questionOf(page);
    await expectFocus(dialog.getByLabel(words.settings_identity_first_name()));
    await dialog.getByLabel(words.settings_identity_first_name()).fill('Karin');
    await dialog.getByLabel(words.settings_identity_last_name()).fill('Lindqvist');
    await dialog.getByLabel(words.settings_identity_number()).fill('198507099805');
    await audit(page);
    await click(answer(words.signing_add_person()));
    await expectFocus(page.getByTestId('signing.as'));
    const signs = words.signing_person_signs({ name: 'Karin Lindqvist' });
    await expectSeen(page.getByTestId('activity.message').getByText(signs));
    expect(clicks).toBe(2);
  });

  it('is five to sign three documents, one of which was read in another program', async () => {
    await setUpSigner(app);
    await show(app, '#/signing');
    // This agreement has three documents, one of which cannot be shown.
    await rowOf(page, 'Leverantörsavtal Östra Hamnen').click();
    await click(page.getByRole('button', { name: words.signing_open_documents() }));
    const reader = page.getByRole('group').and(page.locator('[tabindex]'));
    const chip = (name: string): Locator => page.getByRole('button', { name, pressed: true });
    await chip('Avtal.pdf').waitFor();
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await reader.focus();
    await page.keyboard.press('PageDown');
    await chip('Bilaga 1 Prislista.pdf').waitFor();
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await reader.focus();
    await page.keyboard.press('PageDown');
    await chip('Offert.docx').waitFor();
    await click(page.getByLabel(words.signing_outside_statement({ name: 'Offert.docx' })));
    await click(page.getByTestId('signing.reviewed'));
    await click(page.getByRole('button', { name: words.signing_sign({ count: 1 }) }));
    await click(answer(words.signing_sign({ count: 1 })));
    await page.getByTestId('signing.outcome').waitFor();
    expect(clicks).toBe(5);
  });
});

describe('the number of clicks in an office with one template', () => {
  let office: DeskApp;

  beforeAll(async () => {
    office = await startDeskApp({ seed: 'none' });
    await waitForUs(office, 3);
    await addLeaseTemplate(office, leaseV1);
    await setUpSigner(office);
  });
  afterAll(() => office.close());

  it('is five to sign three agreements', async () => {
    const { page: own } = office;
    const api = apiOf(office);
    // Documents of API v2 are read outside of the program.
    const connection = (await api['connections.list']({})).find(({ api: name }) => name === 'v1');
    await api['settings.write']({ connection: connection?.id ?? null });
    await show(office, '#/signing');
    const side = own.getByRole('complementary', { name: words.signing_details() });
    const titled = (number: number) =>
      side.getByRole('heading', { name: titleOf.v1(number) }).waitFor();
    await titled(1);
    await click(own.getByRole('button', { name: words.signing_open_documents() }));
    for (const number of [1, 2]) {
      await titled(number);
      await click(own.getByTestId('signing.reviewed'));
    }
    await titled(3);
    const sign = own.getByTestId('signing.reviewed.sign');
    await sign.and(own.locator('.primary')).waitFor();
    expect(await sign.innerText()).toBe(words.signing_mark_and_sign({ count: 3 }));
    await click(sign);
    const confirm = words.signing_sign({ count: 3 });
    await click(questionOf(own).getByRole('button', { name: confirm }));
    await own.getByTestId('signing.outcome').waitFor();
    expect(signedOn(office.demo)).toBe(3);
    expect(clicks).toBe(5);
  });

  it('is five, and a typed count, to send a batch from one CSV file', async () => {
    const { page: own } = office;
    const rows = ['Förnamn;Efternamn;Personnummer;E-post;Monthly rent', ...people(3)];
    const sheet = Buffer.from(rows.join('\r\n'), 'latin1');
    await show(office, '#/batch');
    const pick = own.getByTestId('batch.pick');
    await pick.waitFor({ state: 'attached' });
    clicks += 1;
    await pick.setInputFiles({ name: 'hyror.csv', mimeType: 'text/csv', buffer: sheet });
    for (const step of ['columns', 'check', 'review'] as const) {
      await click(own.getByTestId('batch.next').and(own.locator(':not([aria-disabled])')));
      await own.locator(`[aria-current=step][data-testid="batch.step.${step}"]`).waitFor();
    }
    await own.getByTestId('batch.count').fill('3');
    await click(own.getByTestId('batch.send'));
    await own.getByTestId('batch.progress').waitFor();
    expect(clicks).toBe(5);
  });
});
