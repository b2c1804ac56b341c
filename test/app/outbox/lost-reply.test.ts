// tier: quick, 25 s, because nothing may be sent twice
import type { Page } from 'playwright';
import { afterEach, describe, expect, it } from 'vitest';
import { startDemo } from '../../../electron/demo/start.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { prepareDraft } from '../support/prepared-draft.ts';
import { holdLong, LONG_HOLD } from '../support/long-hold.ts';
import { goTo, questionOf, rowOf, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

const TITLE = 'Uthyrning av båtplats';

let app: DeskApp;
let page: Page;

afterEach(() => app.close());

const creates = () =>
  app.demo.requests.filter(({ method, url }) => method === 'POST' && url.endsWith('/agreements'));

async function start(seed: 'full' | 'none'): Promise<void> {
  app = await startDeskApp({ seed });
  ({ page } = app);
  await tryDemo(page);
  await holdLong(app);
}

/** Gives a prepared draft its title and sends it, without waiting for the end of the delay. */
async function sendNow(api: 'v1' | 'v2'): Promise<void> {
  const id = await prepareDraft(app, api, 'Utan namn än');
  await page.evaluate((hash) => (window.location.hash = hash), `#/drafts/${id}`);
  await page.getByTestId('draft.title').fill(TITLE);
  await page.getByTestId('draft.send').click();
  const verb = words.draft_send_held({ seconds: LONG_HOLD });
  await questionOf(page).getByRole('button', { name: verb }).click();
  await page.getByTestId('activity.send-now').click();
  await goTo(page, 'Control+Digit3', words.screen_outbox());
}

async function expectState(state: string): Promise<void> {
  await rowOf(page, TITLE).filter({ hasText: state }).waitFor();
}

/** Returns the same page of a list, without its agreements. */
const withoutItems = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json, (_, value) => (Array.isArray(value) ? [] : value)));

describe('a send whose reply was lost', () => {
  it('is never repeated, and is settled on v1 by its tag (AP-13, T1-60)', async () => {
    await start('none');
    app.demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
    // The lists are empty: a sync would otherwise settle the send before the test sees the unknown
    // outcome.
    const unread = app.demo.fault({
      method: 'GET',
      path: /\/agreements\?/,
      times: 999,
      do: { kind: 'mutate', change: withoutItems },
    });
    await sendNow('v1');
    await expectState(words.outbox_state_unknown());
    expect(creates()).toHaveLength(1);
    unread.clear();
    await goTo(page, 'Control+Digit1', words.screen_agreements());
    await page.keyboard.press('F5');
    await rowOf(page, TITLE).waitFor();
    await goTo(page, 'Control+Digit3', words.screen_outbox());
    await expectState(words.outbox_state_sent());
    expect(creates()).toHaveLength(1);
    expect(app.demo.agreements.v1()).toHaveLength(1);
  });

  it('is found on v2 by the code in the agreement’s name, once the user looks for it (T2-42)', async () => {
    await start('none');
    app.demo.fault({ method: 'POST', path: /\/agreements$/, do: { kind: 'reset-after' } });
    await sendNow('v2');
    await expectState(words.outbox_state_unknown());
    await rowOf(page, TITLE).click();
    await page.getByTestId('outbox.look').click();
    const said = page.getByTestId('activity.message');
    await expect.poll(() => said.textContent()).toBe(words.outbox_looked());
    await expectState(words.outbox_state_sent());
    expect(creates()).toHaveLength(1);
  });
});

describe('the program without a network', () => {
  it('shows its saved copies, allows drafting, and keeps a send until the service answers (TX-56)', async () => {
    await start('full');
    const grid = page.getByRole('grid');
    const rows = await grid.getAttribute('aria-rowcount');
    const port = Number(new URL(app.demo.v1Url).port);
    await app.demo.close();
    await page.keyboard.press('F5');
    const freshness = page.getByTestId('agreements.freshness');
    await freshness.filter({ hasText: /^\s*Offline since .*, showing saved copy/ }).waitFor();
    expect(await grid.getAttribute('aria-rowcount')).toBe(rows);
    expect(await grid.getByRole('row').count()).toBeGreaterThan(10);

    await sendNow('v1');
    await expectState(words.outbox_state_queued());

    const again = await startDemo({ dataDir: null, seed: 'none', port, counterpartDelayMs: null });
    try {
      await rowOf(page, TITLE).click();
      await page.getByTestId('outbox.send-now').click();
      await expectState(words.outbox_state_sent());
      expect(again.agreements.v1()).toMatchObject([{ title: TITLE }]);
    } finally {
      await again.close();
    }
  });
});
