// tier: all
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { dayOf } from '../../../shared/rules/time/days.ts';
import { audit } from '../support/audit.ts';
import { furnish, type FurnishedDesk, show } from '../support/furnished-desk.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  beginRule,
  chooseForRule,
  discardRule,
  removeRule,
  ruleCard,
  ruleSwitch,
} from '../support/rules.ts';
import { expectFocus, expectGone, expectSeen, questionOf } from '../support/steps.ts';
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
  await show(app, '#/automation');
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

describe('a reminder rule in the window', () => {
  it('is begun in a drawer, which explains the limits of the Legacy API', async () => {
    await beginRule(page, 'remind');
    await expectFocus(page.getByTestId('reminder.name'));
    await expectSeen(page.getByText(words.rules_reminders_lead()));
    await expectSeen(page.getByText(words.rules_reminders_v2()));
    expect(await page.getByLabel(words.draft_zone()).isVisible()).toBe(false);
    await page.getByTestId('reminder.more').locator('summary').click();
    await expectSeen(page.getByLabel(words.draft_zone()));
    await expectSeen(page.getByLabel(words.reminder_rule_country()));
  });

  it('shows how many parties it would remind today, while it is edited', async () => {
    const forecast = page.getByTestId('reminder.forecast');
    await expectSeen(forecast.getByText(words.reminder_forecast_none()));
    // Office hours until midnight, so that the rest of this day has a time for reminders.
    await page.getByLabel(words.reminder_rule_from()).fill('00:00');
    await page.getByLabel(words.reminder_rule_to()).fill('23:59');
    await page.getByLabel(words.reminder_rule_first()).fill('1');
    await page.getByLabel(words.reminder_rule_own()).uncheck();
    await page.getByLabel(words.reminder_rule_first()).blur();
    const zone = await page.getByLabel(words.draft_zone()).inputValue();
    const { planned } = await apiOf(app)['reminders.preview']({
      day: dayOf(Date.now(), zone),
      rule: {
        name: NAME,
        isOn: true,
        filter: { ownOnly: false },
        firstAfterDays: 1,
        everyDays: 3,
        most: 3,
        hours: { zone, from: '00:00', to: '23:59' },
        country: await page.getByLabel(words.reminder_rule_country()).inputValue(),
      },
    });
    const sentence =
      planned.length === 0
        ? words.reminder_forecast_none()
        : words.reminder_forecast({ count: planned.length });
    await expectSeen(forecast.getByText(sentence));
  });

  it('is saved once it has a name and hours, and its card describes it in a sentence', async () => {
    const save = button(words.archive_rule_save());
    expect(await save.getAttribute('title')).toBe(words.reminder_rule_incomplete());
    await page.getByTestId('reminder.name').fill(NAME);
    await page.getByLabel(words.reminder_rule_first()).fill('5');
    await page.getByLabel(words.reminder_rule_every()).fill('2');
    await page.getByLabel(words.reminder_rule_every()).blur();
    await picture('dialog');
    await save.click();
    const card = ruleCard(page, NAME);
    await expectSeen(card.getByText('Remind after 5 days, every 2 days, at most 3 times'));
    await expectSeen(card.getByText(words.archive_rule_never()));
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
    await chooseForRule(page, NAME, 'try');
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

  it('is turned off and on with its switch', async () => {
    const toggle = ruleSwitch(page, NAME);
    await toggle.click();
    await expectSeen(toggle.and(page.locator('[aria-checked=false]')));
    await expectSeen(ruleCard(page, NAME).getByText(words.rule_off()));
    await picture('off');
    await toggle.press('Enter');
    await expectSeen(toggle.and(page.locator('[aria-checked=true]')));
    expect((await apiOf(app)['reminders.rules']({}))[0]?.rule.isOn).toBe(true);
  });

  it('is edited in the drawer, which returns the focus to the menu of the rule', async () => {
    await chooseForRule(page, NAME, 'edit');
    await page.getByTestId('reminder.name').fill('Homes');
    await button(words.archive_rule_save()).click();
    await expectSeen(ruleCard(page, 'Homes'));
    await expectFocus(ruleCard(page, 'Homes').getByTestId('rule.more'));
  });

  it('keeps the typed values if a press next to the drawer misses it', async () => {
    await chooseForRule(page, 'Homes', 'edit');
    await page.getByTestId('reminder.name').fill('Houses');
    await page.mouse.click(20, 400);
    expect(await page.getByTestId('reminder.name').inputValue()).toBe('Houses');
    await discardRule(page, 'reminder.drawer');
  });

  it('is deleted only after a question', async () => {
    await chooseForRule(page, 'Homes', 'remove');
    await expectSeen(questionOf(page).getByText(words.reminder_remove_lead()));
    await page.keyboard.press('Escape');
    await expectSeen(ruleCard(page, 'Homes'));
    await removeRule(page, 'Homes');
    await expectGone(ruleCard(page, 'Homes'));
    expect(await apiOf(app)['reminders.rules']({})).toEqual([]);
  });
});
