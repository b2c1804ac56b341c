// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furnish, type FurnishedDesk, show } from './support/furnished-desk.ts';
import { apiOf } from './support/prepared-draft.ts';
import { expectGone, expectSeen } from './support/steps.ts';
import { words } from './support/words.ts';
import { entryOf } from '../support/person-entry.ts';

/** Times between the two clicks (ms): before and after the window has reacted to the first. */
const FAST = 50;
const SLOW = 350;

let app: FurnishedDesk;
let page: Page;
const system = { isOn: false, changes: 0 };

beforeAll(async () => {
  app = await furnish({
    schedule: {
      readSchedule: async () => ({ isOn: system.isOn, obstacle: null, command: 'cron' }),
      setSchedule: async (isOn) => {
        system.isOn = isOn;
        system.changes += 1;
      },
    },
  });
  ({ page } = app);
  for (const firstName of ['Bo', 'Eva', 'Ulf']) {
    const email = `${firstName}@example.com`;
    for (const lastName of ['Ek', 'Eek']) {
      await apiOf(app)['people.save']({
        id: null,
        entry: entryOf({ firstName, lastName, email }),
      });
    }
  }
});
afterAll(() => app.close());

/** A double click: the browser counts both clicks. The second may hit other content. */
async function clickTwice(target: Locator, pause: number): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await target.boundingBox()) ?? {};
  await page.mouse.move((x ?? 0) + (width ?? 0) / 2, (y ?? 0) + (height ?? 0) / 2);
  await page.mouse.down({ clickCount: 1 });
  await page.mouse.up({ clickCount: 1 });
  await page.waitForTimeout(pause);
  await page.mouse.down({ clickCount: 2 });
  await page.mouse.up({ clickCount: 2 });
}

const details = () => page.locator('main aside:visible');

describe.each([FAST, SLOW])('a double click with %i ms between its clicks', (pause) => {
  it('in the outbox opens the question, and answers nothing', async () => {
    await show(app, `#/outbox/${app.unknown}`);
    await clickTwice(page.getByTestId('outbox.decide'), pause);
    await expectSeen(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await expectGone(page.getByRole('dialog'));
  });

  it('on one of two similar people leaves the next pair undecided', async () => {
    await show(app, '#/people/duplicates');
    const pairs = page.getByTestId('people.pair');
    await pairs.first().waitFor();
    const before = await pairs.count();
    await clickTwice(pairs.first().getByRole('button', { name: words.people_apart() }), pause);
    await expect.poll(() => pairs.count()).toBe(before - 1);
    await page.waitForTimeout(SLOW);
    expect(await pairs.count()).toBe(before - 1);
  });

  it('in automation turns the schedule off, and does not ask to turn it on again', async () => {
    system.isOn = true;
    await show(app, '#/settings');
    await show(app, '#/automation');
    await expectSeen(page.getByText(words.schedule_on(), { exact: true }));
    const { changes } = system;
    await clickTwice(page.getByTestId('automation.closed.turn'), pause);
    await expect.poll(() => system.changes).toBe(changes + 1);
    await page.waitForTimeout(SLOW);
    expect(system.changes).toBe(changes + 1);
    expect(await page.getByRole('alertdialog').count()).toBe(0);
  });

  it('in the settings opens a form, and leaves it open', async () => {
    await show(app, '#/settings/identities');
    await clickTwice(page.getByTestId('settings.identity.add'), pause);
    const form = page.getByTestId('settings.identity.form');
    await expectSeen(form);
    await page.waitForTimeout(SLOW);
    await expectSeen(form);
    await form.getByRole('button', { name: words.common_cancel() }).click();
    await expectGone(form);
  });

  it('on the button for the next row of a batch goes on by two rows', async () => {
    await show(app, `#/batch/${app.samples.batch}/review`);
    const row = page.getByTestId('batch.preview-row');
    const previous = page.getByRole('button', { name: words.batch_review_previous() });
    await row.waitFor();
    const before = await row.textContent();
    await clickTwice(page.getByRole('button', { name: words.batch_review_next() }), pause);
    await expect.poll(() => row.textContent()).not.toBe(before);
    await previous.click();
    expect(await row.textContent()).not.toBe(before);
    await previous.click();
    await expect.poll(() => row.textContent()).toBe(before);
  });
});

describe('a held Enter key', () => {
  const hold = async (target: Locator) => {
    await target.focus();
    for (let at = 0; at < 5; at += 1) {
      await page.keyboard.down('Enter');
      await page.waitForTimeout(FAST);
    }
    await page.keyboard.up('Enter');
  };

  it('opens a question once, and answers nothing', async () => {
    await show(app, `#/outbox/${app.unknown}`);
    await expectSeen(details());
    await hold(page.getByTestId('outbox.decide'));
    await expectSeen(page.getByRole('dialog'));
    await page.keyboard.press('Escape');
    await expectGone(page.getByRole('dialog'));
  });

  it('opens a menu, and chooses nothing in it', async () => {
    await show(app, '#/people');
    await hold(page.getByTestId('people.more'));
    await expectSeen(page.getByRole('menu'));
    expect(page.url()).toMatch(/#\/people$/);
    await page.keyboard.press('Escape');
  });
});
