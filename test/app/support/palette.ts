import { expect } from 'vitest';
import type { FurnishedDesk } from './furnished-desk.ts';
import { goToPlace } from './places.ts';

/** The command palette of a window. */
export function paletteOf({ page }: FurnishedDesk) {
  return page.getByTestId('palette');
}

/** Surfaces that a command opened: a question, a menu or another dialog over the page. */
export function dialogsOf({ page }: FurnishedDesk) {
  return page.locator('[role=alertdialog], [role=dialog]:not([data-testid=palette])');
}

/**
 * Opens the palette. A dialog that a command opened late would receive the keys, so it is closed
 * first.
 */
export async function openPalette(app: FurnishedDesk): Promise<void> {
  await expect
    .poll(async () => {
      if (await paletteOf(app).isVisible()) return true;
      const isCovered = (await dialogsOf(app).count()) > 0;
      await app.page.keyboard.press(isCovered ? 'Escape' : 'Control+k');
      return paletteOf(app).isVisible();
    })
    .toBe(true);
}

/** Opens a place of `views.ts` and selects its first row, if it has rows. */
export async function openPlace(app: FurnishedDesk, name: string): Promise<void> {
  await goToPlace(app, 'shortcuts');
  await goToPlace(app, name);
  const grid = app.page.getByRole('grid').first();
  if (await grid.isVisible()) {
    await grid.focus();
    await app.page.keyboard.press('Home');
  } else await app.page.keyboard.press('F6');
}

/** Names of the commands that the palette offers on the current screen. */
export async function offeredCommands(app: FurnishedDesk): Promise<readonly string[]> {
  await openPalette(app);
  const lines = paletteOf(app).locator('[data-command-item]:not([aria-disabled=true])');
  await lines.first().waitFor();
  const names = await lines.evaluateAll((all) =>
    all.map((line) => line.getAttribute('data-value') ?? ''),
  );
  await app.page.keyboard.press('Escape');
  await paletteOf(app).waitFor({ state: 'detached' });
  return names;
}

/** Whether an element other than the body has the focus. */
export function hasFocus({ page }: FurnishedDesk): Promise<boolean> {
  return page.evaluate(() => document.activeElement !== document.body);
}
