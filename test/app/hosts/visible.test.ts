import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { canBeSeen, openScreen, type Screen } from '../support/screen.ts';
import { expectFocus, expectFresh, goTo, moveToRow, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

/** Timeout for the start of a window manager on a busy computer (ms). */
const LONG = 20_000;
/** Size of the window that `npm start` requests. */
const SIZE = { width: 1280, height: 840 } as const;
/** Colour of the tile in the drawing of the icon (ARGB). */
const INK = 0xff_23_39_8f;
/** Maximum height of a window frame (px); a bar with warnings would be higher. */
const FRAME = 36;

describe.skipIf(!canBeSeen)('a window on a screen', () => {
  let screen: Screen;
  let app: DeskApp;
  let page: Page;

  beforeAll(async () => {
    screen = await openScreen(1600, 1000);
    // Without a window manager the window has no frame, but the tests also pass: its position is
    // known in both cases.
    await vi.waitUntil(() => screen.isManaged(), { timeout: LONG }).catch(() => false);
    vi.stubEnv('DISPLAY', screen.display);
    app = await startDeskApp({ seed: 'full', size: SIZE, isVisible: true });
    ({ page } = app);
  });

  afterAll(async () => {
    await app.close();
    vi.unstubAllEnvs();
    screen.close();
  });

  /** Takes screenshots for reviewers if a folder for them is set. */
  function photograph(name: string): void {
    const folder = process.env['DESK_PICTURES'];
    if (folder !== undefined) screen.photograph(path.join(folder, `visible-${name}.png`));
  }

  const place = () =>
    page.evaluate(() => ({
      left: window.screenX,
      top: window.screenY,
      width: window.outerWidth,
      height: window.outerHeight,
      drawnByOthers: window.outerHeight - window.innerHeight,
    }));

  it('contains only the page: no browser bar and no browser warning', async () => {
    await expectFocus(page.getByTestId('choice.connect'));
    photograph('first-start');
    expect((await place()).drawnByOthers).toBeLessThanOrEqual(FRAME);
  });

  it('has the icon of the program instead of the browser’s', async () => {
    await expect.poll(() => screen.iconColours().has(INK)).toBe(true);
  });

  it('is centred on the screen, at least as large as requested', async () => {
    const { left, top, width, height } = await place();
    expect(Math.abs(2 * left + width - screen.width)).toBeLessThanOrEqual(2 * FRAME);
    expect(Math.abs(2 * top + height - screen.height)).toBeLessThanOrEqual(2 * FRAME);
    expect(width).toBeGreaterThanOrEqual(SIZE.width);
    expect(height).toBeGreaterThanOrEqual(SIZE.height);
    expect(Math.min(left, top)).toBeGreaterThanOrEqual(0);
    expect(left + width).toBeLessThanOrEqual(screen.width);
    expect(top + height).toBeLessThanOrEqual(screen.height);
  });

  it('shows by keyboard, after the first start, an agreement, the demo’s batch and its template', async () => {
    await tryDemo(page);
    await page.keyboard.press('F5');
    await expectFresh(page);
    await page.keyboard.press('Control+f');
    await page.keyboard.type('anstallningsavtal asa');
    const grid = page.getByRole('grid');
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('2');
    await page.keyboard.press('ArrowDown');
    await moveToRow(page, 'Anställningsavtal Åsa Öberg');
    await page.getByRole('heading', { name: 'Anställningsavtal Åsa Öberg' }).waitFor();
    photograph('agreement');
    await goTo(page, 'Control+Digit5', words.screen_batch());
    await page.getByText('Bilplatser Storgatan 12').waitFor();
    photograph('batches');
    await goTo(page, 'Control+Digit4', words.screen_templates());
    await page.getByTestId('templates.tab.fields').waitFor();
    photograph('templates');
    expect((await place()).drawnByOthers).toBeLessThanOrEqual(FRAME);
    expect(app.complaints).toEqual([]);
  });
});

describe.skipIf(!canBeSeen)('a window on a small screen', () => {
  it.each([
    [1366, 768],
    [1024, 700],
  ])(
    'fits %i × %i pixels with its frame, so that no edge of the page is cut',
    async (width, height) => {
      const screen = await openScreen(width, height);
      await vi.waitUntil(() => screen.isManaged(), { timeout: LONG }).catch(() => false);
      vi.stubEnv('DISPLAY', screen.display);
      const app = await startDeskApp({ seed: 'full', size: SIZE, isVisible: true });
      try {
        const edges = () =>
          app.page.evaluate(() => ({
            right: window.screenX + window.outerWidth,
            bottom: window.screenY + window.outerHeight,
          }));
        const frame = screen.frame();
        await expect
          .poll(async () => (await edges()).right + frame.right)
          .toBeLessThanOrEqual(width);
        await expect
          .poll(async () => (await edges()).bottom + frame.bottom)
          .toBeLessThanOrEqual(height);
      } finally {
        await app.close();
        vi.unstubAllEnvs();
        screen.close();
      }
    },
  );
});
