// tier: all
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { chooseForBackups } from '../support/rules.ts';
import { expectGone, expectSeen, questionOf } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: FurnishedDesk;
let page: Page;
let folder: string;
let phrase: string;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  folder = path.join(app.folder, 'stick');
  mkdirSync(folder);
  const api = apiOf(app);
  ({ phrase } = await api['backup.newPhrase']({}));
  const where = { folder, when: { kind: 'daily', at: '02:30' }, keep: 3, isOn: true } as const;
  await api['backup.setUp']({ ...where, withCredentials: false, administrator: null, phrase });
  await show(app, '#/settings/backups');
});
afterAll(() => app.close());

const inQuestion = (name: string) => questionOf(page).getByRole('button', { name, exact: true });
const bar = () => page.getByTestId('backup.rest');
const deactivationOf = async () => (await apiOf(app)['backup.read']({})).rest;

describe('moving to another computer in the window', () => {
  it('asks for the words, and keeps the typed words in their field if they are wrong', async () => {
    await page.getByTestId('backup.run').waitFor();
    await chooseForBackups(page, 'move');
    const confirm = inQuestion(words.backup_move_confirm());
    expect(await confirm.getAttribute('title')).toBe(words.backup_move_no_words());
    // The first field has the focus, so that a user who presses Enter out of habit moves nothing.
    const first = page.getByTestId('backup.moveFolder');
    expect(await first.evaluate((one) => one.matches(':focus'))).toBe(true);
    await first.press('Enter');
    expect(await deactivationOf()).toBeNull();
    await takePicture(page, 'move');
    await page.getByTestId('backup.moveWords').fill('abandon '.repeat(12));
    await confirm.click();
    await expectSeen(page.getByText(words.reason_phrase_wrong()).first());
    expect(await page.getByTestId('backup.moveFolder').inputValue()).toBe(folder);
    expect(await deactivationOf()).toBeNull();
  });

  it('writes the backup, and then shows its folder and time on every screen', async () => {
    await page.getByTestId('backup.moveWords').fill(phrase);
    await inQuestion(words.backup_move_confirm()).click();
    await expectSeen(bar());
    await expect.poll(async () => (await deactivationOf())?.isProven).toBe(true);
    const [name = ''] = readdirSync(folder);
    await expectSeen(bar().getByText(name));
    await takePicture(page, 'at-rest-rules');
    await show(app, '#/agreements');
    await expectSeen(bar().getByText(name));
    await audit(page);
    await takePicture(page, 'at-rest');
    await page.reload();
    await expectSeen(bar().getByText(name));
  });

  it('leaves a draft unchanged, and shows why it cannot be sent', async () => {
    const id = await prepareDraft(app, 'v1', 'Efter flytten');
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();
    await questionOf(page).getByRole('button').last().click();
    await expectSeen(page.getByText(words.reason_desk_at_rest()).first());
    expect((await apiOf(app)['drafts.show']({ id })).sending).toBeNull();
    await takePicture(page, 'at-rest-send');
  });

  it('is undone if a user reactivates the program after a question with the number of waiting items', async () => {
    await show(app, '#/settings/backups');
    expect(await page.getByTestId('backup.run').getAttribute('title')).toBe(
      words.reason_desk_at_rest(),
    );
    const waiting = (await deactivationOf())?.waiting ?? -1;
    expect(waiting).toBeGreaterThan(0);
    await bar().getByRole('button', { name: words.backup_wake(), exact: true }).click();
    await expectSeen(questionOf(page).getByText(words.backup_wake_doubt({ count: waiting })));
    await takePicture(page, 'wake');
    await audit(page);
    await page.keyboard.press('Enter');
    await expectGone(questionOf(page));
    expect(await deactivationOf()).not.toBeNull();
    await bar().getByRole('button', { name: words.backup_wake(), exact: true }).click();
    await inQuestion(words.backup_wake_confirm()).click();
    await expectGone(bar());
    await expectSeen(page.getByText(words.reason_data_restored()).first());
    await takePicture(page, 'woken');
    const rows = await apiOf(app)['outbox.list']({});
    expect(rows.filter(({ state }) => state === 'unknown')).toHaveLength(waiting);
  });
});
