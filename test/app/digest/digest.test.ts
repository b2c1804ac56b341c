import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from '../../../shared/contract/connections.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import { expectSeen, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { HOUR } from '../../../shared/rules/time/units.ts';

let app: DeskApp;
let page: Page;
let office: Connection;
const said: string[] = [];

beforeAll(async () => {
  app = await startDeskApp({
    seed: 'full',
    onDesktop: (shown) => {
      if ('said' in shown) said.push(shown.said);
    },
  });
  ({ page } = app);
  await tryDemo(page);
  const found = (await apiOf(app)['connections.list']({})).find(({ api }) => api === 'v1');
  if (found === undefined) throw new Error('There is no connection');
  office = found;
});
afterAll(() => app.close());

const dialog = () => page.getByTestId('digest');

/** Returns the time of day (hh:mm) this many milliseconds from now. */
function clockIn(milliseconds: number): string {
  const at = new Date(Date.now() + milliseconds);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Sets quiet hours, and waits until the window has read them. */
async function setQuiet(from: number, until: number): Promise<void> {
  const quietHours = { from: clockIn(from), until: clockIn(until) };
  await apiOf(app)['settings.write']({ quietHours });
  const box = page.getByLabel(words.settings_quiet_from(), { exact: true });
  await expect.poll(() => box.inputValue()).toBe(quietHours.from);
}

/** Lets a waiting agreement expire or be signed by everyone at the service, and syncs. */
async function letOneBe(what: 'expire' | 'sign-all'): Promise<void> {
  const { items } = await apiOf(app)['agreements.list']({ states: ['waiting'] });
  const one = items.find(({ connectionId }) => connectionId === office.id);
  if (one === undefined) throw new Error('Nothing waits');
  app.demo.act('v1', one.id, what);
  await apiOf(app)['agreements.sync']({});
}

describe('the daily summary', () => {
  let title = '';

  it('notifies a user who works in another program, with counts and without names', async () => {
    const { items } = await apiOf(app)['agreements.list']({ states: ['waiting'] });
    const [first] = items.filter(({ connectionId }) => connectionId === office.id);
    if (first === undefined) throw new Error('Nothing waits');
    ({ title } = first);
    await page.evaluate(() => Object.assign(document, { hasFocus: () => false }));
    app.demo.act('v1', first.id, 'reject');
    await apiOf(app)['agreements.sync']({});
    await expect
      .poll(() => said)
      .toContain(`${words.app_name()}: ${words.notify_rejected({ count: 1 })}`);
    expect(said.join('\n')).not.toContain(title);
  });

  it('sends no notification during quiet hours, and sends one outside of them', async () => {
    await show(app, '#/settings/notifications');
    await setQuiet(-HOUR, 3 * HOUR);
    await letOneBe('expire');
    await page.getByRole('button', { name: words.digest_open() }).click();
    await expectSeen(dialog().getByRole('heading', { name: /^Expired: 1$/ }));
    await page.keyboard.press('Escape');
    await setQuiet(2 * HOUR, 3 * HOUR);
    await letOneBe('sign-all');
    await expect.poll(() => said.join('\n')).toContain(words.notify_signed({ count: 1 }));
    // No notification was sent during the quiet hours: it would be in the list before this one.
    expect(said.join('\n')).not.toContain(words.notify_expired({ count: 1 }));
  });

  it('opens from the palette, explains its contents, and links to the agreement', async () => {
    const { items } = await apiOf(app)['agreements.list']({ states: ['waiting'] });
    const [other] = items.filter(({ connectionId }) => connectionId === office.id);
    if (other === undefined) throw new Error('Nothing waits');
    const key = { connectionId: office.id, id: other.id };
    const { parties } = await apiOf(app)['agreements.show']({ ...key, refresh: false });
    const partyId =
      parties?.find(({ email, state }) => email !== null && state === 'turn')?.id ?? '';
    await apiOf(app)['reminders.hold']({ ...key, partyId, because: 'bounced' });
    await page.keyboard.press('Control+k');
    await page.keyboard.type(words.digest_open());
    await page.keyboard.press('Enter');
    await expectSeen(dialog().getByRole('heading', { name: /^Rejected: 1$/ }));
    await expectSeen(dialog().getByRole('heading', { name: /^Messages returned: 1$/ }));
    await expectSeen(dialog().getByText(words.detail_reject_reason({ reason: '' }).trim()));
    await takePicture(page, 'digest');
    await dialog().getByRole('link', { name: title }).press('Enter');
    await page.getByRole('heading', { name: title }).first().waitFor();
    await expect.poll(() => dialog().count()).toBe(0);
  });

  it('is saved as an email draft in the user’s own folder', async () => {
    await show(app, '#/settings/notifications');
    await page.getByRole('button', { name: words.digest_open() }).click();
    await dialog().waitFor();
    await page.getByRole('button', { name: words.digest_mail() }).click();
    const { documentsFolder } = await apiOf(app)['host.describe']({});
    const saved = async () =>
      (await readdir(documentsFolder)).find((name) => name.endsWith('.eml')) ?? '';
    await expect.poll(saved).not.toBe('');
    const mail = await readFile(path.join(documentsFolder, await saved()), 'utf8');
    expect(mail).toContain('X-Unsent: 1');
    const text = Buffer.from(mail.split('\r\n\r\n')[1] ?? '', 'base64').toString();
    expect(text).toContain('Rejected: 1');
    expect(text).toContain(`- ${title} (`);
    await page.keyboard.press('Escape');
  });
});
