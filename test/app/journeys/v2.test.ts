// tier: all
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseArchiveFolder } from '../support/archive-folder.ts';
import { archivedFiles } from '../support/archived-files.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { tick } from '../support/draft-steps.ts';
import { holdLong, LONG_HOLD } from '../support/long-hold.ts';
import { leaseForm } from '../support/pdfs.ts';
import { takePicture } from '../support/picture.ts';
import {
  addIdentity,
  choose,
  enterConnection,
  expectFocus,
  expectFresh,
  expectSeen,
  fill,
  goTo,
  moveToRow,
  press,
  questionOf,
  rowOf,
  tabTo,
} from '../support/steps.ts';
import { windows } from '../support/windows.ts';
import { readIn, words } from '../support/words.ts';

const TITLE = 'Lägenhet på Ångströmsgatan';

let app: DeskApp;
let page: Page;
let folder: string;

const card = (list: 'privates' | 'companies'): Locator =>
  page.getByTestId(`draft.parties.${list}.0`);
const sent = () => app.demo.agreements.v2().filter(({ name }) => name.startsWith(TITLE));
const creates = () =>
  app.demo.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/agreements'));

/** Adds a person with the button’s key, or a company with the menu next to the button. */
async function addParty(list: 'privates' | 'companies'): Promise<void> {
  if (list === 'privates') await page.keyboard.press('Control+Shift+P');
  else {
    await press(page, page.getByTestId('draft.add-party-other'));
    await expectFocus(page.getByRole('menuitem', { name: words.draft_company(), exact: true }));
    await page.keyboard.press('Enter');
  }
  await expectFocus(card(list).getByRole('textbox').first());
}

// Each test continues from the state of the previous one. No test uses a pointer.
describe.each(windows)('the journey on v2, by keyboard alone, in $language', (window) => {
  const { language, size } = window;
  const picture = (name: string): Promise<void> =>
    takePicture(page, `journey-v2-${language}-${name}`);

  beforeAll(async () => {
    await readIn(language);
    app = await startDeskApp({ seed: 'none', language, size });
    ({ page } = app);
    await holdLong(app);
    folder = path.join(app.folder, 'archive');
    await mkdir(folder);
  });

  afterAll(async () => {
    await app.close();
    await readIn('en');
  });

  it('a connection is tested step by step without changes, and saved (T2-01, T2-07)', async () => {
    await page.getByTestId('choice.connect').waitFor();
    await picture('first-start');
    await enterConnection(page, 'v2');
    const { accessKey, accountId } = app.demo.credentials;
    await fill(page, page.getByLabel(words.connection_name(), { exact: true }), 'Gamla kontoret');
    await fill(page, page.getByLabel(words.connection_address()), app.demo.v2Url);
    // The key is pasted as it is copied from a letter: with a space before it and a line break
    // after it.
    await tabTo(page, page.getByLabel(words.connection_secret_v2()));
    await page.keyboard.insertText(` ${accessKey}\n`);
    await fill(page, page.getByLabel(words.connection_user()), accountId);
    await tabTo(page, page.getByRole('radio', { checked: true }));
    await page.keyboard.press('ArrowDown');
    expect(await page.getByLabel(words.environment_test()).isChecked()).toBe(true);
    await press(page, page.getByRole('button', { name: words.connection_test(), exact: true }));
    const steps = page.getByTestId('connection.test');
    await steps.getByText(words.test_note_listed_empty()).waitFor();
    await picture('tested');
    expect(await steps.getByText(words.test_note_accepted_user_unchecked()).count()).toBe(1);
    expect(new Set(app.demo.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
    await press(page, page.getByRole('button', { name: words.connection_save() }));
    await page.getByTestId('choice.look').waitFor();
    await picture('connected');
    await press(page, page.getByTestId('choice.look'));
    await page.getByRole('heading', { name: words.agreements_none_title() }).waitFor();
    await picture('empty');
    expect(await page.getByTestId('shell.strip').textContent()).toBe(words.strip_test());
  });

  it('a draft is written with a form, a person and a company', async () => {
    await page.keyboard.press('Control+n');
    await fill(page, page.getByTestId('draft.title'), TITLE);
    // The file dialog belongs to the system; everything else is done with the keyboard.
    await page.getByTestId('draft.file').setInputFiles(await leaseForm());
    await page.locator('[data-testid="pdf.page"][data-drawn="1"]').waitFor();
    await fill(page, page.getByLabel('tenant'), 'Åsa Öberg');
    await tick(page, page.getByLabel('accepted'));
    await addParty('privates');
    const person = card('privates');
    await fill(page, person.getByLabel(words.draft_first_name()), 'Åsa');
    await fill(page, person.getByLabel(words.draft_last_name()), 'Öberg');
    await fill(page, person.getByLabel(words.draft_person_number()), '19850709-9805');
    await fill(page, person.getByLabel(words.draft_email()), 'asa.oberg@example.com');
    await choose(page, person.getByLabel(words.draft_method()), words.method_email());
    await picture('person');
    await addParty('companies');
    const company = card('companies');
    await fill(page, company.getByLabel(words.draft_company_number()), app.demo.company.orgNo);
    await fill(page, company.getByLabel(words.draft_first_name()), 'Karin');
    await fill(page, company.getByLabel(words.draft_last_name()), 'Lindqvist');
    await fill(page, company.getByLabel(words.draft_email()), 'karin@example.com');
    await picture('company');
    await expectSeen(page.getByText(words.draft_no_problems()).first());
  });

  it('the check before sending names the recipients (T2-56)', async () => {
    await page.keyboard.press('Control+Enter');
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    // The question may contain notes, so that no message may say that there are no problems.
    const said = await page.getByTestId('activity.message').textContent();
    expect(said).not.toBe(words.draft_no_problems());
    await picture('send-check');
    expect(await page.getByTestId('draft.send.people').textContent()).toBe(
      words.draft_send_people_mail({ count: 2 }),
    );
    const documents = page.getByTestId('draft.send.documents').getByRole('listitem');
    expect(await documents.count()).toBe(1);
    const parties = await page.getByTestId('draft.send.party').allInnerTexts();
    expect(parties[0]).toContain(words.method_email());
    expect(parties[1]).toContain('karin@example.com');
    expect(creates()).toEqual([]);
  });

  it('the send can be undone with the keyboard, and then sent immediately', async () => {
    const verb = words.draft_send_held({ seconds: LONG_HOLD });
    await press(page, questionOf(page).getByRole('button', { name: verb }));
    await page.getByTestId('activity.held').waitFor();
    await page.keyboard.press('Control+z');
    await page.getByTestId('draft.editor').waitFor();
    await page.keyboard.press('Control+Enter');
    await press(page, questionOf(page).getByRole('button', { name: verb }));
    await press(page, page.getByTestId('activity.send-now'));
    await goTo(page, 'Control+Digit3', words.screen_outbox());
    await rowOf(page, TITLE).filter({ hasText: words.outbox_state_sent() }).waitFor();
    await tabTo(page, page.getByRole('grid'));
    await page.keyboard.press('Home');
    await picture('outbox');
    expect(creates()).toHaveLength(1);
    expect(sent()).toMatchObject([{ status: 'POSTED' }]);
  });

  it('our company signs after the other party (T2-60, T2-61)', async () => {
    await addIdentity(page);
    const [agreement] = sent();
    app.demo.act('v2', agreement?.referenceNumber ?? '', 'sign-others');
    await goTo(page, 'Control+Digit1', words.screen_agreements());
    await page.keyboard.press('F5');
    await expectFresh(page);
    await goTo(page, 'Control+Digit6', words.screen_signing());
    await moveToRow(page, TITLE);
    // Enter opens the details: next to the list or over it, depending on the width of the window.
    await page.keyboard.press('Enter');
    // API v2 provides no documents before the agreement is completed, so the user states that they
    // were read outside the program.
    await tick(page, page.getByTestId('signing.stated'));
    await picture('stated');
    await press(page, page.getByTestId('signing.reviewed'));
    await expectFocus(page.getByRole('grid'));
    await page.keyboard.press('Control+Enter');
    await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
    const verb = words.signing_sign({ count: 1 });
    await press(page, questionOf(page).getByRole('button', { name: verb }));
    await page.getByTestId('signing.outcome').waitFor();
    expect(sent()).toMatchObject([{ status: 'SIGNED_BY_ALL' }]);
  });

  it('the agreement is archived separately, because its connection is a test (TX-41)', async () => {
    await goTo(page, 'Control+Digit7', words.screen_archive());
    await chooseArchiveFolder(page, folder);
    await press(page, page.getByRole('button', { name: words.archive_run({ count: 1 }) }));
    await page.getByTestId('archive.outcome').waitFor();
    const { pdf, part } = await archivedFiles(folder);
    expect(part).toEqual([]);
    expect(pdf).toHaveLength(1);
    expect(pdf[0]).toMatch(new RegExp(`^TEST/.*${TITLE}.*\\.pdf$`));
  });
});
