// tier: all
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgreementKey, ApiName } from '../../../shared/model/ids.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { show } from '../support/furnished-desk.ts';
import { leaseForm } from '../support/pdfs.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf } from '../support/prepared-draft.ts';
import {
  expectFocus,
  expectSeen,
  fill,
  press,
  questionOf,
  tabTo,
  tryDemo,
} from '../support/steps.ts';
import { words } from '../support/words.ts';

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'full' });
  ({ page } = app);
  await tryDemo(page);
});

afterAll(() => app.close());

const details = (): Locator => page.getByTestId('agreements.details');
const more = (): Locator => page.getByTestId('agreements.more');
const partyMenu = (): Locator => page.getByTestId('agreements.party').first();
const cancel = (): Locator => questionOf(page).getByRole('button', { name: words.cancel() });
const answer = (name: string): Locator =>
  questionOf(page).getByRole('button', { name, exact: true });

/** Shows the details of the agreement with this title; returns its key. */
async function open(api: ApiName, title: string): Promise<AgreementKey> {
  const { items } = await apiOf(app)['agreements.list']({ search: title });
  const row = items.find((one) => one.api === api && one.title === title);
  if (row === undefined) throw new Error(`The demo has no agreement ${title}`);
  const { connectionId, id } = row;
  await show(app, `#/agreements/${connectionId}/${encodeURIComponent(id)}`);
  await details().getByRole('heading', { name: title, level: 2 }).waitFor();
  return { connectionId, id };
}

/** Opens a menu and chooses an item, with the keyboard. */
async function choose(menu: Locator, label: string): Promise<void> {
  await press(page, menu);
  await page.getByRole('menu').waitFor();
  const item = page.getByRole('menuitem', { name: label });
  while (!(await item.evaluate((one) => one === document.activeElement))) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

async function expectSaid(sentence: string): Promise<void> {
  const said = page.getByTestId('activity.message');
  await expect.poll(() => said.textContent()).toBe(sentence);
}

/** Returns the number of requests with this method and path after the first `count` requests. */
function requestsSince(count: number, method: string, path: RegExp): number {
  return app.demo.requests
    .slice(count)
    .filter((request) => request.method === method && path.test(request.url)).length;
}

describe('revoking an agreement', () => {
  const TITLE = 'Offert nr 117';

  it('asks first, names the agreement, focuses Cancel, and changes nothing on Escape', async () => {
    await open('v1', TITLE);
    const before = app.demo.requests.length;
    await choose(more(), words.act_revoke());
    await expectFocus(cancel());
    await questionOf(page)
      .getByText(words.revoke_lead({ title: TITLE }))
      .waitFor();
    await audit(page);
    await page.keyboard.press('Escape');
    await expectFocus(more());
    expect(requestsSince(before, 'GET', /\/revoke$/)).toBe(0);
  });

  it('sends exactly one request, even if Enter is pressed twice (T1-70)', async () => {
    const before = app.demo.requests.length;
    await choose(more(), words.act_revoke());
    await tabTo(page, answer(words.revoke_confirm({ count: 1 })));
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await expectSaid(words.revoke_done({ title: TITLE }));
    expect(requestsSince(before, 'GET', /\/revoke$/)).toBe(1);
    await details().getByText(words.state_revoked(), { exact: true }).first().waitFor();
    expect(app.demo.agreements.v1().find(({ title }) => title === TITLE)?.state).toBe('REVOKED');
  });

  it('is shown as impossible for a revoked agreement, with the reason (T1-71)', async () => {
    await press(page, more());
    const item = page.getByTestId('agreements.more.revoke');
    await item.waitFor();
    expect(await item.getAttribute('aria-disabled')).toBe('true');
    expect(await item.textContent()).toContain(words.why_not_open());
    await page.keyboard.press('Escape');
  });
});

describe('changing the last day for signing', () => {
  const wanted = '2027-03-05';
  const theirs = Date.UTC(2027, 1, 1, 11);

  const expiry = (): Locator => page.getByTestId('agreements.deadlines.expires');
  const confirm = (): Locator => answer(words.deadlines_confirm());

  async function setExpiry(day = wanted): Promise<void> {
    await press(page, page.getByTestId('agreements.deadlines'));
    await questionOf(page).waitFor();
    await expiry().fill(day);
    await confirm().and(page.locator(':not([aria-disabled])')).waitFor();
  }

  it('shows both days, and keeps the day of another user who changed it first (AP-22, T1-72)', async () => {
    const key = await open('v1', 'Fullmakt för ombud');
    await setExpiry();
    await apiOf(app)['actions.change']({ key, expiresAt: theirs });
    await press(page, confirm());
    const changed = page.getByTestId('agreements.changed');
    await changed.getByText(words.changed_time({ time: '2027-03-05 23:59' })).waitFor();
    await changed.getByText(words.changed_time({ time: '2027-02-01 12:00' })).waitFor();
    expect(app.demo.requests.some(({ status }) => status === 412)).toBe(true);
    await audit(page);
    await press(page, answer(words.changed_leave()));
    const kept = await apiOf(app)['agreements.show']({ ...key, refresh: true });
    expect(kept.expiresAt).toBe(theirs);
  });

  it('replaces the day of another user only after a confirmation', async () => {
    const key = await open('v1', 'Fullmakt för ombud');
    await setExpiry();
    await apiOf(app)['actions.change']({ key, expiresAt: theirs + 60_000 });
    await press(page, confirm());
    await press(page, answer(words.changed_again()));
    await expectSaid(words.deadlines_done());
    const now = await apiOf(app)['agreements.show']({ ...key, refresh: true });
    expect(new Date(now.expiresAt ?? 0).toISOString().slice(0, 10)).toBe(wanted);
  });

  it('quotes the service if the service refuses the day (AP-22)', async () => {
    const said = 'The day is a holiday';
    const body = JSON.stringify({ errors: [{ status: '422', detail: said }] });
    const refusal = { kind: 'status', status: 422, body, contentType: 'application/json' } as const;
    app.demo.fault({ method: 'PATCH', path: /\/agreements\//, do: refusal });
    await setExpiry('2027-03-06');
    await press(page, confirm());
    await expectSaid(words.refused_by_service_because({ said }));
  });

  it('sends no earlier day while a field shows a text that is not a day or time', async () => {
    const other = '2027-04-05';
    await open('v1', 'Fullmakt för ombud');
    await press(page, page.getByTestId('agreements.deadlines'));
    await expiry().fill(other);
    await confirm().and(page.locator(':not([aria-disabled])')).waitFor();
    await expiry().fill('2027-02-30');
    await page.keyboard.press('Tab');
    await expect.poll(() => confirm().getAttribute('aria-disabled')).toBe('true');
    await expiry().fill(other);
    await confirm().and(page.locator(':not([aria-disabled])')).waitFor();
    const time = questionOf(page).getByLabel(
      words.draft_time_of({ label: words.deadlines_expires() }),
      { exact: true },
    );
    await time.fill('25:99');
    await page.keyboard.press('Tab');
    await questionOf(page)
      .getByText(words.time_unread({ example: '09:30' }))
      .waitFor();
    expect(await confirm().getAttribute('aria-disabled')).toBe('true');
    await page.keyboard.press('Escape');
  });

  it('rejects a past day before any request is sent, and shows the reason at the button (AP-22, T1-49)', async () => {
    await press(page, page.getByTestId('agreements.deadlines'));
    await expiry().fill('2020-01-01');
    await questionOf(page).getByText(words.deadlines_past()).waitFor();
    expect(await confirm().getAttribute('aria-disabled')).toBe('true');
    await tabTo(page, confirm());
    await expectSeen(page.locator('.reason:popover-open').getByText(words.deadlines_wrong()));
    await expiry().focus();
    await page.keyboard.press('Escape');
  });
});

describe('correcting an email address', () => {
  const NAME = 'Kjærsti Bjørnstad';
  const ADDRESS = 'kjersti.ny@example.com';

  const field = (): Locator => page.getByTestId('agreements.email.address');
  const correct = async (address: string): Promise<void> => {
    await choose(partyMenu(), words.act_email());
    await questionOf(page).getByText(words.notification_ready_to_sign()).waitFor();
    await fill(page, field(), address);
    await press(page, answer(words.email_confirm_notify()));
  };

  it('lists the affected notifications, corrects the address, schedules the invitation (T1-77)', async () => {
    const key = await open('v1', 'Leieavtale Bjørnstad');
    const before = app.demo.requests.length;
    await correct(ADDRESS);
    await expectSaid(words.email_done_notified({ name: NAME }));
    expect(requestsSince(before, 'POST', /\/updateEmail$/)).toBe(1);
    expect(requestsSince(before, 'POST', /\/notify$/)).toBe(1);
    const { parties } = await apiOf(app)['agreements.show']({ ...key, refresh: true });
    expect(parties?.map(({ email }) => email)).toEqual([ADDRESS]);
  });

  it('reports "corrected, not sent again" if only the invitation fails (T1-77)', async () => {
    await open('v1', 'Huurovereenkomst café De Ooievaar');
    const body = JSON.stringify({ errors: [{ status: '400', detail: 'Not now.' }] });
    const refusal = { kind: 'status', status: 400, body, contentType: 'application/json' } as const;
    app.demo.fault({ method: 'POST', path: /\/notify$/, do: refusal });
    await correct('ny.adres@example.com');
    const said = page.getByTestId('activity.message');
    await expect.poll(() => said.textContent()).toContain('the invitation was not sent again');
  });
});

describe('reminding a party', () => {
  it('reports the reminder as scheduled, not delivered, and allows no second one in an hour (T1-79)', async () => {
    await open('v1', 'Contratto di locazione Forlì');
    const before = app.demo.requests.length;
    for (const said of [words.remind_done({ count: 1 }), null]) {
      await page.keyboard.press('Control+Shift+M');
      await expectFocus(cancel());
      await press(page, answer(words.remind_confirm({ count: 1 })));
      await questionOf(page).waitFor({ state: 'detached' });
      if (said !== null) await expectSaid(said);
    }
    const bar = page.getByTestId('activity.message');
    await expect.poll(() => bar.textContent()).not.toBe(words.remind_done({ count: 1 }));
    expect(requestsSince(before, 'POST', /\/notify$/)).toBe(1);
  });
});

describe('an action with an unknown outcome', () => {
  it('is reported, is never repeated, and is shown with the next step at the agreement (T1-79)', async () => {
    await open('v1', 'Samtycke till behandling av personuppgifter');
    app.demo.fault({ path: /\/notify$/, do: { kind: 'reset-after' } });
    const before = app.demo.requests.length;
    await page.keyboard.press('Control+Shift+M');
    await press(page, answer(words.remind_confirm({ count: 1 })));
    const note = page.getByTestId('agreements.unknown');
    await note.getByText(words.unknown_remind()).waitFor();
    await audit(page);
    await press(page, note.getByRole('button', { name: words.unknown_look() }));
    await expectSaid(words.looked_unknown());
    expect(requestsSince(before, 'POST', /\/notify$/)).toBe(1);
  });
});

describe('an agreement of the Legacy API', () => {
  it('shows its unsupported actions in the menu with the reason', async () => {
    await open('v2', 'Parkeringsavtal');
    await press(page, more());
    const menu = page.getByRole('menu');
    await menu.getByText(words.why_v2_cannot_remind()).waitFor();
    await menu.getByText(words.why_v2_cannot_change()).waitFor();
    await expectSeen(menu.getByText(words.why_only_rejected()));
    await page.keyboard.press('Escape');
  });

  it('is rejected for a named party with a complete personal number (T2-62)', async () => {
    await open('v2', 'Medgivande');
    await choose(partyMenu(), words.act_reject());
    await expectFocus(cancel());
    const number = page.getByTestId('agreements.reject.number');
    const verb = answer(words.reject_confirm());
    await fill(page, number, '850709');
    expect(await verb.getAttribute('aria-disabled')).toBe('true');
    await fill(page, number, '19850709-9805');
    await audit(page);
    await press(page, verb);
    await expectSaid(words.reject_done({ party: 'Päivi Mäkinen' }));
    const found = app.demo.agreements.v2().find(({ name }) => name === 'Medgivande');
    expect(found?.status).toBe('REJECTED');
  });

  it('is shared until a chosen day, with the number that identifies the recipient (T2-65)', async () => {
    await open('v2', 'Serviceavtal hiss');
    await press(page, page.getByTestId('agreements.share'));
    await expectFocus(page.getByTestId('agreements.share.number'));
    await fill(page, page.getByTestId('agreements.share.number'), '198507099805');
    await fill(page, page.getByTestId('agreements.share.email'), 'revisor@example.com');
    await page.getByRole('radio', { name: words.share_until() }).check();
    await page.getByTestId('agreements.share.day').fill('2027-01-31');
    await audit(page);
    await press(page, answer(words.share_confirm()));
    const day = '31 Jan 2027';
    await expectSaid(words.share_done_until({ email: 'revisor@example.com', day }));
  });

  it('is deleted after its rejection, once its title is typed (T2-64)', async () => {
    const TITLE = 'Uppsägning av lokal';
    await open('v2', TITLE);
    await choose(more(), words.act_delete());
    const verb = answer(words.delete_confirm({ count: 1 }));
    expect(await verb.getAttribute('aria-disabled')).toBe('true');
    await fill(page, page.getByTestId('agreements.delete.title'), TITLE);
    await press(page, verb);
    await expectSaid(words.delete_done({ title: TITLE }));
    expect(app.demo.agreements.v2().some(({ name }) => name === TITLE)).toBe(false);
  });
});

describe('every dialog about an agreement', () => {
  const dialog = (): Locator => page.locator('[role=alertdialog], [role=dialog]');
  const dialogs = [
    ['v1', 'deadlines', () => press(page, page.getByTestId('agreements.deadlines'))],
    ['v1', 'documents', () => choose(more(), words.act_save_documents())],
    ['v1', 'record', () => choose(more(), words.act_raw())],
    ['v1', 'delete', () => choose(more(), words.act_delete())],
    ['v1', 'notifications', () => choose(partyMenu(), words.act_notifications())],
    ['v1', 'link', () => choose(partyMenu(), words.act_link())],
    ['v2', 'fields', () => choose(more(), words.act_fields())],
  ] as const;

  it.each(dialogs)(
    'of %s, %s, is accessible, and returns the focus when it closes',
    async (...row) => {
      const [api, , ask] = row;
      await open(api, api === 'v1' ? 'Sopimus – Hämeentie 3, Helsinki' : 'Parkeringsavtal');
      await ask();
      await dialog().waitFor();
      await audit(page);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
      await details().locator(':focus').waitFor();
    },
  );
});

describe('an action on several agreements', () => {
  const titles = ['Mutual NDA – O’Brien Ltd', 'Partnership agreement'];

  it('sets the last day for signing, chosen once for all of them', async () => {
    for (const title of ['Offert nr 117', 'Partnership agreement']) {
      await open('v1', title);
      await tabTo(page, page.getByRole('grid'));
      await page.keyboard.press('Space');
    }
    await choose(page.getByTestId('agreements.selection.more'), words.act_deadlines());
    const day = page.getByTestId('agreements.several.expires');
    await expectFocus(day);
    // One of the selected agreements is excluded: it has ended, so it cannot be signed any more,
    // even before its last day.
    await questionOf(page)
      .getByText(words.several_left({ count: 1 }))
      .waitFor();
    const verb = answer(words.several_expiry({ count: 1 }));
    expect(await verb.getAttribute('aria-disabled')).toBe('true');
    await day.fill('2020-01-01');
    await questionOf(page).getByText(words.deadlines_past()).waitFor();
    expect(await verb.getAttribute('aria-disabled')).toBe('true');
    await day.fill('2027-03-05');
    await audit(page);
    await takePicture(page, 'several-expiry');
    await press(page, verb);
    await expectSaid(words.deadlines_done());
    const { items } = await apiOf(app)['agreements.list']({ search: 'Partnership agreement' });
    const [changed] = items.map(({ expiresAt }) => new Date(expiresAt ?? 0).toISOString());
    expect(changed).toContain('2027-03-05');
    // The agreement that could not be changed is still selected.
    await press(page, page.getByTestId('agreements.selection.clear'));
    await page.getByTestId('agreements.selection').waitFor({ state: 'detached' });
  });

  it('names the agreements selected with the keyboard, and requires their number to be typed', async () => {
    for (const title of titles) {
      await open('v1', title);
      await tabTo(page, page.getByRole('grid'));
      await page.keyboard.press('Space');
    }
    await choose(page.getByTestId('agreements.selection.more'), words.act_revoke());
    await expectFocus(cancel());
    for (const title of titles) await questionOf(page).getByText(title).waitFor();
    await audit(page);
    const verb = answer(words.revoke_confirm({ count: 2 }));
    expect(await verb.getAttribute('aria-disabled')).toBe('true');
    await fill(page, page.getByTestId('agreements.several.count'), '2');
    await press(page, verb);
    await expectSaid(words.result_several({ count: 2 }));
    const states = app.demo.agreements.v1().filter(({ title }) => titles.includes(title));
    expect(states.map(({ state }) => state)).toEqual(['REVOKED', 'REVOKED']);
    await page.getByTestId('agreements.selection').waitFor({ state: 'detached' });
  });
});

describe('a part of the agreement list, chosen by a filter of the service,', () => {
  it.each([
    ['v1', { state: 'SIGNED_BY_ALL' }, /filter%5Bstate%5D=SIGNED_BY_ALL/],
    ['v2', { state: 'CLOSED' }, /status=CLOSED/],
  ] as const)(
    'is read again from the %s service in one request with that filter',
    async (api, { state }, url) => {
      const before = app.demo.requests.length;
      await show(app, '#/agreements');
      await page.getByTestId('agreements.filters').click();
      const panel = page.getByTestId('agreements.filter-panel');
      await press(page, panel.getByRole('button', { name: words.select_open() }));
      await expectFocus(questionOf(page).getByLabel(words.agreements_column_connection()));
      const all = await apiOf(app)['connections.list']({});
      const name = all.find((one) => one.api === api)?.name ?? '';
      await questionOf(page).getByLabel(words.agreements_column_connection()).selectOption(name);
      await page.getByTestId('agreements.select.state').selectOption(state);
      await audit(page);
      await press(page, answer(words.select_confirm()));
      const said = page.getByTestId('activity.message');
      await expect.poll(() => said.textContent()).toMatch(/^Read \d+ from the service/);
      expect(requestsSince(before, 'GET', url)).toBe(1);
      await page.getByTestId('agreements.filters').click();
    },
  );
});

describe('files uploaded to the Legacy API', () => {
  it('are added, marked as unused by any agreement, shown and removed', async () => {
    await show(app, '#/settings/uploads');
    const section = page.getByTestId('settings.uploads');
    await section.getByTestId('settings.uploads.file').setInputFiles(await leaseForm('Bilaga.pdf'));
    const row = section.getByRole('listitem').filter({ hasText: 'Bilaga.pdf' });
    await row.getByText(words.uploads_orphan()).waitFor();
    await press(page, row.getByRole('button', { name: words.uploads_show() }));
    await page.getByRole('dialog').getByText(words.uploads_token()).waitFor();
    await audit(page);
    await page.keyboard.press('Escape');
    await press(page, row.getByRole('button', { name: words.uploads_remove() }));
    await expectFocus(cancel());
    await press(page, answer(words.uploads_remove_confirm()));
    await expectSaid(words.uploads_removed({ name: 'Bilaga.pdf' }));
    await row.waitFor({ state: 'detached' });
  });
});

it('the page logs no error during actions on agreements', () => {
  expect(app.complaints).toEqual([]);
});
