import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { archivedFiles } from '../support/archived-files.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { holdLong, LONG_HOLD } from '../support/long-hold.ts';
import { leaseForm } from '../support/pdfs.ts';
import {
  addIdentity,
  expectFocus,
  expectFresh,
  expectSeen,
  goTo,
  questionOf,
  rowOf,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

const TITLE = 'Lägenhet på Ångströmsgatan';

let app: DeskApp;
let page: Page;
let folder: string;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await holdLong(app);
  folder = path.join(app.folder, 'archive');
  await mkdir(folder);
});

afterAll(() => app.close());

const card = (list: 'privates' | 'companies'): Locator =>
  page.getByTestId(`draft.parties.${list}.0`);
const sent = () => app.demo.agreements.v2().filter(({ name }) => name.startsWith(TITLE));
const creates = () =>
  app.demo.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/agreements'));

async function addParty(kind: string, list: 'privates' | 'companies'): Promise<void> {
  await page.getByTestId('draft.add-party').click();
  await page.getByRole('menuitem', { name: kind, exact: true }).click();
  await expectFocus(card(list).getByRole('textbox').first());
}

describe('the journey on v2', () => {
  it('a connection is tried step by step, which changes nothing, and kept (T2-01, T2-07)', async () => {
    await page.getByTestId('choice.v2').click();
    const { accessKey, accountId } = app.demo.credentials;
    await page.getByLabel(words.connection_name(), { exact: true }).fill('Gamla kontoret');
    await page.getByLabel(words.connection_address()).fill(app.demo.v2Url);
    await page.getByLabel(words.connection_secret_v2()).fill(` ${accessKey}\n`);
    await page.getByLabel(words.connection_user()).fill(accountId);
    await page.getByLabel(words.environment_test()).check();
    await page.getByRole('button', { name: words.connection_test(), exact: true }).click();
    const steps = page.getByTestId('connection.test');
    await steps.getByText(words.test_note_listed_empty()).waitFor();
    expect(await steps.getByText(words.test_note_accepted_user_unchecked()).count()).toBe(1);
    expect(new Set(app.demo.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    await page.getByRole('button', { name: words.connection_save() }).click();
    await page.getByTestId('choice.look').click();
    expect(await page.getByTestId('shell.strip').textContent()).toBe(words.strip_test());
    await page.getByRole('heading', { name: words.agreements_none_title() }).waitFor();
  });

  it('a draft is written: form, person, company', async () => {
    await page.getByTestId('agreements.new-draft').click();
    await page.getByTestId('draft.title').fill(TITLE);
    await page.getByTestId('draft.file').setInputFiles(await leaseForm());
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await page.getByLabel('tenant').fill('Åsa Öberg');
    await page.getByLabel('accepted').check();
    await addParty(words.draft_person(), 'privates');
    const person = card('privates');
    await person.getByLabel(words.draft_first_name()).fill('Åsa');
    await person.getByLabel(words.draft_last_name()).fill('Öberg');
    await person.getByLabel(words.draft_person_number()).fill('19850709-9805');
    await person.getByLabel(words.draft_email()).fill('asa.oberg@example.com');
    await person.getByLabel(words.draft_method()).selectOption(words.method_email());
    await addParty(words.draft_company(), 'companies');
    const company = card('companies');
    await company.getByLabel(words.draft_company_number()).fill(app.demo.company.orgNo);
    await company.getByLabel(words.draft_first_name()).fill('Karin');
    await company.getByLabel(words.draft_last_name()).fill('Lindqvist');
    await company.getByLabel(words.draft_email()).fill('karin@example.com');
    await expectSeen(page.getByText(words.draft_no_problems()));
  });

  it('the check before sending tells who is contacted (T2-56)', async () => {
    await page.getByTestId('draft.send').click();
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    expect(await page.getByTestId('draft.send.people').textContent()).toBe(
      words.draft_send_people({ count: 2, emails: 2, sms: 0 }),
    );
    expect(creates()).toEqual([]);
  });

  it('it can be undone with a click, and then sent at once', async () => {
    const verb = words.draft_send_held({ seconds: LONG_HOLD });
    await questionOf(page).getByRole('button', { name: verb }).click();
    await page.getByTestId('activity.undo').click();
    await page.getByTestId('draft.send').click();
    await questionOf(page).getByRole('button', { name: verb }).click();
    await page.getByTestId('activity.send-now').click();
    await page.getByTestId('shell.nav.outbox').click();
    await rowOf(page, TITLE).filter({ hasText: words.outbox_state_sent() }).waitFor();
    expect(creates()).toHaveLength(1);
    expect(sent()).toMatchObject([{ status: 'POSTED' }]);
  });

  it('our company signs it after the other party (T2-60, T2-61)', async () => {
    await addIdentity(page);
    const [agreement] = sent();
    app.demo.act('v2', agreement?.referenceNumber ?? '', 'sign-others');
    await page.getByTestId('shell.nav.agreements').click();
    await page.getByTestId('agreements.freshness').click();
    await expectFresh(page);
    await page.getByTestId('shell.nav.signing').click();
    await rowOf(page, TITLE).click();
    // This API gives no documents before the end: reading them elsewhere is stated.
    await page.getByTestId('signing.stated').check();
    await page.getByTestId('signing.reviewed').click();
    const verb = words.signing_sign({ count: 1 });
    await page.getByRole('button', { name: verb }).click();
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    await questionOf(page).getByRole('button', { name: verb }).click();
    await page.getByTestId('signing.outcome').waitFor();
    expect(sent()).toMatchObject([{ status: 'SIGNED_BY_ALL' }]);
  });

  it('it is archived apart from what counts, since the connection is a test (TX-41)', async () => {
    await goTo(page, 'Control+Digit7', words.screen_archive());
    await page.getByTestId('archive.folder').fill(folder);
    await page.getByTestId('archive.folder').blur();
    await page.getByRole('button', { name: words.archive_run({ count: 1 }) }).click();
    await page.getByTestId('archive.outcome').waitFor();
    const { pdf, part } = await archivedFiles(folder);
    expect(part).toEqual([]);
    expect(pdf).toHaveLength(1);
    expect(pdf[0]).toMatch(new RegExp(`^TEST/.*${TITLE}.*\\.pdf$`));
  });
});
