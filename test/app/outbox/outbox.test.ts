// tier: quick, 15 s, because it decides whether something is sent again
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainPdf } from '../../../electron/demo/pdf/pdf.ts';
import type { ConnectionId, OutboxRef } from '../../../shared/model/ids.ts';
import type { OutboxItem } from '../../../shared/contract/outbox.ts';
import { audit } from '../support/audit.ts';
import { type DeskApp, startDeskApp } from '../support/desk.ts';
import { takePicture } from '../support/picture.ts';
import { apiOf, prepareDraft } from '../support/prepared-draft.ts';
import { show } from '../support/furnished-desk.ts';
import { expectGone, expectSeen, press, questionOf, tryDemo } from '../support/steps.ts';
import { words } from '../support/words.ts';
import { sendElsewhere, toSign } from '../../support/send-elsewhere.ts';
import { DAY } from '../../../shared/rules/time/units.ts';

const CREATE = { method: 'POST', path: /\/agreements$/ } as const;
/**
 * Longest delay that can be set (seconds). With a shorter one, a busy computer could send the
 * agreement before the test checks the row.
 */
const HOLD = 30;

let app: DeskApp;
let page: Page;

beforeAll(async () => {
  app = await startDeskApp({ seed: 'none' });
  ({ page } = app);
  await tryDemo(page);
});
afterAll(() => app.close());

const picture = (name: string): Promise<void> => takePicture(page, `outbox-${name}`);

async function connectionOf(api: 'v1' | 'v2'): Promise<ConnectionId> {
  const found = (await apiOf(app)['connections.list']({})).find((one) => one.api === api);
  if (found === undefined) throw new Error(`The demo has no connection for ${api}`);
  return found.id;
}

async function send(api: 'v1' | 'v2', title: string, holdSeconds: number): Promise<OutboxRef> {
  const calls = apiOf(app);
  const id = await prepareDraft(app, api, title);
  const connectionId = await connectionOf(api);
  const { ref } = await calls['drafts.send']({ id, connectionId, holdSeconds, confirm: 1 });
  return ref;
}

const stateOf = async (ref: OutboxRef) => (await apiOf(app)['outbox.show']({ ref })).state;

/** Waits until a send with this title is in the outbox. */
async function queued(title: string): Promise<OutboxItem> {
  const find = async () =>
    (await apiOf(app)['outbox.list']({})).find((item) => item.title === title);
  await expect.poll(async () => (await find()) !== undefined).toBe(true);
  const item = await find();
  if (item === undefined) throw new Error(`${title} is not in the outbox`);
  return item;
}

const details = () => page.getByTestId('outbox.details');

describe('the outbox', () => {
  it('undoes a send during its delay, so that nothing is sent', async () => {
    const connectionId = await connectionOf('v1');
    // The connection is paused, so that nothing is sent even if the delay ends during the test.
    await apiOf(app)['outbox.pause']({ connectionId });
    const ref = await send('v1', 'Hyra av lokal', HOLD);
    await show(app, `#/outbox/${ref}`);
    await details().getByRole('heading', { name: 'Hyra av lokal' }).waitFor();
    await audit(page);
    await picture('held');
    await page.getByTestId('outbox.undo').click();
    await page.getByTestId('draft.title').waitFor();
    expect(await stateOf(ref)).toBe('cancelled');
    await apiOf(app)['outbox.resume']({ connectionId });
    await apiOf(app)['outbox.run']({});
    expect(app.demo.agreements.v1()).toEqual([]);
  });

  it.each([
    ['its key', async () => page.keyboard.press('Control+z')],
    ['its button', async () => press(page, page.getByTestId('activity.undo'))],
  ] as const)('undoes a send from another screen with %s (AP-12)', async (name, undo) => {
    const settings = (holdSeconds: 10 | 30) => apiOf(app)['settings.write']({ holdSeconds });
    await settings(30);
    const title = `Hyra av lager, ${name}`;
    await show(app, `#/drafts/${await prepareDraft(app, 'v1', title)}`);
    await page.getByTestId('draft.send').click();
    await questionOf(page).locator('.dialog-actions button').last().click();
    const { ref } = await queued(title);
    await show(app, '#/people');
    await page.getByTestId('activity.held').waitFor();
    await undo();
    await expect.poll(() => page.getByTestId('draft.title').inputValue()).toBe(title);
    expect(await stateOf(ref)).toBe('cancelled');
    await settings(10);
    expect(app.demo.agreements.v1()).toEqual([]);
  });

  it('takes a draft with warnings only, which the question lists (AP-10)', async () => {
    const title = 'Hyra med varning';
    const id = await prepareDraft(app, 'v1', title);
    const { errors, warnings } = await apiOf(app)['drafts.check']({ id });
    expect([errors.length, warnings.length > 0]).toEqual([0, true]);
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();
    await expectSeen(questionOf(page).getByText(words.draft_send_warnings(), { exact: true }));
    await questionOf(page).locator('.dialog-actions button').last().click();
    const { ref } = await queued(title);
    await page.getByTestId('activity.undo').click();
    await page.getByTestId('draft.title').waitFor();
    expect(await stateOf(ref)).toBe('cancelled');
  });

  it('keeps a send until its chosen time, shows that time, and can cancel the send before it', async () => {
    const id = await prepareDraft(app, 'v1', 'Hyra av sommarstuga');
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();
    const question = questionOf(page);
    await question.getByRole('radio', { name: words.draft_send_when_later() }).check();
    const later = question.getByRole('button', { name: words.draft_send_later() });
    expect(await later.getAttribute('aria-disabled')).toBe('true');
    // The empty field shows no day that looks chosen, and the reason is visible without a press.
    const field = page.getByTestId('draft.send.at');
    expect(await field.inputValue()).toBe('');
    expect(await field.getAttribute('placeholder')).toBe(words.day_pick());
    const why = question.getByRole('paragraph', { includeHidden: true });
    await expectSeen(why.getByText(words.draft_send_why_time(), { exact: true }));
    const day = new Date(Date.now() + 3 * DAY).toISOString().slice(0, 10);
    await page.getByTestId('draft.send.at').fill(day);
    await page.keyboard.press('Tab');
    const confirm = question.locator('.dialog-actions button').last();
    await expect.poll(() => confirm.getAttribute('aria-disabled')).not.toBe('true');
    // The earlier day must not be sent while the field shows a text that is not a day.
    await page.getByTestId('draft.send.at').fill('25.13.2026');
    await page.keyboard.press('Tab');
    await expect.poll(() => confirm.getAttribute('aria-disabled')).toBe('true');
    await page.getByTestId('draft.send.at').fill(day);
    await page.keyboard.press('Tab');
    await expect.poll(() => confirm.getAttribute('aria-disabled')).not.toBe('true');
    await picture('schedule');
    await confirm.click();
    // The screen of the draft closes automatically once the send is in the outbox.
    await page.getByRole('heading', { name: words.screen_drafts(), level: 1 }).waitFor();
    const item = await queued('Hyra av sommarstuga');
    expect(new Date(item.nextAt ?? 0).toISOString().slice(0, 10)).toBe(day);
    expect(item).toMatchObject({ state: 'queued', isScheduled: true });
    await show(app, `#/outbox/${item.ref}`);
    await details().getByText(words.outbox_explain_scheduled()).waitFor();
    // A scheduled send has no countdown, and Ctrl+Z does not apply to it.
    expect(await page.getByTestId('activity.held').count()).toBe(0);
    await audit(page);
    await picture('scheduled');
    await page.getByTestId('outbox.undo').click();
    await page.getByTestId('draft.title').waitFor();
    expect(await stateOf(item.ref)).toBe('cancelled');
  });

  it('explains the time to undo before a send only if the agreement is not sent at a later time', async () => {
    const id = await prepareDraft(app, 'v1', 'Hyra av förråd');
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();
    const question = questionOf(page);
    const hint = question.getByText(words.draft_send_hold_hint());
    await expectSeen(hint);
    await question.getByRole('radio', { name: words.draft_send_when_later() }).check();
    await expectGone(hint);
    await question.getByRole('radio', { name: words.draft_send_when_now() }).check();
    await expectSeen(hint);
    await page.keyboard.press('Escape');
    await apiOf(app)['drafts.delete']({ id });
  });

  it('states before a send what the service then gets: people, messages, documents, methods, dates (AP-11)', async () => {
    const title = 'Hyra av verkstad';
    const id = await prepareDraft(app, 'v1', title);
    const { content, revision, connectionId } = await apiOf(app)['drafts.show']({ id });
    if (content.api !== 'v1') throw new Error('It is of the other API');
    const [first, ...others] = content.body.parties;
    if (first === undefined) throw new Error('It has no party');
    const recipients = [
      { medium: 'EMAIL', address: 'asa.oberg@example.com' },
      { medium: 'SMS', address: '+46701234567' },
    ] as const;
    const signingConfigurations = [{ type: 'DRAW' as const }, { type: 'CLICK' as const }];
    const asa = {
      ...first,
      mobile: '+46701234567',
      signingConfigurations,
      // Each medium needs a notification of its own.
      notifications: recipients.map((one) => ({
        type: 'READY_TO_SIGN' as const,
        recipients: [one],
      })),
    };
    // In March, Swedish time is one hour ahead of UTC.
    const dates = { expireOn: '20310304T163000Z', deleteOn: '20310504T220000Z' };
    const body = { ...content.body, ...dates, parties: [asa, ...others], notifications: [] };
    const changed = { api: 'v1' as const, body };
    await apiOf(app)['drafts.save']({ id, revision, content: changed, connectionId });
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();

    const people = await page.getByTestId('draft.send.people').textContent();
    expect(people).toBe(words.draft_send_people({ count: 1, emails: 1, sms: 1 }));
    const party = await page.getByTestId('draft.send.party').innerText();
    for (const { address } of recipients) expect(party).toContain(address);
    expect(party).toContain(words.method_draw());
    expect(party).toContain(words.method_click());
    const document = await page
      .getByTestId('draft.send.documents')
      .getByRole('listitem')
      .innerText();
    const closes = words.draft_send_closes({ date: '4 Mar 2031', time: '17:30' });
    const deletes = words.draft_send_deletes({ date: '5 May 2031' });
    const times = await page.getByTestId('draft.send.times').textContent();
    expect(times).toBe(`${closes} ${deletes}`);

    await questionOf(page).getByRole('button').last().click();
    await page.getByTestId('activity.send-now').click();
    await expect.poll(async () => (await queued(title)).remoteId).not.toBeNull();
    const { remoteId } = await queued(title);
    const parts = 'attachments,parties,parties.notifications,parties.signingConfigurations';
    const at = `${app.demo.v1Url}/v1/agreements/${String(remoteId)}?include=${parts}`;
    const headers = { Authorization: `Token ${app.demo.credentials.token}` };
    const reply: unknown = await (await fetch(at, { headers })).json();
    const attachments = [{ name: document.split(' ')[0] }];
    const parties = [{ signingConfigurations, notifications: asa.notifications }];
    expect(reply).toMatchObject({ data: { title, ...dates, attachments, parties } });
  });

  it('states before a send on v2 after how many days the service rejects the agreement (AP-11)', async () => {
    const title = 'Snöröjning';
    const id = await prepareDraft(app, 'v2', title);
    const { content, revision, connectionId } = await apiOf(app)['drafts.show']({ id });
    if (content.api !== 'v2') throw new Error('It is of the other API');
    const changed = { api: 'v2' as const, body: { ...content.body, expireIn: 21 } };
    await apiOf(app)['drafts.save']({ id, revision, content: changed, connectionId });
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();
    const times = await page.getByTestId('draft.send.times').textContent();
    const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
    const date = day.format(Date.now() + 21 * DAY);
    expect(times).toBe(words.draft_send_days({ count: 21, date }));
    await questionOf(page).getByRole('button').last().click();
    await page.getByTestId('activity.send-now').click();
    await expect.poll(async () => (await queued(title)).remoteId).not.toBeNull();
    const { remoteId } = await queued(title);
    if (remoteId === null || connectionId === null) throw new Error('It was not sent');
    const key = { connectionId, id: remoteId };
    const { expiresAt } = await apiOf(app)['agreements.show']({ ...key, refresh: true });
    // The service counts until the end of the day.
    expect(Math.floor(((expiresAt ?? 0) - Date.now()) / DAY)).toBe(21);
  });

  it('reports a completed send with its recipients on every screen, and links to it (SC-05)', async () => {
    await show(app, '#/settings');
    await send('v1', 'Hyra av båtplats', 0);
    const bar = page.getByTestId('activity.message');
    const title = 'Hyra av båtplats';
    const names = `Åsa Öberg, ${words.notified_owner()}`;
    await bar.getByText(words.ending_sent_names({ title, count: 2, names })).waitFor();
    await picture('said-sent');
    await audit(page);
    await page.getByTestId('activity.show').click();
    await page.getByRole('complementary').getByRole('heading', { name: title }).waitFor();
    expect(await bar.innerText()).toBe('');
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
  });

  it('shows why a connection is paused, and sends again on request', async () => {
    await apiOf(app)['outbox.pause']({ connectionId: await connectionOf('v2') });
    const ref = await send('v2', 'Arrende av jaktmark', 0);
    await show(app, `#/outbox/${ref}`);
    await details().getByRole('heading', { name: 'Arrende av jaktmark' }).waitFor();
    const gates = page.getByTestId('outbox.gates');
    await gates.waitFor();
    await audit(page);
    await picture('paused');
    await gates.getByRole('button', { name: words.outbox_gate_go() }).click();
    await gates.waitFor({ state: 'detached' });
    await expect.poll(() => stateOf(ref)).toBe('sent');
  });

  it('shows what happened to an unknown send, and reopens its draft if the user gives it up', async () => {
    app.demo.fault({ ...CREATE, do: { kind: 'reset-before' } });
    const ref = await send('v1', 'Svaret som uteblev', 0);
    await apiOf(app)['outbox.run']({});
    await apiOf(app)['outbox.look']({ ref });
    await show(app, `#/outbox/${ref}`);
    await page.getByTestId('outbox.doubt').waitFor();
    await picture('unknown');
    await page.getByTestId('outbox.decide').click();
    const history = page.getByTestId('outbox.history');
    await history.waitFor();
    expect(await history.getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    await picture('decision');
    // Sending the agreement again is not offered while it may still appear in the service's list.
    expect(await page.getByRole('button', { name: words.outbox_resend() }).count()).toBe(0);
    await page.getByRole('button', { name: words.outbox_was_not_sent() }).click();
    const give = words.outbox_not_sent_confirm();
    await questionOf(page).getByRole('button', { name: give }).click();
    await page.getByTestId('draft.title').waitFor();
    expect(await stateOf(ref)).toBe('abandoned');
    expect(app.demo.agreements.v1().map((one) => one.title)).not.toContain('Svaret som uteblev');
  });

  it('shows why a typed ID is not the agreement of a send, and keeps the typed ID', async () => {
    const other = await send('v1', 'Rätt id', 0);
    await expect.poll(() => stateOf(other)).toBe('sent');
    const { remoteId } = await apiOf(app)['outbox.show']({ ref: other });
    app.demo.fault({ ...CREATE, do: { kind: 'reset-before' } });
    const ref = await send('v1', 'Fel id', 0);
    await apiOf(app)['outbox.run']({});
    await show(app, `#/outbox/${ref}`);
    await page.getByTestId('outbox.decide').click();
    await page.getByRole('button', { name: words.outbox_was_sent() }).click();
    const field = questionOf(page).getByTestId('outbox.sent-id');
    const confirm = questionOf(page).getByRole('button', { name: words.outbox_sent_confirm() });
    for (const [typed, reason] of [
      ['no-such-agreement', words.reason_sent_id_missing()],
      ['https://example.com/agreements/1', words.reason_sent_id_form()],
      [String(remoteId), words.reason_sent_id_taken()],
    ] as const) {
      await field.fill(typed);
      await confirm.click();
      await expectSeen(questionOf(page).getByRole('alert').getByText(reason));
      expect(await field.inputValue()).toBe(typed);
    }
    await picture('sent-id-wrong');
    await audit(page);
    await page.keyboard.press('Escape');
    expect(await stateOf(ref)).toBe('unknown');
    await apiOf(app)['outbox.settle']({ ref, decision: { as: 'abandon' } });
  });

  it('shows that a send is looked for after a temporary error, and lets the user decide sooner', async () => {
    app.demo.fault({ ...CREATE, do: { kind: 'status', status: 429, body: '{}' } });
    const ref = await send('v2', 'Inte just nu', 0);
    await apiOf(app)['outbox.run']({});
    await show(app, `#/outbox/${ref}`);
    await page.getByTestId('outbox.doubt').getByText(words.outbox_doubt_turned_away()).waitFor();
    await audit(page);
    await picture('turned-away');
    await page.getByTestId('outbox.decide').click();
    await page.getByRole('button', { name: words.outbox_resend() }).click();
    const again = questionOf(page).getByRole('button', { name: words.outbox_resend_confirm() });
    await picture('turned-away-decided');
    await again.click();
    await page.getByTestId('outbox.doubt').waitFor({ state: 'detached' });
    expect(await apiOf(app)['outbox.show']({ ref })).toMatchObject({ verify: false, attempts: 1 });
    await apiOf(app)['outbox.undo']({ ref });
  });

  it('explains a rejected send, and opens it for editing', async () => {
    const body =
      '{"errors":[{"status":"400","title":"Bad Request","detail":"The title is taken",' +
      '"source":{"pointer":"/data/attributes/title"}}]}';
    app.demo.fault({ ...CREATE, do: { kind: 'status', status: 400, body } });
    const ref = await send('v1', 'Upptagen titel', 0);
    await apiOf(app)['outbox.run']({});
    await show(app, `#/outbox/${ref}`);
    await details().getByText(words.outbox_explain_rejected()).waitFor();
    await audit(page);
    await picture('refused');
    await page.getByTestId('outbox.edit').click();
    await page.getByTestId('draft.title').waitFor();
  });

  it('marks the field named by the service in the draft, until the field changes (SC-10)', async () => {
    const said = words.refused_by_service_because({ said: 'The title is taken' });
    const note = page.getByTestId('draft.editor').getByText(said);
    await note.first().waitFor();
    await picture('refused-draft');
    await page.getByTestId('draft.title').fill('En ledig titel');
    await page.getByTestId('draft.title').press('Tab');
    await expectGone(note.first());
  });

  it('repeats an earlier send only after the user ticks that it is sent again (FE-D8)', async () => {
    await send('v1', 'Samma en gång till', 0);
    await apiOf(app)['outbox.run']({});
    const sent = app.demo.agreements.v1().length;
    const again = await prepareDraft(app, 'v1', 'Samma en gång till');
    await show(app, `#/drafts/${again}`);
    await page.getByTestId('draft.send').click();
    const before = page.getByTestId('draft.send.before');
    await before.waitFor();
    const confirm = questionOf(page).getByRole('button').last();
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await audit(page);
    await picture('sent-before');
    await before.getByRole('checkbox').check();
    await expect.poll(() => confirm.getAttribute('aria-disabled')).not.toBe('true');
    await picture('sent-before-ticked');
    await page.keyboard.press('Escape');
    expect(app.demo.agreements.v1()).toHaveLength(sent);
  });

  it('names the agreement that another computer sent, and sends again only after a tick (FE-N7)', async () => {
    const title = 'Skickat från en annan dator';
    const id = await prepareDraft(app, 'v1', title);
    const { content } = await apiOf(app)['drafts.show']({ id });
    if (content.api !== 'v1') throw new Error('It is of the other API');
    const { parties } = content.body;
    const [document] = toSign(title, await plainPdf('Lease', ['A lease.'])).attachments;
    const tags = { 'desk.ref': '7f9c24e8-3b12-4d5f-9f51-0d3b6a2c1e47' };
    const remote = await sendElsewhere(app.demo, { title, parties, tags, attachments: [document] });
    await apiOf(app)['agreements.sync']({});
    await expect
      .poll(async () => (await apiOf(app)['drafts.check']({ id })).sentBefore.length)
      .toBe(1);
    await show(app, `#/drafts/${id}`);
    await page.getByTestId('draft.send').click();
    const before = page.getByTestId('draft.send.before');
    await before.getByText(remote).waitFor();
    const confirm = questionOf(page).getByRole('button').last();
    expect(await confirm.getAttribute('aria-disabled')).toBe('true');
    await audit(page);
    await before.getByRole('checkbox').check();
    await expect.poll(() => confirm.getAttribute('aria-disabled')).not.toBe('true');
    await confirm.click();
    const { ref } = await queued(title);
    const { journal } = await apiOf(app)['outbox.history']({ ref });
    expect(journal[0]).toMatchObject({ to: 'queued', cause: 'again', actor: 'person' });
  });
});
