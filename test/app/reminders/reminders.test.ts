// tier: all
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectGone, expectSeen } from '../support/steps.ts';
import { words } from '../support/words.ts';

/** Timeout for reading three connections on a busy computer (ms). */
const LONG = 90_000;
const NAME = 'Leases';

let app: FurnishedDesk;
let page: Page;

beforeAll(async () => {
  app = await furnish();
  ({ page } = app);
  const api = apiOf(app);
  await api['agreements.sync']({ full: false });
  const isRead = async () =>
    (await api['agreements.syncStatus']({})).every(({ checkedAt }) => checkedAt !== null);
  await vi.waitUntil(isRead, { timeout: LONG });
  await show(app, '#/rules');
});
afterAll(() => app.close());

/** Takes screenshots for reviewers if a folder for them is set. */
async function picture(name: string): Promise<void> {
  const shots = process.env['RULES_PICTURES'];
  if (shots === undefined) return;
  for (const [width, height] of [
    [1280, 800],
    [1024, 700],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const file = `${name}-${String(width)}-${colorScheme}.png`;
      await page.screenshot({ path: path.join(shots, file) });
    }
  }
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
}

const button = (name: string) => page.getByRole('button', { name, exact: true });

describe('the screen of reminder rules', () => {
  it('states that no rule exists, and explains the limits of the Legacy API', async () => {
    await expectSeen(page.getByText(words.rules_reminders_lead()));
    await expectSeen(page.getByText(words.rules_reminders_v2()));
    await picture('empty');
  });

  it('adds a rule, and lists the missing fields until they are filled', async () => {
    await page.getByTestId('reminders.add').click();
    const save = button(words.archive_rule_save());
    expect(await save.getAttribute('title')).toBe(words.reminder_rule_incomplete());
    await page.getByTestId('reminder.name').fill(NAME);
    await page.getByLabel(words.reminder_rule_every()).fill('2');
    await page.getByLabel(words.reminder_rule_own()).uncheck();
    await picture('dialog');
    await save.click();
    await expectSeen(page.getByText(NAME, { exact: true }));
    const [saved] = await apiOf(app)['reminders.rules']({});
    expect(saved?.rule).toMatchObject({
      name: NAME,
      isOn: true,
      firstAfterDays: 5,
      everyDays: 2,
      filter: { ownOnly: false },
    });
  });

  it('previews a rule without running it, and skips the agreements that the user excludes', async () => {
    await button(words.rule_try_of({ name: NAME })).click();
    await expectSeen(page.getByTestId('reminder.preview').getByRole('listitem').first());
    await picture('preview');
    await audit(page);
    expect(app.demo.requests.filter(({ url }) => url.endsWith('/notify'))).toEqual([]);
    const api = apiOf(app);
    const [one] = (await api['reminders.preview']({})).held;
    if (one === undefined) throw new Error('Nobody is held');
    const { connectionId, id, title } = one;
    await api['reminders.hold']({ connectionId, id, partyId: null, because: 'switched-off' });
    await expectSeen(page.getByText(words.reminder_why_switched_off()).first());
    await button(words.reminder_release_of({ title })).first().click();
    await expectGone(page.getByText(words.reminder_why_switched_off()).first());
    await page.keyboard.press('Escape');
    await expectGone(page.getByTestId('reminder.preview'));
  });

  it('turns a rule off and on with a message, edits it and removes it', async () => {
    await button(words.rule_switch_off_of({ name: NAME })).click();
    await expectSeen(page.getByText(words.rule_off(), { exact: true }));
    await picture('off');
    await button(words.rule_switch_on_of({ name: NAME })).click();
    await expectGone(page.getByText(words.rule_off(), { exact: true }));
    await button(words.archive_rule_edit({ name: NAME })).click();
    await page.getByTestId('reminder.name').fill('Homes');
    await button(words.archive_rule_save()).click();
    await expectSeen(page.getByText('Homes', { exact: true }));
    await button(words.archive_rule_remove({ name: 'Homes' })).click();
    await expectGone(page.getByText('Homes', { exact: true }));
  });
});
