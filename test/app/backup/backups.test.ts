// tier: all
import { mkdirSync, readdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { chooseForBackups } from '../support/rules.ts';
import { expectFocus, expectGone, expectSeen } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: FurnishedDesk;
let page: Page;
let folder: string;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  folder = path.join(app.folder, 'backups');
  mkdirSync(folder);
  await show(app, '#/settings/backups');
});
afterAll(() => app.close());

const button = (name: string) => page.getByRole('button', { name, exact: true });
const made = () => readdirSync(folder).filter((name) => name.endsWith('.signingdesk'));
async function wordsShown(): Promise<string[]> {
  const shown = page.getByTestId('backup.words').getByRole('listitem');
  await shown.last().waitFor();
  return shown.allTextContents();
}

describe('backups in the window', () => {
  it('are set up once the user types the twelve words, which are shown only once', async () => {
    await page.getByTestId('backup.setup').click();
    const shown = await wordsShown();
    expect(shown).toHaveLength(12);
    const confirm = button(words.backup_set_up_confirm());
    expect(await confirm.getAttribute('title')).toBe(words.backup_words_differ());
    await page.getByTestId('backup.folder').fill(folder);
    await takePicture(page, 'backup-setup');
    await page.getByTestId('backup.typed').fill(shown.toReversed().join(' '));
    expect(await confirm.getAttribute('title')).toBe(words.backup_words_differ());
    await page.getByTestId('backup.typed').fill(`  ${shown.join('  ').toUpperCase()}`);
    await page.getByLabel(words.backup_keep()).fill('2');
    await confirm.click();
    await expectGone(page.getByTestId('backup.words'));
    await expectSeen(page.getByText(words.backup_never(), { exact: true }));
    // The same button now makes a backup, so the focus stays on it.
    await expectFocus(page.getByTestId('backup.run'));
    await expectSeen(page.getByTestId('activity.message').getByText(words.backup_is_set_up()));
    const { plan } = await apiOf(app)['backup.read']({});
    expect(plan).toMatchObject({ folder, keep: 2, when: { kind: 'daily', at: '02:30' } });
  });

  it('are made immediately on request, and show their time', async () => {
    await page.getByTestId('backup.run').click();
    await expectSeen(
      page.getByTestId('activity.message').getByText(/^Last good backup \d\d:\d\d$/),
    );
    await expectSeen(page.locator('.badge').filter({ hasText: /Last good backup \d\d:\d\d$/ }));
    await expectGone(page.getByText(words.backup_never(), { exact: true }));
    expect(made()).toHaveLength(1);
    const { good } = await apiOf(app)['backup.read']({});
    expect(good?.file).toBe(path.join(folder, made()[0] ?? ''));
    await takePicture(page, 'backup-made');
    await audit(page);
  });

  it('can be rescheduled with the same words', async () => {
    await chooseForBackups(page, 'edit');
    await expectSeen(page.getByLabel(words.backup_folder(), { exact: true }));
    expect(await page.getByTestId('backup.words').count()).toBe(0);
    await page.getByLabel(words.backup_when_weekly()).check();
    await takePicture(page, 'backup-plan');
    await button(words.archive_rule_save()).click();
    await expectGone(page.getByLabel(words.backup_folder(), { exact: true }));
    const { plan } = await apiOf(app)['backup.read']({});
    expect(plan?.when).toEqual({ kind: 'weekly', day: 7, at: '02:30' });
  });

  it('report why a backup failed, and keep the older ones', async () => {
    const before = made();
    const api = apiOf(app);
    const { plan } = await api['backup.read']({});
    if (plan === null) throw new Error('Backups are not set up');
    const away = path.join(app.folder, 'away');
    mkdirSync(away);
    await api['backup.savePlan']({ ...plan, folder: away });
    rmdirSync(away);
    await page.getByTestId('backup.run').click();
    await expectSeen(page.getByText(words.reason_folder_missing()).first());
    await takePicture(page, 'backup-away');
    expect(made()).toEqual(before);
  });

  it('are turned off and on again', async () => {
    const toggle = page.getByRole('switch', { name: words.backup_automatic(), exact: true });
    await toggle.click();
    await expectSeen(toggle.and(page.locator('[aria-checked=false]')));
    expect((await apiOf(app)['backup.read']({})).plan?.isOn).toBe(false);
    await toggle.click();
    await expectSeen(toggle.and(page.locator('[aria-checked=true]')));
  });
});
