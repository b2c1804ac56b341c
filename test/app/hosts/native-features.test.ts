import type { Page } from 'playwright';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { HostMenu, HostStatus } from '../../../shared/contract/host.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { expectGone, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;
let menu: HostMenu | null = null;
let status: HostStatus | null = null;
/** State of the system: whether the program starts at login, and whether it may change that. */
const system = { startsAtLogin: false, refuses: false };

beforeAll(async () => {
  app = await startDeskApp({
    native: {
      menu: (shown) => void (menu = shown),
      status: (shown) => void (status = shown),
      startsAtLogin: () => system.startsAtLogin,
      startAtLogin: async (isOn) => {
        if (system.refuses) throw new Error('not on this computer');
        system.startsAtLogin = isOn;
      },
    },
  });
  ({ page } = app);
  await tryDemo(page);
});
afterAll(() => app.close());
beforeEach(() => show(app, '#/agreements'));

const labels = () => menu?.groups.flatMap(({ commands }) => commands.map(({ label }) => label));
const choose = (id: string) => app.emit('host.command', { id });

describe('the host’s menu', () => {
  it('has every command of the palette, in the language of the window', async () => {
    await page.keyboard.press('Control+k');
    const palette = page.getByTestId('palette');
    await palette.getByRole('option', { name: words.screen_settings() }).waitFor();
    const named = await palette.getByRole('option').locator('span').allInnerTexts();
    await page.keyboard.press('Escape');
    const titles = named.map((text) => text.split('\n')[0]?.trim());
    expect(new Set(labels())).toEqual(new Set(titles));
    await apiOf(app)['settings.write']({ language: 'de' });
    await expect.poll(() => menu?.language).toBe('de');
    await expect.poll(labels).toContain('Einstellungen');
    await apiOf(app)['settings.write']({ language: null });
    await expect.poll(() => menu?.language).toBe('en');
  });

  it('runs the same actions as the palette', async () => {
    choose('go.drafts');
    await expect.poll(() => page.url()).toContain('#/drafts');
  });

  it('reports why a command is currently unavailable', async () => {
    choose('outbox.undo');
    await expect.poll(() => page.getByText(words.command_undo_nothing()).isVisible()).toBe(true);
  });

  it('does nothing while a dialog is open, and ignores unknown command names', async () => {
    await page.keyboard.press('Control+k');
    await page.getByTestId('palette').waitFor();
    choose('go.archive');
    choose('go.nowhere');
    // This event is sent after the commands: once its message is shown, the commands have been
    // handled.
    app.emit('host.processEnded', {});
    await page.getByText(words.window_process_ended()).waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('palette').waitFor({ state: 'hidden' });
    expect(page.url()).not.toContain('archive');
    await page.getByRole('button', { name: words.activity_close() }).click();
    await expectGone(page.getByText(words.window_process_ended()));
  });
});

describe('the question before the window closes', () => {
  it('is skipped while nothing waits to be sent, and otherwise counts the waiting agreements', async () => {
    await expect
      .poll(() => status)
      .toEqual({ staysInTray: false, underWay: [], beforeQuitting: null });
    const api = apiOf(app);
    const id = await prepareDraft(app, 'v1', 'Arrende av åkermark');
    const { connectionId } = await api['drafts.show']({ id });
    if (connectionId === null) throw new Error('The demo has no connection for v1');
    const { ref } = await api['drafts.send']({ id, connectionId, holdSeconds: 30, confirm: 1 });
    await expect.poll(() => status?.underWay).toEqual(['1 agreement in the Outbox']);
    expect(status?.beforeQuitting).toContain('1 agreement has not been sent yet.');
    expect(status?.beforeQuitting).not.toContain('åkermark');
    await api['outbox.undo']({ ref });
    await expect.poll(() => status?.beforeQuitting).toBeNull();
  });
});

describe('the settings for the background', () => {
  beforeEach(() => show(app, '#/settings/background'));

  it('keep the program running after the window is closed, if chosen', async () => {
    const tick = page.getByRole('checkbox', { name: words.settings_tray() });
    expect(await tick.isChecked()).toBe(false);
    await tick.check();
    await expect.poll(() => status?.staysInTray).toBe(true);
    await tick.uncheck();
    await expect.poll(() => status?.staysInTray).toBe(false);
  });

  it('show whether the system starts the program at login, also if the system refuses a change', async () => {
    const tick = page.getByRole('checkbox', { name: words.settings_login() });
    expect(await tick.isChecked()).toBe(false);
    await tick.click();
    await expect.poll(() => system.startsAtLogin).toBe(true);
    await expect.poll(() => tick.isChecked()).toBe(true);
    system.refuses = true;
    await tick.click();
    await expect.poll(() => tick.isChecked()).toBe(true);
    system.refuses = false;
    await tick.click();
    await expect.poll(() => system.startsAtLogin).toBe(false);
  });

  it('are accessible in light and dark', async () => {
    await page.getByRole('checkbox', { name: words.settings_login() }).waitFor();
    await takePicture(page, 'settings-background');
    await audit(page);
  });
});

it('an ended process of the window is reported in the page', async () => {
  app.emit('host.processEnded', {});
  await expect.poll(() => page.getByText(words.window_process_ended()).isVisible()).toBe(true);
  expect(app.complaints).toEqual([]);
});
