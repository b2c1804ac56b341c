// tier: quick, 45 s, because it is the main job in the window, by keyboard alone
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chooseArchiveFolder } from '../support/archive-folder.ts';
import { archivedFiles } from '../support/archived-files.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { openOptions } from '../support/draft-steps.ts';
import { leaseForm } from '../support/pdfs.ts';
import {
  addIdentity,
  choose,
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
  tryDemo,
} from '../support/steps.ts';
import { takePicture } from '../support/picture.ts';
import { goBackFromReading } from '../support/waiting.ts';
import { BESIDE, windows } from '../support/windows.ts';
import { readIn, words } from '../support/words.ts';

const TITLE = 'Hyresavtal Örtagården';
const NEW_TITLE = `${TITLE}, rättat`;
const HELD_SECONDS = 10;

let app: DeskApp;
let page: Page;
let folder: string;

const party = (index: number): Locator => page.getByTestId(`draft.parties.${index}`);
const email = (): Locator => party(0).getByLabel(words.draft_email());
const sent = () => app.demo.agreements.v1().filter(({ title }) => title.startsWith(TITLE));
const creates = () =>
  app.demo.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/agreements'));

async function confirmSend(): Promise<void> {
  const verb = words.draft_send_held({ seconds: HELD_SECONDS });
  await press(page, questionOf(page).getByRole('button', { name: verb }));
  await page.getByTestId('activity.held').waitFor();
}

// Each test continues from the state of the previous one. No test uses a pointer.
describe.each(windows)(
  'the journey on v1, by keyboard alone, in $language',
  ({ language, size }) => {
    beforeAll(async () => {
      await readIn(language);
      app = await startDeskApp({ seed: 'full', language, size });
      ({ page } = app);
      folder = path.join(app.folder, 'archive');
      await mkdir(folder);
    });

    afterAll(async () => {
      await app.close();
      await readIn('en');
    });

    it('the first start opens the demo with one key', async () => {
      await tryDemo(page);
      expect(await page.getByTestId('shell.strip').textContent()).toBe(words.strip_demo());
    });

    it('an agreement is found by its title without accents, and shown', async () => {
      await page.keyboard.press('Control+f');
      await page.keyboard.type('anstallningsavtal asa');
      const grid = page.getByRole('grid');
      await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
      await page.keyboard.press('ArrowDown');
      await expectFocus(grid);
      // In a narrow window, the details are shown only after Enter, over the list.
      if (size.width < BESIDE) {
        await moveToRow(page, 'Anställningsavtal Åsa Öberg');
        await page.keyboard.press('Enter');
      }
      await page.getByRole('heading', { name: 'Anställningsavtal Åsa Öberg' }).waitFor();
    });

    it('a draft is started with a title and a PDF form, and shows its page', async () => {
      await page.keyboard.press('Control+n');
      await press(page, page.getByTestId(/^choice\./).filter({ hasText: words.api_v1() }));
      await fill(page, page.getByTestId('draft.title'), TITLE);
      // The screen shows only the number of open tasks, and no problems before the user has reached
      // the fields (SC-16).
      await page
        .getByText(words.draft_to_do({ count: 2 }), { exact: false })
        .first()
        .waitFor();
      await page.getByTestId('draft.file').setInputFiles(await leaseForm());
      await expectSeen(page.locator('[data-testid="pdf.page"][data-drawn="1"]'));
      // The first document does not mark the parties, which the user has not reached yet, as wrong.
      const outline = page.getByRole('navigation', { name: words.draft_outline() });
      await expectSeen(outline.getByTitle(words.draft_to_do({ count: 1 }), { exact: true }));
      expect(await outline.locator('.bad').count()).toBe(0);
    });

    it('two parties are added, each with a signing method', async () => {
      await page.keyboard.press('Control+Shift+P');
      await expectFocus(party(0).getByLabel(words.draft_first_name()));
      await page.keyboard.type('Åsa');
      await fill(page, party(0).getByLabel(words.draft_last_name()), 'Öberg');
      await fill(page, email(), 'asa.oberg@');
      await choose(page, party(0).getByLabel(words.draft_method()), words.method_click());
      await press(page, page.getByTestId('draft.add-party-other'));
      // The test waits for the focus: an arrow key pressed before the menu has the focus would move
      // nothing.
      await expectFocus(page.getByRole('menuitem').first());
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await party(1).waitFor();
    });

    it('the form’s fields are filled, and the last day for signing is set', async () => {
      await fill(page, page.getByLabel('tenant'), 'Åsa Öberg');
      await fill(page, page.getByLabel('rent'), '9 400 kr');
      await tabTo(page, page.getByLabel('accepted'));
      await page.keyboard.press('Space');
      await openOptions(page);
      await press(page, page.getByRole('button', { name: words.draft_in_days({ count: 14 }) }));
      await takePicture(page, `journey-${language}-draft`);
      expect(await page.getByLabel('rent').inputValue()).toBe('9 400 kr');
      expect(await page.getByLabel('accepted').isChecked()).toBe(true);
    });

    it('a problem stops the send, is shown at its field, and F8 leads to it (AP-10)', async () => {
      await page.keyboard.press('Control+Enter');
      await expectFocus(email());
      await party(0).getByText(words.problem_format_email()).waitFor();
      await tabTo(page, page.getByLabel('tenant'));
      await page.keyboard.press('F8');
      await expectFocus(email());
      await page.keyboard.press('End');
      await page.keyboard.type('example.com');
      await party(0).getByText(words.problem_format_email()).waitFor({ state: 'detached' });
    });

    it('the check before sending names the recipients, and first focuses Cancel (AP-11, T1-59)', async () => {
      await page.keyboard.press('Control+Enter');
      await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
      await takePicture(page, `journey-${language}-send-check`);
      const people = page.getByTestId('draft.send.people');
      const party = questionOf(page).getByText('asa.oberg@example.com');
      const owner = questionOf(page).getByText(words.draft_send_owner(), { exact: true });
      expect(await people.textContent()).toBe(words.draft_send_people_mail({ count: 2 }));
      expect([await party.count(), await owner.count()]).toEqual([1, 1]);
      const documents = await page.getByTestId('draft.send.documents').innerText();
      expect(documents).toContain('.pdf');
      const [first, own] = await page.getByTestId('draft.send.party').allInnerTexts();
      expect(first).toContain(words.method_click());
      expect(own).toContain(words.method_api());
      const times = await page.getByTestId('draft.send.times').textContent();
      expect(times).not.toContain(words.draft_send_never_closes());
      expect(creates()).toEqual([]);
    });

    it('a send that is undone during its delay contacts no one', async () => {
      await confirmSend();
      await page.keyboard.press('Control+z');
      await page.getByTestId('draft.editor').waitFor();
      expect(await page.getByTestId('draft.title').isEnabled()).toBe(true);
      expect(creates()).toEqual([]);
    });

    it('the final send creates one agreement with the edited text (AP-12)', async () => {
      await fill(page, page.getByTestId('draft.title'), NEW_TITLE);
      await page.keyboard.press('Control+Enter');
      await confirmSend();
      await goTo(page, 'Control+Digit3', words.screen_outbox());
      const row = rowOf(page, NEW_TITLE);
      await row.filter({ hasText: words.outbox_state_held() }).waitFor();
      await row.filter({ hasText: words.outbox_state_sent() }).waitFor();
      expect(creates()).toHaveLength(1);
      expect(sent()).toMatchObject([{ title: NEW_TITLE, state: 'READY_TO_SIGN' }]);
    });

    it('an agreement signed by the others waits in the signing queue (SC-09)', async () => {
      await addIdentity(page);
      for (const { id } of sent()) app.demo.act('v1', id, 'sign-others');
      await goTo(page, 'Control+Digit1', words.screen_agreements());
      await page.keyboard.press('F5');
      await expectFresh(page);
      await goTo(page, 'Control+Digit6', words.screen_signing());
      const row = rowOf(page, NEW_TITLE).filter({ hasText: words.signing_not_reviewed() });
      await expectSeen(row.getByRole('gridcell', { name: 'Åsa Öberg' }));
    });

    it('the agreement is reviewed, and signed after a question that first focuses Cancel (T1-27)', async () => {
      await moveToRow(page, NEW_TITLE);
      // Enter opens the documents, which are then hashed, shown and recorded as read.
      await page.keyboard.press('Enter');
      await page.getByTestId('pdf.page').waitFor();
      await takePicture(page, `journey-${language}-review`);
      await press(page, page.getByTestId('signing.reviewed'));
      await goBackFromReading(page, NEW_TITLE);
      const reviewed = rowOf(page, NEW_TITLE).filter({ hasNotText: words.signing_not_reviewed() });
      await reviewed.getByRole('checkbox', { checked: true }).waitFor();
      await page.keyboard.press('Control+Enter');
      await expectFocus(questionOf(page).getByRole('button', { name: words.cancel() }));
      await expectSeen(questionOf(page).getByText('Åsa Öberg'));
      expect(sent()).toMatchObject([{ state: 'SIGNED' }]);
      const verb = words.signing_sign({ count: 1 });
      await press(page, questionOf(page).getByRole('button', { name: verb }));
      await page.getByTestId('signing.outcome').waitFor();
      expect(sent()).toMatchObject([{ state: 'SIGNED_BY_ALL' }]);
    });

    it('every signed agreement is archived, without partial files (TX-41)', async () => {
      await goTo(page, 'Control+Digit7', words.screen_archive());
      await chooseArchiveFolder(page, folder);
      await page.keyboard.press('Control+Shift+S');
      await page.getByTestId('archive.outcome').waitFor();
      await takePicture(page, `journey-${language}-archive`);
      const signed = app.demo.agreements.v1().filter(({ state }) => state === 'SIGNED_BY_ALL');
      const closed = app.demo.agreements.v2().filter(({ status }) => status === 'SIGNED_BY_ALL');
      const files = await archivedFiles(folder);
      expect(files.part).toEqual([]);
      expect(files.pdf).toHaveLength(signed.length + closed.length);
      expect(files.pdf.filter((file) => file.includes(NEW_TITLE))).toHaveLength(1);
    });

    it('a second archive run downloads nothing (TX-42)', async () => {
      const before = app.demo.requests.length;
      await page.keyboard.press('Control+Shift+S');
      const said = page.getByTestId('activity.message');
      await expect.poll(() => said.textContent()).toBe(words.archive_why_nothing());
      expect(app.demo.requests).toHaveLength(before);
    });
  },
);
