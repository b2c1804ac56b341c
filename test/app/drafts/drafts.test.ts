// tier: quick, 25 s, because nothing that was typed may be lost
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DraftBodyV1, DraftBodyV2 } from '../../../shared/contract/drafts.ts';
import type { DraftId } from '../../../shared/model/ids.ts';
import { languages } from '../../../shared/model/languages.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { openOptions } from '../support/draft-steps.ts';
import { expectGone, expectSeen, press, questionOf, tabTo, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;
let v1: DraftId;
let v2: DraftId;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await tryDemo(page);
  v1 = await prepareDraft(app, 'v1', 'Arrende');
  v2 = await prepareDraft(app, 'v2', 'Städning');
});

afterAll(() => app.close());

const section = (name: string): Locator => page.locator(`[data-section=${name}]`);
const stored = async (id: DraftId) => apiOf(app)['drafts.show']({ id });
const textOf = async (id: DraftId): Promise<string> => JSON.stringify((await stored(id)).content);

async function bodyV1(): Promise<DraftBodyV1> {
  const { content } = await stored(v1);
  if (content.api !== 'v1') throw new Error('another API');
  return content.body;
}

/** Codes of the errors of the closing time, as the core finds them in the stored draft. */
async function dateProblems(): Promise<readonly string[]> {
  const { errors } = await apiOf(app)['drafts.check']({ id: v1 });
  return errors.flatMap(({ field, code }) => (field === 'expireOn' ? [code] : []));
}

async function bodyV2(): Promise<DraftBodyV2> {
  const { content } = await stored(v2);
  if (content.api !== 'v2') throw new Error('another API');
  return content.body;
}

async function open(id: DraftId): Promise<void> {
  await show(app, `#/drafts/${id}`);
  await section('documents').waitFor();
  await openOptions(page);
}

/**
 * Saves the draft immediately with Ctrl+S, and waits until the header shows that everything is
 * saved.
 */
async function saved(): Promise<void> {
  await page.keyboard.press('Control+s');
  await page
    .getByTestId('draft.saved')
    .filter({ hasText: /^Saved/ })
    .waitFor();
}

/** Goes to a section of the draft with the outline. */
async function enter(name: string, title: string): Promise<void> {
  await page.getByRole('navigation', { name: words.draft_outline() }).getByText(title).click();
  await section(name).locator('h2').waitFor();
}

describe('the options of a draft', () => {
  const options = (): Locator => page.getByTestId('draft.options');
  const isOpen = async (): Promise<boolean> => (await options().getAttribute('open')) !== null;

  it('are folded while they change nothing, with a summary in words', async () => {
    await show(app, `#/drafts/${v1}`);
    await options().waitFor();
    expect(await isOpen()).toBe(false);
    const summary = options().locator('summary').first();
    await expectSeen(summary.getByText(words.draft_options_default()));
    await openOptions(page);
    await section('notifications').getByLabel(words.notice_none(), { exact: true }).check();
    await expectSeen(summary.getByText(words.notice_summary_none()));
    await saved();
  });

  it('are open in a draft that changes them', async () => {
    await show(app, '#/drafts');
    await page.getByRole('grid').waitFor();
    await show(app, `#/drafts/${v1}`);
    await options().waitFor();
    expect(await isOpen()).toBe(true);
    await section('notifications').getByLabel(words.notice_standard(), { exact: true }).check();
    await saved();
  });

  it('open if the next problem is in them, and the problem gets the focus', async () => {
    const date = section('dates').locator('[data-field=expireOn]');
    const before = await date.inputValue();
    await date.fill('31.02.2027');
    await date.blur();
    await options().locator('summary').first().click();
    expect(await isOpen()).toBe(false);
    await page.keyboard.press('F8');
    await page.locator('[data-field=expireOn]:focus').waitFor();
    expect(await isOpen()).toBe(true);
    await date.fill(before);
    await date.blur();
    await saved();
  });

  it('open at the section that is chosen in the outline', async () => {
    await options().locator('summary').first().click();
    expect(await isOpen()).toBe(false);
    await enter('sharing', words.draft_section_sharing());
    expect(await isOpen()).toBe(true);
  });
});

describe('the v1 draft editor', () => {
  it('saves three choices of notifications, made with the keyboard: none, standard or unset (T1-52)', async () => {
    await open(v1);
    await enter('notifications', words.draft_section_notifications());
    const none = section('notifications').getByLabel(words.notice_none(), { exact: true });
    await tabTo(page, section('notifications').getByLabel(words.notice_standard()));
    await page.keyboard.press('ArrowRight');
    expect(await none.isChecked()).toBe(true);
    await saved();
    expect((await bodyV1()).notifications).toEqual([]);
    await page.keyboard.press('ArrowRight');
    await saved();
    expect((await bodyV1()).notifications).toEqual([
      { type: 'READY_TO_SIGN' },
      { type: 'SIGNED_BY_ALL' },
    ]);
    await page.keyboard.press('ArrowRight');
    await saved();
    expect(await bodyV1()).not.toHaveProperty('notifications');
  });

  it('saves an unset answer and "no" as different values, and saves a custom message (T1-54, T1-56)', async () => {
    const notices = section('notifications');
    await notices.getByLabel(words.notice_custom(), { exact: true }).check();
    await notices
      .getByRole('button', {
        name: words.notice_details_of({ event: words.notification_signed_by_all() }),
      })
      .click();
    await notices
      .getByLabel(words.notice_attach())
      .selectOption({ label: words.notice_attach_no() });
    await notices.getByLabel(words.notice_message(), { exact: true }).fill('Tack!');
    await saved();
    expect((await bodyV1()).notifications).toContainEqual({
      type: 'SIGNED_BY_ALL',
      attachPdf: false,
      placeholders: { message: 'Tack!' },
    });
    await notices
      .getByLabel(words.notice_attach())
      .selectOption({ label: words.draft_account_decides() });
    await saved();
    const last = (await bodyV1()).notifications?.at(-1);
    expect(last).not.toHaveProperty('attachPdf');
  });

  it('shows the language in which a message is sent, and which setting decides it (T1-92)', async () => {
    await page.getByTestId('draft.languages').locator('summary').click();
    const languages = page.getByTestId('draft.languages');
    await languages
      .getByLabel(words.draft_language(), { exact: true })
      .first()
      .selectOption('fi_FI');
    const messages = page.getByTestId('draft.parties.0.messages');
    await messages
      .getByText(/Finnish.*as for the whole agreement/)
      .first()
      .waitFor({ state: 'attached' });
    await saved();
    expect((await bodyV1()).configurations).toEqual([{ type: 'DEFAULT', locale: 'fi_FI' }]);
    // The spell checker and screen readers use the language of the message.
    const message = section('notifications').getByLabel(words.notice_message(), { exact: true });
    expect(await message.getAttribute('lang')).toBe('fi-FI');
  });

  it('warns that a group with a new name is created, and F8 leads to the warning (T1-57)', async () => {
    await page.getByTestId('draft.access').locator('summary').click();
    await section('sharing').getByRole('button', { name: words.access_add() }).click();
    await section('sharing').getByLabel(words.access_name(), { exact: true }).fill('Uthyrning');
    await saved();
    await page.getByTestId('draft.access').locator('summary').click();
    await section('sharing').getByText(words.problem_new_group()).waitFor({ state: 'hidden' });
    for (let pressed = 0; pressed < 8; pressed += 1) {
      await page.keyboard.press('F8');
      if (await section('sharing').getByText(words.problem_new_group()).isVisible()) break;
    }
    await expectSeen(section('sharing').getByText(words.problem_new_group()));
  });

  it('does not move while the mouse button is pressed, so that the click reaches its control', async () => {
    await open(v1);
    const title = page.getByTestId('draft.title');
    const add = page.getByTestId('draft.add-party');
    await add.hover();
    const place = await add.boundingBox();
    await title.fill('');
    await page.mouse.down();
    await expect.poll(async () => (await bodyV1()).title).toBe('');
    // In this time, the window would show that the title is missing.
    await page.waitForTimeout(500);
    expect(await add.boundingBox()).toEqual(place);
    await page.mouse.up();
    await expectSeen(page.getByTestId('draft.parties.1'));
    await expectSeen(page.getByText(words.problem_required()).first());
    await page.keyboard.press('Control+z');
    await expectGone(page.getByTestId('draft.parties.1'));
    await title.fill('Arrende');
    await saved();
  });

  it('writes days unambiguously in every language (SC-18)', async () => {
    const date = section('dates').locator('[data-field=expireOn]');
    await date.fill('2027-06-12');
    await date.blur();
    await saved();
    const shown: string[] = [];
    for (const language of languages) {
      await apiOf(app)['settings.write']({ language });
      await page.locator(`html[lang=${language}]`).waitFor();
      shown.push(await date.inputValue());
    }
    await apiOf(app)['settings.write']({ language: 'en' });
    // The test waits for the language: a text filled into a field while its labels change would be
    // lost.
    await page.locator('html[lang=en]').waitFor();
    // The month is a word, or the day comes first: dates with dots have the day first in every
    // language.
    const isPlain = (text: string): boolean => /\p{L}{3}/u.test(text) || text === '12.6.2027';
    expect(shown.filter((text) => !isPlain(text))).toEqual([]);
    expect(shown.filter((text) => !text.includes('2027'))).toEqual([]);
  });

  it('stops the send for a time that does not exist (T1-51)', async () => {
    const dates = section('dates');
    const date = dates.locator('[data-field=expireOn]');
    await date.fill('2027-03-27');
    await date.blur();
    await saved();
    const before = (await bodyV1()).expireOn;
    const time = dates.getByLabel(words.draft_time_of({ label: words.draft_expires() }), {
      exact: true,
    });
    await time.fill('02:30');
    await date.fill('2027-03-28');
    await date.blur();
    await dates.getByText(words.moment_missing({ time: '02:30' })).waitFor();
    await saved();
    await expect.poll(dateProblems).toEqual(['format']);
    expect(before).toMatch(/^20270327/);
    await time.fill('03:30');
    await saved();
    expect((await bodyV1()).expireOn).toBe('20270328T013000Z');
  });

  it('keeps a day and a time that cannot be read, and does not send the draft with the earlier ones', async () => {
    await open(v1);
    const dates = section('dates');
    const date = dates.locator('[data-field=expireOn]');
    const time = dates.getByLabel(words.draft_time_of({ label: words.draft_expires() }), {
      exact: true,
    });
    await date.fill('31.02.2027');
    await page.keyboard.press('Control+Enter');
    await expect.poll(dateProblems).toEqual(['format']);
    await dates.locator('[data-field=expireOn][aria-invalid=true]').waitFor();
    await expectGone(page.getByRole('dialog'));
    await page.evaluate(() => (location.hash = '#/drafts'));
    await expectGone(date);
    await page.goBack();
    await expect.poll(() => date.inputValue()).toBe('31.02.2027');
    await date.fill('2027-06-12');
    await time.fill('25:61');
    await time.blur();
    await dates.getByText(words.time_unread({ example: '09:30' })).waitFor();
    await expect.poll(dateProblems).toEqual(['format']);
    await time.fill('12:00');
    await time.blur();
    await expect.poll(dateProblems).toEqual([]);
  });

  it('saves for each file the title and the date of change that the parties see (F1-03, F1-06)', async () => {
    const details = page.getByTestId('draft.attachments.0.told');
    await details.locator('summary').filter({ hasText: words.file_no_title() }).click();
    await details.getByLabel(words.file_title(), { exact: true }).fill('Arrendeavtal');
    const changed = details.locator('[data-field="attachments.0.lastModifiedOn"]');
    expect(await changed.inputValue()).toBe('1 Jan 2026');
    await changed.fill('2026-02-03');
    await changed.blur();
    await saved();
    expect((await bodyV1()).attachments).toMatchObject([
      { title: 'Arrendeavtal', lastModifiedOn: '20260203T000000Z' },
    ]);
    await details.locator('summary').filter({ hasText: 'Arrendeavtal' }).waitFor();
  });

  it('chooses no menu item when the mouse button that opened the menu is released over it', async () => {
    const add = page.getByTestId('draft.add-party-other');
    await add.scrollIntoViewIfNeeded();
    await add.hover();
    await page.mouse.down();
    const paste = page.getByRole('menuitem', { name: words.paste_open() });
    // The menu opens under the pointer, and the mouse button is still held down.
    await paste.hover();
    await page.mouse.up();
    await expectSeen(paste);
    expect(await questionOf(page).count()).toBe(0);
    await paste.click();
    await questionOf(page).waitFor();
    await page.keyboard.press('Escape');
    await expectGone(questionOf(page));
  });

  it('adds people pasted from a spreadsheet, and undoes the addition in one step', async () => {
    const box = page.getByTestId('draft.people');
    await box.evaluate((element) => {
      const data = new DataTransfer();
      data.setData(
        'text/plain',
        'Namn\tE-post\nOla Nordmann\tola@example.no\nEva Ek\teva@example.se',
      );
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    });
    await page.getByTestId('paste.table').getByText('Eva Ek').waitFor();
    await page.getByRole('button', { name: words.paste_add({ count: 2 }) }).click();
    await page.getByTestId('draft.parties.2').waitFor();
    await saved();
    expect((await bodyV1()).parties.map(({ lastName }) => lastName)).toEqual([
      ...['Öberg', 'Nordmann', 'Ek'],
    ]);
    await page.getByTestId('draft.undo').click();
    await page.getByTestId('draft.parties.2').waitFor({ state: 'detached' });
  });
});

describe('the problems of a draft', () => {
  it('are counted when they stop a send, and F8 visits each of them and returns to the first (AP-10)', async () => {
    const calls = apiOf(app);
    const [connection] = (await calls['connections.list']({})).filter(({ api }) => api === 'v1');
    const content = { api: 'v1' as const, body: { title: '', attachments: [], parties: [] } };
    const { id } = await calls['drafts.create']({ content, connectionId: connection?.id ?? null });
    const { errors, warnings } = await calls['drafts.check']({ id });
    const fields = [...errors, ...warnings].map(({ field }) => field);
    expect([errors.length > 1, warnings.length > 0]).toEqual([true, true]);
    await open(id);
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const { activeElement } = document;
        return activeElement instanceof HTMLElement ? (activeElement.dataset['field'] ?? '') : '';
      });
    await page.keyboard.press('Control+Enter');
    const said = page.getByTestId('activity.message');
    await expectSeen(said.getByText(words.draft_problems_left({ count: errors.length })));
    expect(await said.getAttribute('role')).toBe('status');
    await expect.poll(focused).not.toBe('');
    const visited: string[] = [];
    for (let pressed = 0; pressed < fields.length; pressed += 1) {
      visited.push(await focused());
      await page.keyboard.press('F8');
    }
    expect(visited.toSorted()).toEqual(fields.toSorted());
    expect(await focused()).toBe(visited[0]);
    await page.keyboard.press('Shift+F8');
    expect(await focused()).toBe(visited.at(-1));
    expect(await questionOf(page).count()).toBe(0);
    await calls['drafts.delete']({ id });
  });
});

describe('the question before a send', () => {
  it('stays open, and sends nothing, when its keys are pressed twice or held', async () => {
    const calls = apiOf(app);
    for (const gap of [0, 20, 350]) {
      const id = await prepareDraft(app, 'v2', `Tvätt ${gap}`);
      await open(id);
      await page.keyboard.press('Control+Enter');
      await page.waitForTimeout(gap);
      await page.keyboard.press('Control+Enter');
      await questionOf(page).waitFor();
      // A question that closes has disappeared by then.
      await page.waitForTimeout(600);
      expect(await questionOf(page).count()).toBe(1);
      const confirm = questionOf(page).getByRole('button').last();
      await confirm.focus();
      await page.keyboard.press('Control+Enter');
      await confirm.dispatchEvent('keydown', { key: 'Enter', repeat: true, bubbles: true });
      await page.waitForTimeout(300);
      expect(await questionOf(page).count()).toBe(1);
      expect(await calls['outbox.list']({})).toEqual([]);
      await questionOf(page).getByRole('button', { name: words.cancel() }).focus();
      await page.keyboard.press('Enter');
      await expectGone(questionOf(page));
      await calls['drafts.delete']({ id });
    }
  });
});

describe('undo in the draft editor', () => {
  it('reverts twenty edits to the exact bytes, and redoes them (AP-09)', async () => {
    await open(v1);
    const texts: string[] = [await textOf(v1)];
    const title = page.getByTestId('draft.title');
    for (let edit = 0; edit < 10; edit += 1) {
      await title.fill(`Arrende ${edit}`);
      await saved();
      texts.push(await textOf(v1));
      const chip = edit % 2 === 0 ? words.draft_company() : words.draft_person();
      await page
        .getByTestId('draft.parties.0')
        .getByRole('button', { name: chip, exact: true })
        .click();
      await saved();
      texts.push(await textOf(v1));
    }
    await section('documents').locator('h2').focus();
    for (const text of texts.slice(0, -1).toReversed()) {
      await page.keyboard.press('Control+z');
      await expect.poll(() => textOf(v1)).toBe(text);
    }
    for (const text of texts.slice(1)) {
      await page.keyboard.press('Control+Shift+z');
      await expect.poll(() => textOf(v1)).toBe(text);
    }
  });

  it('undoes within a text field first, and then in the draft', async () => {
    const before = await textOf(v1);
    const title = page.getByTestId('draft.title');
    await title.focus();
    await page.keyboard.press('End');
    for (let time = 0; time < 5; time += 1) {
      await page.keyboard.type('x');
      await page.keyboard.press('Control+z');
      await expect.poll(() => title.inputValue()).toBe('Arrende 9');
    }
    await saved();
    expect(await textOf(v1)).toBe(before);
    await page.keyboard.press('Control+z');
    await expect.poll(() => textOf(v1)).not.toBe(before);
  });

  it('keeps text typed while an edit is being saved, and undoes that text first', async () => {
    const title = page.getByTestId('draft.title');
    await title.focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.type('y');
    await saved();
    await expect.poll(async () => (await bodyV1()).title).toContain('y');
    await page.keyboard.press('Control+z');
    await expect.poll(() => title.inputValue()).not.toContain('y');
  });
});

describe('the v2 draft editor', () => {
  it('shows HTML in a sandbox that runs no script and loads nothing (T2-35)', async () => {
    await open(v2);
    await section('documents').getByRole('button', { name: words.draft_kind_text() }).click();
    const html =
      '<h1>Avtal</h1><script>parent.hacked = 1</script><img src="https://example.com/spy.png">';
    await page.locator('[data-field=text]').fill(html);
    const frame = page.locator('aside iframe');
    await frame.waitFor();
    expect(await frame.getAttribute('sandbox')).toBe('');
    await page.frameLocator('aside iframe').getByRole('heading', { name: 'Avtal' }).waitFor();
    expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
    await saved();
    expect((await bodyV2()).text).toBe(html);
    await page.getByTestId('draft.undo').click();
    await page.getByTestId('draft.undo').click();
    await page.locator('aside [data-testid="pdf.page"]').waitFor();
  });

  it('reads the fields of a template from a PDF (T2-47)', async () => {
    await section('documents').getByRole('button', { name: words.draft_kind_template() }).click();
    await page.locator('[data-field="dynamicPdf.templateId"]').fill('871');
    const { leaseForm } = await import('../support/pdfs.ts');
    await page.getByTestId('draft.template.file').setInputFiles(await leaseForm());
    await section('fields').getByLabel('rent', { exact: true }).fill('9400');
    await section('fields').getByLabel('accepted', { exact: true }).check();
    await saved();
    expect((await bodyV2()).dynamicPdf).toEqual({
      templateId: '871',
      fields: [
        { name: 'tenant', value: '' },
        { name: 'rent', value: '9400' },
        { name: 'accepted', value: true },
      ],
    });
  });

  it('does not take a text that is not a number for an empty field, and stops the send', async () => {
    await open(v2);
    const days = section('dates').locator('[data-field=expireIn]');
    await days.fill('');
    await days.pressSequentially('e-');
    await days.blur();
    await expectSeen(section('dates').getByText(words.number_unread()));
    await page.keyboard.press('Control+Enter');
    await page.locator('[data-field=expireIn]:focus').waitFor();
    await expectGone(page.getByRole('alertdialog'));
    await days.fill('30');
    await expectGone(section('dates').getByText(words.number_unread()));
    await saved();
    expect((await bodyV2()).expireIn).toBe(30);
  });

  it('saves reminders, messages and the webhook (T2-33, T2-55)', async () => {
    const messages = section('notifications');
    await messages.getByLabel(words.notice_none(), { exact: true }).check();
    await saved();
    expect((await bodyV2()).notificationMessages).toEqual([]);
    await messages.getByLabel(words.notice_standard(), { exact: true }).check();
    await section('dates').getByRole('button', { name: words.reminder_add() }).click();
    await page.getByTestId('draft.webhook').locator('summary').click();
    await press(page, page.getByRole('button', { name: words.webhook_add() }));
    await page.locator('[data-field="webhook.url"]').fill('https://example.com/hook');
    await saved();
    const body = await bodyV2();
    expect(body).not.toHaveProperty('notificationMessages');
    expect(body.reminders).toMatchObject([{ emails: ['asa.oberg@example.com'] }]);
    expect(body.webhook).toEqual({ events: ['SIGNED_BY_ALL'], url: 'https://example.com/hook' });
  });

  it('saves which persons may sign for a company (T2-54)', async () => {
    await page.getByTestId('draft.add-party-other').click();
    await page.getByRole('menuitem', { name: words.draft_company(), exact: true }).click();
    const allowed = page.getByTestId('draft.parties.companies.0.allowed');
    await allowed.locator('summary').click();
    await allowed.getByText(words.allowed_none()).waitFor();
    await allowed.getByRole('button', { name: words.allowed_add() }).click();
    await allowed.getByLabel(words.draft_person_number()).fill('198507099805');
    await allowed.getByLabel(words.draft_first_name()).fill('Karin');
    await saved();
    const [company] = (await bodyV2()).parties.companies;
    expect(company?.allowedPersons).toEqual([{ personNo: '198507099805', firstName: 'Karin' }]);
    await allowed.getByText(words.allowed_count({ count: 1 })).waitFor();
  });
});

it('every part of the draft editor is accessible, also when expanded', async () => {
  for (const id of [v1, v2]) {
    await open(id);
    await page.evaluate(() => {
      for (const part of document.querySelectorAll('details')) part.open = true;
    });
    await audit(page);
  }
});

it('a deleted draft is in the trash, and is restored with one key', async () => {
  const id = await prepareDraft(app, 'v1', 'Till papperskorgen');
  await show(app, '#/drafts');
  const row = page.getByRole('row').filter({ hasText: 'Till papperskorgen' });
  await row.click();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: words.drafts_delete_confirm() }).click();
  await row.waitFor({ state: 'detached' });
  expect((await apiOf(app)['drafts.trash']({})).map((one) => one.id)).toContain(id);
  await page.getByTestId('activity.undo').click();
  await row.waitFor();
});

it('a draft in the trash is permanently deleted only after a confirmation', async () => {
  const id = await prepareDraft(app, 'v1', 'Bort för gott');
  await apiOf(app)['drafts.delete']({ id });
  const inTrash = async () => (await apiOf(app)['drafts.trash']({})).some((one) => one.id === id);
  await show(app, '#/drafts/trash');
  await page.locator(`li[data-id="${id}"]`).getByText(words.trash_destroy()).click();
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  expect(await inTrash()).toBe(true);
  await question.getByRole('button', { name: words.trash_destroy() }).click();
  await expect.poll(inTrash).toBe(false);
});

it('the page logs no error except the policy’s objection to the HTML preview', () => {
  expect(app.complaints.filter((one) => !/sandboxed|spy\.png/.test(one))).toEqual([]);
});
