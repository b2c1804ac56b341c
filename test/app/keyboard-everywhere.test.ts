// tier: all
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { focusMark } from './support/focus.ts';
import { furnish, type FurnishedDesk } from './support/furnished-desk.ts';
import {
  dialogsOf,
  hasFocus,
  offeredCommands,
  openPalette,
  openPlace,
  paletteOf,
} from './support/palette.ts';
import { places } from './support/places.ts';

describe('every screen with sample data, by keyboard alone', () => {
  let app: FurnishedDesk;
  let page: Page;

  beforeAll(async () => {
    app = await furnish();
    ({ page } = app);
  });
  afterAll(() => app.close());

  /**
   * Visits every place once, for several tests, because opening the places takes most of the time.
   */
  async function walk() {
    const found = { off: 0, silent: [] as string[], moved: [] as string[] };
    for (const { name: place } of places) {
      await openPlace(app, place);
      const before = (await focusMark(page))?.name;
      await page.keyboard.press('Control+k');
      await paletteOf(app).waitFor();
      await page.keyboard.press('Escape');
      await paletteOf(app).waitFor({ state: 'detached' });
      const returns = expect.poll(async () => (await focusMark(page))?.name).toBe(before);
      await returns.catch(() => found.moved.push(place));
      // Buttons with a label are skipped: an arrow button at the end of its range needs no further
      // reason.
      for (const button of await page
        .locator('button[aria-disabled=true]:not([aria-label])')
        .all()) {
        if (!(await button.isVisible())) continue;
        found.off += 1;
        await button.focus();
        const shown = page.locator('.reason:popover-open');
        await shown.waitFor({ timeout: 5_000 }).catch(() => found.silent.push(place));
        if ((await shown.textContent())?.trim() === '') found.silent.push(place);
      }
    }
    return found;
  }
  let walked: ReturnType<typeof walk> | undefined;
  const onAllPlaces = () => (walked ??= walk());

  it('shows the reason of every disabled action (AP-22)', async () => {
    const { off, silent } = await onAllPlaces();
    expect(off).toBeGreaterThan(3);
    expect(silent).toEqual([]);
  });

  it('returns the focus when the palette closes (AP-07)', async () => {
    const { moved } = await onAllPlaces();
    expect(moved).toEqual([]);
  });

  it('keeps the focus on an element after each palette command, on every screen (AP-07)', async () => {
    // The palette itself is skipped, and commands that undo the steps of earlier tests.
    const tried = new Set(['palette.open', 'outbox.undo', 'edit.redo']);
    const lost: string[] = [];
    for (const { name: place } of places) {
      await openPlace(app, place);
      let isUntouched = true;
      for (const command of await offeredCommands(app)) {
        // A command that is offered on every screen is tested on only one of them.
        if (tried.has(command)) continue;
        tried.add(command);
        if (!isUntouched) await openPlace(app, place);
        isUntouched = false;
        await openPalette(app);
        await paletteOf(app).locator(`[data-command-item][data-value="${command}"]`).click();
        await paletteOf(app).waitFor({ state: 'detached' });
        const keeps = expect.poll(() => hasFocus(app), { timeout: 5_000 }).toBe(true);
        await keeps.catch(() => lost.push(`${command} on ${place}`));
        // The focus must also return when the dialog that the command opened is closed.
        if ((await dialogsOf(app).count()) > 0) {
          await page.keyboard.press('Escape');
          await dialogsOf(app)
            .waitFor({ state: 'detached', timeout: 5_000 })
            .catch(() => {
              lost.push(`${command} on ${place} stays open`);
            });
          const returns = expect.poll(() => hasFocus(app), { timeout: 5_000 }).toBe(true);
          await returns.catch(() => lost.push(`${command} on ${place}, closed`));
        }
      }
    }
    expect(tried.size).toBeGreaterThan(20);
    expect(lost).toEqual([]);
  });
});
