import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { beginRule, chooseForRule, discardRule, ruleCard, ruleSwitch } from '../support/rules.ts';
import { expectFocus, expectGone, expectSeen, press, questionOf } from '../support/steps.ts';
import { words } from '../support/words.ts';
import type { HostSchedule } from '../../../shared/contract/host.ts';
import { AppError } from '../../../shared/errors.ts';

let app: DeskApp;
let page: Page;
/** The scheduled task of the system, and whether the system rejects a change of it. */
const system: { -readonly [Key in keyof HostSchedule]: HostSchedule[Key] } & { refuses: boolean } =
  {
    isOn: false,
    obstacle: null,
    command: 'signing-desk archive schedule install --for cron --data /home/ada/data',
    refuses: false,
  };

beforeAll(async () => {
  app = await startDeskApp({
    schedule: {
      readSchedule: async () => {
        const { isOn, obstacle, command } = system;
        return { isOn, obstacle, command };
      },
      setSchedule: async (isOn) => {
        if (system.refuses) {
          throw new AppError('storage', 'Access denied', { reason: 'schedule-refused' });
        }
        system.isOn = isOn;
      },
    },
  });
  ({ page } = app);
  const office = { name: 'Kontoret', api: 'v1', environment: 'test', accountId: null } as const;
  await apiOf(app)['connections.add']({
    ...office,
    url: app.demo.v1Url,
    secret: app.demo.credentials.token,
  });
  await page.getByTestId('shell.nav.automation').click();
});
afterAll(() => app.close());

const tile = (name: string) => page.getByTestId(`automation.tile.${name}`);
const turn = () => page.getByTestId('automation.closed.turn');

describe('the screen of automation', () => {
  it('offers a tile for each kind of work while nothing is set up', async () => {
    await expectSeen(page.getByRole('heading', { name: words.automation_empty() }));
    for (const name of ['remind', 'watch', 'archive', 'backup']) await expectSeen(tile(name));
    await takePicture(page, 'automation-empty');
    await audit(page);
  });

  it('opens the drawer of a kind from its tile, and returns the focus to the tile', async () => {
    await press(page, tile('watch'));
    await expectFocus(page.getByTestId('intake.name'));
    await page.keyboard.press('Escape');
    await expectGone(page.getByTestId('intake.drawer'));
    await expectFocus(tile('watch'));
  });

  it('keeps a changed rule open on Escape, until the user saves or discards it', async () => {
    await press(page, tile('watch'));
    await page.getByTestId('intake.name').fill('Skannern');
    await page.keyboard.press('Escape');
    await expectSeen(
      page.getByText(words.drawer_unsaved({ cancel: words.common_cancel() }), { exact: true }),
    );
    expect(await page.getByTestId('intake.name').inputValue()).toBe('Skannern');
    await discardRule(page, 'intake.drawer');
  });

  it('leads to the settings of the backups', async () => {
    await press(page, tile('backup'));
    await expectSeen(page.getByTestId('backup.setup'));
    await show(app, '#/automation');
  });

  it('shows a card for each rule, and tiles only for the other kinds', async () => {
    const folder = path.join(app.folder, 'signed');
    await beginRule(page, 'archive');
    await page.getByTestId('rule.name').fill('Nightly');
    await page.getByTestId('rule.folder').fill(folder);
    await page.getByRole('radio', { name: words.archive_when_daily() }).check();
    await press(page, page.getByRole('button', { name: words.archive_rule_save() }));
    const card = ruleCard(page, 'Nightly');
    await expectSeen(card.getByText(words.archive_says_daily({ folder, time: '02:30' })));
    await expectSeen(card.getByText(words.archive_rule_never()));
    await expectSeen(page.getByRole('heading', { name: words.automation_more() }));
    await expectGone(tile('archive'));
    await expectSeen(tile('remind'));
    await takePicture(page, 'automation-card');
    await audit(page);
  });

  it('shows why the last run of a rule failed', async () => {
    const place = path.join(app.folder, 'signed');
    writeFileSync(place, 'a file in the place of the folder');
    await chooseForRule(page, 'Nightly', 'run');
    const card = ruleCard(page, 'Nightly');
    await expectSeen(card.getByText(words.rule_failed(), { exact: true }));
    expect(await card.locator('.note').innerText()).not.toBe('');
    await takePicture(page, 'automation-failed');
    await audit(page);
    rmSync(place);
    mkdirSync(place);
    await chooseForRule(page, 'Nightly', 'run');
    await expectSeen(card.getByText(words.archive_result_saved({ count: 0 })));
    expect(await card.locator('.note').count()).toBe(0);
  });

  it('has no switch for a rule that only ever runs manually', async () => {
    await expectSeen(ruleSwitch(page, 'Nightly'));
    await chooseForRule(page, 'Nightly', 'edit');
    await page.getByRole('radio', { name: words.archive_when_by_hand() }).check();
    await press(page, page.getByRole('button', { name: words.archive_rule_save() }));
    await expectGone(ruleSwitch(page, 'Nightly'));
  });

  it('is opened from the archive too', async () => {
    await show(app, '#/archive');
    await page.getByRole('button', { name: words.screen_automation(), exact: true }).click();
    await expectSeen(ruleCard(page, 'Nightly'));
  });

  it('has drawers that fill a small window, with their buttons in view', async () => {
    await page.setViewportSize({ width: 640, height: 400 });
    await beginRule(page, 'remind');
    const drawer = page.getByTestId('reminder.drawer');
    const box = await drawer.boundingBox();
    expect(box).toMatchObject({ x: 0, y: 0, width: 640, height: 400 });
    const save = drawer.getByRole('button', { name: words.archive_rule_save() });
    const { y = 0, height = 0 } = (await save.boundingBox()) ?? {};
    expect(y + height).toBeLessThanOrEqual(400);
    expect(await drawer.evaluate((one) => one.scrollWidth)).toBeLessThanOrEqual(640);
    await audit(page);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});

describe('rules while the window is closed', () => {
  it('run by a scheduled task that is created after a question', async () => {
    await show(app, '#/automation');
    await expectSeen(page.getByText(words.schedule_off()));
    await press(page, turn());
    const confirm = questionOf(page).getByRole('button', { name: words.schedule_confirm() });
    // Enter out of habit cancels.
    await page.keyboard.press('Enter');
    await expectGone(questionOf(page));
    expect(system.isOn).toBe(false);
    await press(page, turn());
    await takePicture(page, 'automation-schedule');
    await press(page, confirm);
    await expectSeen(page.getByText(words.schedule_on()));
    await expectSeen(page.getByTestId('activity.message').getByText(words.schedule_turned_on()));
    expect(system.isOn).toBe(true);
    await press(page, turn());
    await expectSeen(page.getByText(words.schedule_off()));
    expect(system.isOn).toBe(false);
  });

  it('keep the question open if the system rejects the task', async () => {
    system.refuses = true;
    await press(page, turn());
    await press(page, questionOf(page).getByRole('button', { name: words.schedule_confirm() }));
    await expectSeen(questionOf(page).getByText(words.reason_schedule_refused()));
    await page.keyboard.press('Escape');
    await expectSeen(page.getByText(words.schedule_off()));
    system.refuses = false;
  });

  it('show why the task cannot be created, and the command for a terminal', async () => {
    system.obstacle = 'no-keychain';
    await show(app, '#/archive');
    await show(app, '#/automation');
    await press(page, turn());
    await expectSeen(page.getByText(words.schedule_why_no_keychain()));
    await page.getByText(words.schedule_terminal()).click();
    await expectSeen(page.getByText(system.command));
    await takePicture(page, 'automation-why');
    await audit(page);
    await page.keyboard.press('Escape');
    await expectFocus(turn());
  });
});
